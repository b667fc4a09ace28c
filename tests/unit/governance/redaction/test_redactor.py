from __future__ import annotations

import logging
import socket
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from governance.errors import InvalidInput, PersonalDataInIdentifier, RedactionUnavailable
from governance.redaction.engine import Analyzer
from governance.redaction.entities import API_KEY, CREDIT_CARD, EMAIL_ADDRESS, ENTITIES, PHONE_NUMBER
from governance.redaction.findings import Action, EntityType, Finding, RedactedText
from governance.redaction.recognizers.registry import RECOGNIZERS
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules

KEY = b"k" * 32
RULES = RedactionRules()
Redact = Callable[[str], RedactedText]
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "text",
    [
        "trace 110bcd25-a55d-453a-8046-1297901ea002 failed", "commit 9f86d081884c7d65", "MAC 3c:22:fb:10:45:9a", "build 2024.11.3",  # B090
        "no API key in the build", "apiKey: import.meta.env.KEY", "password policy changed", "3eb6f2c585f5e1699204e3c3bdf7adc5c28cb376",  # B143
        "May met April in Paris, Texas", "Carla reports to Diego.", "for i in range(10):\n    print(f'{i:>8}')  # 3.14159265358979\n",  # B099
        "529.982.247-26", "111.111.111-11",  # B096
    ],
)  # fmt: skip
def test_harmless_text_stays(redact: Redact, text: str) -> None:
    assert redact(text) == RedactedText(text)


def test_a_long_clean_paragraph_stays(redact: Redact) -> None:
    text = "The team met on 3 March 2026 and agreed on version 2.14.0 at a price of R$ 1.250,00 for 12 months; Ana wrote it down. " * 26
    assert len(text) > 3000
    assert redact(text) == RedactedText(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("card 4111 1111 1111 1111.com thanks", "card [CARD].com thanks"),
        ("mail ana.silva@example.com/+1 202-555-0143, ok", "mail [EMAIL_1]/[PHONE_1], ok"),
        ("Eric's number 2025550143 is 202-555-0143", "Eric's number [PHONE_1] is [PHONE_1]"),
    ],
)
def test_b092_overlaps_become_disjoint_labels(redact: Redact, text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize("before", ["", FAMILY + " ", "e\u0301 ", "\u202bשלום ", "\ufdfa" * 5])
def test_b093_nothing_of_the_original_remains(redact: Redact, before: str) -> None:
    text = f"{before}I'm Ana Silva, ana@example.com, 202-555-0143, CPF 529.982.247-25 {FAMILY} again ana@example.com"
    assert redact(text).text == f"{before}I'm Ana Silva, [EMAIL_1], [PHONE_1], CPF [CPF_1] {FAMILY} again [EMAIL_1]"


@pytest.mark.parametrize(
    "cpf",
    [
        "529.982.247-25",
        "52998224725",
        "390.533.447-05",
        "529 982 247 25",
        "529.982.247‑25",
        "529.982.247–25",
        "529\u00a0982\u00a0247\u00a025",
    ],
)
@pytest.mark.parametrize("sentence", ["my tax number is {}.", "CPF nº{}", "o cpf dele: {}", "({})"])
def test_b096_valid_cpfs_go_in_any_spacing_and_language(redact: Redact, cpf: str, sentence: str) -> None:
    assert redact(sentence.format(cpf)).text == sentence.format("[CPF_1]")


def test_b096_a_labelled_cpf_goes_even_with_a_typing_error(redact: Redact) -> None:
    assert redact("CPF 529.982.247-26").text == "CPF [CPF_1]"
    assert redact("CNPJ 12.ABC.345/01DE-35").text == "CNPJ [CNPJ_1]"


PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "\n".join("MIIEpAIBAAKCAQEA7bq" + c * 40 for c in "abcdefghijkl")
    + "\n-----END RSA PRIVATE KEY-----"
)


@pytest.mark.parametrize(
    ("secret", "label"),
    [
        ("AKIA" + "ABCDEFGHIJKLMNOP", "[API_KEY]"), ("ghp_" + "aB3" * 12, "[API_KEY]"), ("sk-test-" + "aB3d" * 10, "[API_KEY]"), (PEM, "[PRIVATE_KEY]"),
    ],
)  # fmt: skip
def test_b143_secrets_go_wherever_they_stand(redact: Redact, secret: str, label: str) -> None:
    assert redact(f"output: {secret} done").text == f"output: {label} done"


