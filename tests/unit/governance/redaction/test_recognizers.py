from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from governance.redaction.engine import Analyzer
from governance.redaction.entities import ENTITIES
from governance.redaction.findings import Action, EntityType
from governance.redaction.overlaps import disjoint
from governance.redaction.recognizers.base import Recognizer
from governance.redaction.recognizers.registry import RECOGNIZERS

CASES = [json.loads(line) for line in Path(__file__).with_name("recognizer_cases.jsonl").read_text("utf-8").splitlines()]
SECRET_CASES = [json.loads(line) for line in Path(__file__).with_name("secret_cases.jsonl").read_text("utf-8").splitlines()]
MIXED = "a1B2c3D4e5F6"

# `{A36}` in a secret case is 36 characters of one of these: written out they would set off secret scanners.
ALPHABETS = {
    "A": "q8Zt21LmN0pXw7Kc4Rb9Vy3Hs6Df5Gj", "a": "k3m9x2q7w1z8c4v6b5n0", "h": "7fae19830b5c2d64", "H": "7FAE19830B5C2D64",
    "d": "5380291746", "U": "ZDEG7XDN2CF3EPH5", "x": "x",
}  # fmt: skip
RANDOM_UUID = "7fae1983-0b5c-4d64-9e21-5c83a0f7b912"

TOKENS = {
    "github": "ghp_" + MIXED * 3,
    "github fine": "github_pat_" + MIXED * 5,
    "gitlab": "glpat-" + MIXED * 2,
    "slack": "xoxb-016659413468-3673221378325-" + MIXED * 2,
    "slack webhook": "https://hooks.slack.com/services/TNQR1G2IQ/BCVMLYFBDC9/" + MIXED * 2,
    "stripe": "sk_live_" + MIXED * 2,
    "openai": "sk-proj-" + MIXED * 6,
    "openai test": "sk-test-" + MIXED * 3,
    "openai short": "sk-test-000",
    "anthropic": "sk-ant-api03-" + MIXED * 6 + "AA",
    "google": "AIza" + MIXED * 2 + "a1B2c3D4e5F",
    "hugging face": "hf_" + MIXED * 3,
    "npm": "npm_" + MIXED * 3,
    "pypi": "pypi-AgEIcHlwaS5vcmc" + MIXED * 4,
    "sendgrid": "SG." + MIXED * 2 + "." + MIXED * 3,
    "telegram": "5380350679:AA" + MIXED * 2 + "z9Y8x7W6v5",
    "digitalocean": "dop_v1_" + "7fae1983" * 8,
    "supabase": "sb_secret_" + MIXED * 2,
    "mercado pago": "APP_USR-3803761072442339-696674-" + "06ca5d51" * 4 + "-697200969",
    "asaas": "$aact_prod_" + MIXED * 4,
    "azure": "DefaultEndpointsProtocol=https;AccountName=st1;AccountKey=" + MIXED * 6 + "==;EndpointSuffix=core.windows.net",
    "own key": "memdb_acme_01jd_" + MIXED * 3 + "abcdefg",
}


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer()


def found(analyzer: Analyzer, text: str) -> list[tuple[str, str]]:
    return [(finding.entity, text[finding.start : finding.end]) for finding in disjoint(analyzer.find(text))]


@pytest.mark.parametrize("case", CASES, ids=[f"{case['entity']}: {case['text'][:40]}" for case in CASES])
def test_table(analyzer: Analyzer, case: dict[str, object]) -> None:
    values = [value for entity, value in found(analyzer, str(case["text"])) if entity == case["entity"]]
    assert values == case["values"]


