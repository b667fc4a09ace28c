"""What an org looks for itself: the same contract as the recognizers of the product, whatever pattern an administrator writes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import InvalidInput, PersonalDataInIdentifier
from governance.redaction.custom import CONTEXT_WINDOW, WINDOW, CustomRecognizer, find_custom
from governance.redaction.entities import EMAIL_ADDRESS, ENTITIES
from governance.redaction.findings import Action
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules

KEY = b"k" * 32
NUMBER = CustomRecognizer("CUSTOMER_NUMBER", r"\bC-[0-9]{6}\b")
ORDER = CustomRecognizer("ORDER", r"\b[0-9]{6}\b", ("order", "pedido"), Action.MASK)
RULES = RedactionRules().with_recognizers((NUMBER, ORDER))


def redact(redactor: Redactor, text: str, rules: RedactionRules = RULES) -> str:
    return redactor.redact(text, rules=rules, key=KEY, field="content").text


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Ana is C-123456.", "Ana is [CUSTOMER_NUMBER_1]."),
        ("C-123456 knows C-654321, not C-123456", "[CUSTOMER_NUMBER_1] knows [CUSTOMER_NUMBER_2], not [CUSTOMER_NUMBER_1]"),
        ("João é C-123456 desde ontem 😀 C-000001", "João é [CUSTOMER_NUMBER_1] desde ontem 😀 [CUSTOMER_NUMBER_2]"),
        (
            "C‑123456 with another hyphen, C-１２３４５６ in wide digits",
            "[CUSTOMER_NUMBER_1] with another hyphen, [CUSTOMER_NUMBER_1] in wide digits",
        ),
        ("C-12\u200b3456", "[CUSTOMER_NUMBER_1]"),
        ("XC-123456 C-1234567", "XC-123456 C-1234567"),
        ("Order 123456 is late", "Order [ORDER ****] is late"),
        ("O PEDIDO é 123456", "O PEDIDO é [ORDER ****]"),
        ("Room 123456 is cold", "Room 123456 is cold"),
        ("orders 123456", "orders 123456"),
        ("order" + " " * (CONTEXT_WINDOW + 1) + "123456", "order" + " " * (CONTEXT_WINDOW + 1) + "123456"),
    ],
)
def test_it_finds_what_the_pattern_says_and_where_the_words_stand(redactor: Redactor, text: str, redacted: str) -> None:
    assert redact(redactor, text) == redacted
    assert redact(redactor, redacted) == redacted, "redacted once more it stays"


def test_numbers_of_labels_that_stand_there_are_given_to_nobody_else(redactor: Redactor) -> None:
    assert redact(redactor, "[CUSTOMER_NUMBER_1] met C-123456") == "[CUSTOMER_NUMBER_1] met [CUSTOMER_NUMBER_2]"


def test_a_label_is_no_place_to_hide(redactor: Redactor) -> None:
    wide = RedactionRules().with_recognizers((CustomRecognizer("WORD", "[A-Za-z_]{3,60}", (), Action.REPLACE),))
    assert redact(redactor, "[CUSTOMER_NUMBER_1] abc", wide) == "[[WORD]1] [WORD]", "a label of nobody is text"
    assert redact(redactor, "mail ana@example.com [EMAIL_1]", wide).count("[EMAIL_1]") == 1


def test_what_an_org_looks_for_is_not_shielded_by_what_it_keeps(redactor: Redactor) -> None:
    rules = RULES.with_overrides({EMAIL_ADDRESS: "keep"})
    assert redact(redactor, "C-123456 or ana@example.com", rules) == "[CUSTOMER_NUMBER_1] or ana@example.com"
    assert "123456" not in redact(redactor, "write to C-123456@example.com", rules)


def test_a_secret_stays_a_secret_around_it(redactor: Redactor) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    rules = RedactionRules().with_recognizers((CustomRecognizer("PART", "a1B2c3"),))
    assert redact(redactor, f"use {token} now", rules) == "use [API_KEY] now"


def test_a_brain_may_keep_what_the_org_looks_for_and_the_reverse(redactor: Redactor) -> None:
    assert redact(redactor, "C-123456", RULES.with_overrides({"CUSTOMER_NUMBER": "keep"})) == "C-123456"
    kept = RedactionRules().with_recognizers((CustomRecognizer("CUSTOMER_NUMBER", r"\bC-[0-9]{6}\b", (), Action.KEEP),))
    assert redact(redactor, "C-123456", kept) == "C-123456"
    assert redact(redactor, "C-123456", kept.with_overrides({"CUSTOMER_NUMBER": "replace"})) == "[CUSTOMER_NUMBER]"


def test_it_is_found_in_data_and_refused_in_identifiers(redactor: Redactor) -> None:
    data = redactor.redact_json({"order": 123456, "who": ["C-123456"]}, rules=RULES, key=KEY, field="data")
    assert data.value == {"order": "[ORDER ****]", "who": ["[CUSTOMER_NUMBER_1]"]}
    with pytest.raises(PersonalDataInIdentifier):
        redactor.redact_json({"C-123456": 1}, rules=RULES, key=KEY, field="data")
    with pytest.raises(PersonalDataInIdentifier):
        redactor.check_identifier("clients/C-123456", "topic", RULES)
    redactor.check_identifier("clients/C-123456", "topic")
    redactor.check_identifier("clients/C-123456", "topic", RULES.with_overrides({"CUSTOMER_NUMBER": "keep"}))


def test_lines_of_a_notebook_are_redacted_too(redactor: Redactor) -> None:
    assert redactor.redact_lines("- C-123456\n- tea", rules=RULES, key=KEY, field="text") == "- [CUSTOMER_NUMBER_1]\n- tea"


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.sampled_from(["C-123456", "order 123456", "[CUSTOMER_NUMBER_7]"]))
def test_redacted_text_passes_unchanged(redactor: Redactor, around: str, inside: str) -> None:
    once = redact(redactor, f"{around} {inside} {around}")
    assert redact(redactor, once) == once
    assert "C-123456" not in once


@given(st.integers(0, 3 * WINDOW), st.sampled_from(["x", "word ", "é", "1 "]))
def test_a_match_is_found_wherever_windows_end(before: int, filler: str) -> None:
    text = (filler * (before // len(filler) + 1))[:before] + " C-123456 " + filler * WINDOW
    found = {(f.start, f.end) for f in find_custom(text, [NUMBER])}
    assert found == {(before + 1, before + 9)}


@pytest.mark.parametrize("pattern", [r"a(.*z)?", r"(a+)+b", r"(a|aa)+b", r"([a-z]+)*1", r"(.*a){12}b", r"[a-z]{1,400}[0-9]{1,400}"])
def test_no_pattern_takes_more_than_linear_time(pattern: str) -> None:
    recognizer = CustomRecognizer("SLOW", pattern)
    recognizer.check("redaction.recognizers.SLOW")

    def seconds(size: int) -> float:
        began = time.perf_counter()
        for _ in recognizer.find("a" * size):
            pass
        return time.perf_counter() - began

    seconds(WINDOW)
    short = min(seconds(4 * WINDOW) for _ in range(3))
    assert seconds(32 * WINDOW) < 8 * short * 4 + 0.05, "eight times the text, and room for a busy machine"


@pytest.mark.parametrize(
    ("recognizer", "field"),
    [
        (CustomRecognizer("customer", "x"), "r"),
        (CustomRecognizer("NUMBER_", "x"), "r"),
        (CustomRecognizer("ROOM_1", "x"), "r"),
        (CustomRecognizer("EMAIL_ADDRESS", "x"), "r"),
        (CustomRecognizer("EMAIL", "x"), "r"),
        (CustomRecognizer("FINE", ""), "r.pattern"),
        (CustomRecognizer("FINE", "x" * 257), "r.pattern"),
        (CustomRecognizer("FINE", "(x"), "r.pattern"),
        (CustomRecognizer("FINE", "x*"), "r.pattern"),
        (CustomRecognizer("FINE", r"\b"), "r.pattern"),
        (CustomRecognizer("FINE", "(?<=x)y"), "r.pattern"),
        (CustomRecognizer("FINE", r"(x)\1"), "r.pattern"),
        (CustomRecognizer("FINE", ".{1,1000}.{1,1000}"), "r.pattern"),
        (CustomRecognizer("FINE", "x\ud800"), "r.pattern"),
        (CustomRecognizer("FINE", "x", (" ",)), "r.context[0]"),
        (CustomRecognizer("FINE", "x", ("y",) * 21), "r.context"),
    ],
)
def test_what_cannot_be_one_is_refused_and_not_repeated(recognizer: CustomRecognizer, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        recognizer.check("r")
    assert refused.value.field == field
    assert len(recognizer.pattern) < 2 or recognizer.pattern not in str(refused.value)


def test_a_type_of_the_product_wins_over_one_that_an_org_had_first() -> None:
    old = CustomRecognizer("BR_CPF", "x")
    assert RedactionRules().with_known_recognizers((old,)).actions.keys() == ENTITIES.keys()