def test_b143_secrets_in_context_go(redact: Redact) -> None:
    assert redact("postgres://u:p4ss@db/x").text == "[CONNECTION_STRING]"
    assert redact("git clone https://u:p4ss@git.example.com/x").text == "git clone https://[PASSWORD]@git.example.com/x"
    assert redact("my token is sk-test-000").text == "my token is [API_KEY]"
    assert redact("Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.x").text == "Authorization: Bearer [TOKEN]"
    assert redact("the API key is Zk93aLq0").text == "the API key is [API_KEY]"


# ---------------------------------------------------------------- properties

VALUES = [
    "ana@example.com", "bruno.costa@empresa.com.br", "529.982.247-25", "52998224725", "(11) 98765-4321", "+1 202-555-0143", "4111 1111 1111 1111", "10.0.0.12", "AKIAIOSFODNN7EXAMPLE",
    "my password is hunter2", "senha: girassol9", "postgres://u:p4ss@db.example.com/x", "CEP 81472-812", "RG 12.345.678-9", "DE89370400440532013000", "[EMAIL_1]", "[PHONE_2]", "[CARD]",
    "[CARD ****1111]", "12.ABC.345/01DE-35", "Bearer a1B2c3D4e5F6g7", "eyJhbGciOiJIUzI1NiJ9.e30.x", "call 98765-4321", "chave pix 123e4567-e89b-42d3-a456-426614174000", "SSN 078051120",
]  # fmt: skip
GLUE = st.sampled_from(
    [
        "",
        " ",
        ", ",
        "-",
        "/",
        ".",
        "\n",
        ":",
        "=",
        "(",
        ")",
        "'",
        '"',
        "é",
        "中",
        FAMILY,
        "\u200b",
        "1",
        "a",
        "\uffff",
        " is ",
        " cpf ",
        " tel ",
    ]
)
TEXTS = st.lists(st.one_of(st.sampled_from(VALUES), GLUE, st.text(max_size=8)), max_size=12).map("".join)


@hypothesis_settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_redaction_is_idempotent(redactor: Redactor, text: str) -> None:
    once = redactor.redact(text, rules=RULES, key=KEY, field="content")
    twice = redactor.redact(once.text, rules=RULES, key=KEY, field="content")
    assert twice == RedactedText(once.text)


@hypothesis_settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(list(Action)))
def test_spans_are_disjoint_and_the_rest_is_byte_for_byte(redactor: Redactor, text: str, action: Action) -> None:
    rules = RULES.with_overrides(
        {entity: action for entity, spec in ENTITIES.items() if not spec.secret and entity not in {"DATE_TIME", "URL"}}
    )
    redacted = redactor.redact(text, rules=rules, key=KEY, field="content")
    position = cursor = 0
    for redaction in redacted.redactions:
        assert position <= redaction.start < redaction.end <= len(redacted.text)
        kept = redacted.text[position : redaction.start]
        # What stands between two labels stands in the original, in the same order.
        at = text.find(kept, cursor)
        assert at >= 0
        cursor = at + len(kept)
        position = redaction.end
    assert text.endswith(redacted.text[position:])


@hypothesis_settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_many_is_the_same_as_one_by_one(redactor: Redactor, texts: list[str]) -> None:
    numbering = redactor.numbering()
    for text in texts:
        numbering.reserve(text)
    single = tuple(redactor.redact(text, rules=RULES, key=KEY, numbering=numbering, field="content") for text in texts)
    assert redactor.redact_many(texts, rules=RULES, key=KEY, field="content") == single


def test_threads_share_one_redactor(redactor: Redactor) -> None:
    texts = [f"mail user{n}@example.com or (11) 98765-43{n:02}" for n in range(40)]
    alone = [redactor.redact(text, rules=RULES, key=KEY, field="content") for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: redactor.redact(text, rules=RULES, key=KEY, field="content"), texts))
    assert together == alone


# ---------------------------------------------------------------- labels, tokens, actions


def test_one_value_has_one_label_across_the_fields_of_a_memory(redactor: Redactor) -> None:
    numbering = redactor.numbering()
    first = redactor.redact("a@example.com b@example.com", rules=RULES, key=KEY, numbering=numbering, field="content")
    second = redactor.redact("B@example.com", rules=RULES, key=KEY, numbering=numbering, field="source.text")
    assert (first.text, second.text) == ("[EMAIL_1] [EMAIL_2]", "[EMAIL_2]")
    assert first.redactions[1].token == second.redactions[0].token
    assert first.redactions[0].token != first.redactions[1].token