def written_out(text: str) -> str:
    def fill(match: re.Match[str]) -> str:
        if match[0] == "{u}":
            return RANDOM_UUID
        alphabet, length = ALPHABETS[match[1]], int(match[2])
        return (alphabet * (length // len(alphabet) + 1))[:length]

    return re.sub(r"\{(?:u|([AahHdUx])([0-9]+))\}", fill, text)


@pytest.mark.parametrize("case", SECRET_CASES, ids=[f"{case['entity'] or 'none'}: {case['text'][:40]}" for case in SECRET_CASES])
def test_secret_table(analyzer: Analyzer, case: dict[str, Any]) -> None:
    """The secrets of a text are exactly these, all of one type; other findings do not count."""
    secrets = [(entity, value) for entity, value in found(analyzer, written_out(case["text"])) if ENTITIES[EntityType(entity)].secret]
    assert secrets == [(case["entity"], written_out(value)) for value in case["values"]]


@pytest.mark.parametrize("kind", TOKENS)
def test_service_tokens_are_found_whole(analyzer: Analyzer, kind: str) -> None:
    token = TOKENS[kind]
    for text in (token, f"use {token}, please", f"export TOKEN={token}", f'{{"key": "{token}"}}', f"密钥{token}。"):
        assert found(analyzer, text) == [("API_KEY", token)], text


@pytest.mark.parametrize(
    "text", ["sk_test_your_key_here", "ghp_" + "x" * 36, "task-force-one-two-three-four-five", "risk-management-and-other-things"]
)
def test_placeholders_and_words_are_no_tokens(analyzer: Analyzer, text: str) -> None:
    assert found(analyzer, f"the placeholder is {text}") == []


def test_every_looked_for_type_is_known_and_not_kept_by_default() -> None:
    entities = {entity for recognizer in RECOGNIZERS for entity in recognizer.entities}
    assert entities <= set(ENTITIES)
    assert all(ENTITIES[entity].default is not Action.KEEP for entity in entities)


# A text is a start, a unit that is repeated, and an end.
HOSTILE = [
    ("", "a", "@"), ("", "a", ""), ("TOKEN=", "a1B2c3", ""),
    *(("", unit, "") for unit in (
        "1", "1 ", "a@", "a.b@", "a%40b.zz.", "password ", "password a b c d e ", ".", "-", "password:\\n", "FOO_KEY=", 'token="', "x://a:b@", "eyJa.",
        "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n", "-----END PRIVATE KEY-----\n", "MIIEpAIBAAKCAQEAxxxxxxxxxxxxxxxxxxxx\n", "+", "twilio token ",
        "<password>", 'key="password" ', "seed is one two three ", "curl -u ", " is my password", "password to ", "?sig=", "Endpoint=aAccountKey=", "password = = = ",
        "\\n", "authorization: basic ", "x://", "x://a:", "eyJ", "é", "cpf ", "rua ", "-----BEGIN PRIVATE KEY-----", "A1", " ", "\n", "$aact_", "pix ", "token=' ",
        "[EMAIL_1]", "::", "5.", "+1 ", "AccountKey=", "Endpoint=a", "log in with a / ", "log in as ", "user a, password ", "login a b c d e ", "credentials: a:b ",
        "the password is a b c d ", "password is monkey ", "password: monkey business ", "password a-a-a", "-a", "secret: a-", "a-", "password, it's ",
        "password changed to ", "senha: a ", "code of ", "access code a b c ", "safe code is ", "1-", "social ", "4111.", "0800 ", "at sign ", "a@localhost", 'version="',
    )),
]  # fmt: skip
SHORT, LONG = 2_000, 8_000  # characters: beyond the largest bound of a pattern
GROWTH_MAX = 10  # four times the text: linear work is 4 times as much, quadratic work 16 times
NOTHING = 0.001  # seconds of work below which growth says nothing; a quadratic pattern takes a hundred times that for LONG
TRIES = 6


def seconds(recognizer: Recognizer, parts: tuple[str, str, str], length: int) -> float:
    text = parts[0] + (parts[1] * length)[:length] + parts[2]
    started = time.process_time()
    for _ in recognizer.find(text):
        pass
    return time.process_time() - started


@pytest.mark.parametrize("recognizer", RECOGNIZERS, ids=lambda recognizer: str(recognizer.name))
def test_work_grows_with_the_length_of_a_hostile_text_and_no_faster(recognizer: Recognizer) -> None:
    """The least of several measurements counts, of this process's own work: a busy machine makes none of them smaller."""
    for parts in HOSTILE:
        short = long = float("inf")
        for _ in range(TRIES):
            long = min(long, seconds(recognizer, parts, LONG))
            if long <= GROWTH_MAX * NOTHING:
                break
            short = min(short, seconds(recognizer, parts, SHORT))
            if long <= GROWTH_MAX * short:
                break
        assert long <= GROWTH_MAX * max(short, NOTHING), (recognizer.name, parts)