def test_a_literal_label_is_left_alone_and_its_number_is_not_given_again(redact: Redact) -> None:
    assert redact("[EMAIL_1] wrote to ana@example.com").text == "[EMAIL_1] wrote to [EMAIL_2]"


def test_a_label_cannot_carry_a_number_past_the_redactor(redact: Redact) -> None:
    assert "11987654321" not in redact("[PHONE_11987654321]").text
    assert "52998224725" not in redact("[CPF_52998224725] [CPF ****52998224725]").text


def test_offsets_are_those_of_the_redacted_text(redact: Redact) -> None:
    redacted = redact("Ana is allergic to peanuts. Mail ana@example.com")
    (redaction,) = redacted.redactions
    assert (redaction.start, redaction.end) == (33, 42)
    assert redacted.text[33:42] == "[EMAIL_1]"


def test_tokens_link_spellings_under_one_key_only(redactor: Redactor) -> None:
    def token(text: str, key: bytes = KEY) -> str | None:
        return redactor.redact(text, rules=RULES, key=key, field="content").redactions[0].token

    assert token("call +55 11 98765-4321") == token("call (11) 98765-4321") == token("zap 11987654321")
    assert token("529.982.247-25") == token("cpf 52998224725")
    assert token("529.982.247-25") != token("529.982.247-25", b"x" * 32)
    assert len(token("529.982.247-25") or "") == 32


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("replace", "[EMAIL] [CARD] [PHONE]"), ("pseudonymise", "[EMAIL_1] [CARD_1] [PHONE_1]"), ("mask", "[EMAIL ****] [CARD ****1111] [PHONE ****4321]"),
        ("keep", "a@example.com 4111111111111111 (11) 98765-4321"),
    ],
)  # fmt: skip
def test_actions(redactor: Redactor, action: str, expected: str) -> None:
    rules = RULES.with_overrides(dict.fromkeys((EMAIL_ADDRESS, CREDIT_CARD, PHONE_NUMBER), action))
    redacted = redactor.redact("a@example.com 4111111111111111 (11) 98765-4321", rules=rules, key=KEY, field="content")
    assert redacted.text == expected
    assert [redaction.action for redaction in redacted.redactions] == [action] * 3
    assert [redaction.token is not None for redaction in redacted.redactions] == [action in {"pseudonymise", "mask"}] * 3


def test_secrets_are_replaced_whatever_stands_around_them(redactor: Redactor) -> None:
    rules = RULES.with_overrides({"EMAIL_ADDRESS": "keep"})
    assert redactor.redact("password: ana@example.com9", rules=rules, key=KEY, field="content").text == "password: [PASSWORD]"
    with pytest.raises(InvalidInput):
        RULES.with_overrides({API_KEY: "keep"})
    with pytest.raises(InvalidInput):
        RULES.with_overrides({"NONSENSE": "keep"})
    with pytest.raises(InvalidInput):
        RULES.with_overrides({"EMAIL_ADDRESS": "explode"})
    with pytest.raises(InvalidInput):
        RedactionRules({EMAIL_ADDRESS: Action.KEEP})


# ---------------------------------------------------------------- failing closed, and silence


class _Broken:
    name = "broken"
    entities: tuple[EntityType, ...] = (EMAIL_ADDRESS,)

    def find(self, text: str) -> Iterator[Finding]:
        if "boom" in text:
            raise ValueError(f"cannot read {text}")
        return iter(())


def test_a_failing_recognizer_fails_the_write_and_says_nothing_of_the_text() -> None:
    broken = Redactor(Analyzer((*RECOGNIZERS, _Broken())))
    text = "boom " + "canary"[::-1]
    with pytest.raises(RedactionUnavailable) as caught:
        broken.redact(text, rules=RULES, key=KEY, field="content")
    assert caught.value.field == "content"
    shown = "".join(traceback.format_exception(caught.value))
    assert "yranac" not in shown
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    with pytest.raises(RedactionUnavailable):
        broken.check_identifier("boom", "topic")


def test_no_network_is_used_and_nothing_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_args: object) -> None:
        raise AssertionError("network call")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with caplog.at_level(logging.DEBUG):
        fresh = Redactor()
        text = "mail ana@some-company.com.br, IBAN GB33BUKB20201555555555, DE00ÄÄ, SSN 536-90-4399"
        assert fresh.redact(text, rules=RULES, key=KEY, field="content").redactions
    assert caplog.text == ""
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


# ---------------------------------------------------------------- identifiers


@pytest.mark.parametrize(
    "name",
    [
        "clients/meridian", "health", "deploy-2024-11-03", "v1.2.3", "release-2026.11.29", "550e8400-e29b-41d4-a716-446655440000", "01JD8Z5V7Q9M3N4P5R6S7T8V9W", "turn-1700000000",
        "1700000000000", "2024-11-03T10:20:30Z", "feature/login_page", "a", "9f86d081884c7d65", "3eb6f2c585f5e1699204e3c3bdf7adc5c28cb376", "msg:1234567890123456789", "C++", "password-policy",
        "api_key_rotation", "pin", "token", "senha", "topic with spaces", "日本語", "order_10023", "1700000000.123456", "slack:T012AB3CD:1712345678.000100", "018f6b2e-7c3a-7def-8abc-1234567890ab",
    ],
)  # fmt: skip
def test_ordinary_identifiers_pass(redactor: Redactor, name: str) -> None:
    redactor.check_identifier(name, "topic")


@pytest.mark.parametrize(
    "name",
    ["ana@example.com", "clients/ana@example.com", "cpf_52998224725", "cpf-529.982.247-26", "tel:+5511987654321", "4111111111111111", "user_11987654321", "AKIAIOSFODNN7EXAMPLE", "x/sk-test-a1b2c3d4e5f6g7h8"],
)  # fmt: skip
def test_identifiers_with_personal_data_are_refused_without_quoting_them(redactor: Redactor, name: str) -> None:
    with pytest.raises(PersonalDataInIdentifier) as caught:
        redactor.check_identifier(name, "tags[0]")
    assert caught.value.field == "tags[0]"
    assert name not in str(caught.value)


# ---------------------------------------------------------------- JSON


def json_of(redactor: Redactor, value: object) -> object:
    return redactor.redact_json(value, rules=RULES, key=KEY, field="data").value


def test_strings_numbers_and_context_of_keys_in_json(redactor: Redactor) -> None:
    value = {
        "mail": "ana@example.com", "list": ["x", {"again": "ana@example.com"}], "cpf": 52998224725, "card": 4111111111111111, "phone": 2025550143, "password": "hunter2", "apiKey": "q8Zt21LmN0p",
        "n": 12345678, "at": 1700000000, "f": 1.5, "b": True, "none": None, "empty": "", "order": "A-17",
    }  # fmt: skip
    redacted = redactor.redact_json(value, rules=RULES, key=KEY, field="data")
    assert redacted.value == {
        "mail": "[EMAIL_1]", "list": ["x", {"again": "[EMAIL_1]"}], "cpf": "[CPF_1]", "card": "[CARD]", "phone": "[PHONE_1]", "password": "[PASSWORD]", "apiKey": "[API_KEY]",
        "n": 12345678, "at": 1700000000, "f": 1.5, "b": True, "none": None, "empty": "", "order": "A-17",
    }  # fmt: skip
    assert [item.path for item in redacted.redactions] == ["mail", "list[1].again", "cpf", "card", "phone", "password", "apiKey"]


def test_a_pin_given_as_a_number_goes(redactor: Redactor) -> None:
    assert json_of(redactor, {"pin": 4711, "year": 2026, "port": 5432}) == {"pin": "[PASSWORD]", "year": 2026, "port": 5432}


def test_a_key_with_personal_data_is_refused(redactor: Redactor) -> None:
    with pytest.raises(PersonalDataInIdentifier) as caught:
        json_of(redactor, {"a": {"ana@example.com": 1}})
    assert caught.value.field == "data.a"


def nested(depth: int) -> object:
    value: object = "x"
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_bounded(redactor: Redactor) -> None:
    assert json_of(redactor, nested(16)) == nested(16)
    with pytest.raises(InvalidInput):
        json_of(redactor, nested(17))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")], 2**63, -(2**63) - 1, {1: 2}, {"a": b"x"}, {"a": (1, 2)}])
def test_what_is_not_json_is_refused(redactor: Redactor, value: object) -> None:
    with pytest.raises(InvalidInput):
        json_of(redactor, value)


@hypothesis_settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=6,
    )
)
def test_json_redaction_is_idempotent(redactor: Redactor, value: object) -> None:
    once = json_of(redactor, value)
    assert json_of(redactor, once) == once


@pytest.mark.parametrize(
    "text", ["", " \n ", "\x00", "\ud800 ana@example.com", "\uffff ana@example.com", "א ana@example.com", "ไทยana@example.comไทย"]
)
def test_odd_characters_do_not_break_or_hide(redact: Redact, text: str) -> None:
    assert redact(text).text == text.replace("ana@example.com", "[EMAIL_1]")
