"""The policy as a file: its example, and the line of whatever is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from api.policy_yaml import BYTES_MAX, PolicyFileInvalid, parse_policy, write_policy
from api.schemas import policy_sections as sections
from api.schemas.policy import PolicyRequest
from governance.policy.document import NO_DOCUMENT, READS
from governance.policy.effective import effective
from governance.policy.keeping import KINDS_KEPT
from governance.policy.screening import BRAIN_KINDS, EFFECTS
from governance.policy.sections import SECTIONS
from governance.trust import Trust

EXAMPLE = Path(__file__).parents[3] / "docs/examples/policy.yaml"
BRAIN = "019b76da-a800-7000-8000-0000000000b1"
FULL = f"""
redaction:
  actions: {{EMAIL_ADDRESS: mask}}
  brains:
    {BRAIN}: {{CUSTOMER_NUMBER: keep}}
  recognizers:
    CUSTOMER_NUMBER: {{pattern: '\\bC-[0-9]{{6}}\\b', context: [customer], action: replace}}
screening:
  thresholds: {{moderate: 0.4}}
  by_trust: {{tool: {{moderate: 0.3, high: 0.6}}}}
  review:
    - {{name: payments, findings: [payment_redirection], trust: agent, brains: [room], effect: reject}}
trust: {{personal_brains_hold: agent}}
memory: {{extraction: {{enabled: [], tokens_per_day: 5}}, front_entries: 3}}
retention: {{recalls_days: 0, memories_days: {{episodic: 30}}}}
legal_hold: {{brains: [{BRAIN}]}}
audit: {{reads: best_effort}}
expected_version: 4
"""


def problems_of(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(PolicyFileInvalid) as invalid:
        parse_policy(text.encode())
    return [(each.line, each.path, each.reason) for each in invalid.value.problems]


def test_the_example_names_every_key_and_is_the_defaults() -> None:
    written = yaml.safe_load(EXAMPLE.read_text())
    assert written == effective(NO_DOCUMENT)
    assert tuple(written) == SECTIONS
    assert parse_policy(EXAMPLE.read_bytes()).document().compile(0) == NO_DOCUMENT.compile(0)


def test_what_is_written_reads_back_as_the_same() -> None:
    request = parse_policy(FULL.encode())
    document = request.document()
    again = parse_policy(write_policy(document.to_json() | {name: {} for name in SECTIONS if name not in document.to_json()}, "x").encode())
    assert again.document() == document
    filled = PolicyRequest.model_validate(effective(document)).document()
    assert filled.compile(4) == document.compile(4)
    assert (request.expected_version, type(document).from_json(document.to_json())) == (4, document)


def test_a_policy_that_says_nothing_is_one() -> None:
    assert parse_policy(b"{}").document() == NO_DOCUMENT
    assert write_policy({name: {} for name in SECTIONS}, "version 0") == "# version 0\n{}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("redaction:\n  actions:\n    EMAIL_ADRESS: mask\n", (3, "redaction.actions.EMAIL_ADRESS", "unknown entity type")),
        (
            "redaction:\n  actions:\n    EMAIL_ADDRESS: shout\n",
            (3, "redaction.actions.EMAIL_ADDRESS", "'replace', 'pseudonymise', 'mask' or 'keep'"),
        ),
        ("redaction:\n  actions:\n    API_KEY: keep\n", (3, "redaction.actions.API_KEY", "is a secret")),
        ("redaction:\n  action: {}\n", (2, "redaction.action", "unknown key; known: actions, brains, recognizers")),
        ("memory:\n  extraction:\n    enable: []\n", (3, "memory.extraction.enable", "known: enabled, tokens_per_day")),
        ("screening:\n  review:\n    - name: abc\n      effect: allow\n", (4, "screening.review[0].effect", "'flag', 'hold' or 'reject'")),
        (
            "screening:\n  review:\n    - name: abc\n      effect: hold\n      kind: x\n",
            (5, "screening.review[0].kind", "known: name, effect"),
        ),
        ("screening:\n  thresholds:\n    moderate: 0.99\n", (3, "screening.thresholds.moderate", "less than or equal to 0.9")),
        ("screening:\n  thresholds:\n    moderate: high\n", (3, "screening.thresholds.moderate", "valid number")),
        ("trust: {}\n\ntrust: {}\n", (3, "trust", "twice")),
        ("trust:\n  personal_brains_hold: nobody\n", (2, "trust.personal_brains_hold", "'none', 'web'")),
        ("retention:\n  recalls_days: '30'\n", (2, "retention.recalls_days", "valid integer")),
        ("legal_hold:\n  brains:\n    - x\n", (3, "legal_hold.brains[0]", "must be a UUID")),
        ("audit:\n  reads: 2026-01-01\n", (2, "audit.reads", "in quotes")),
        ("audit: &a {}\ntrust: *a\n", (2, "", "aliases")),
        ("audit: !!python/name:os.system {}\n", (1, "audit", "in quotes")),
        ("1: {}\n", (1, "body", "must be a name")),
        ("audit:\n\t reads: required\n", (2, "", "not YAML")),
        ("audit: {}\n--- \n{}\n", (2, "", "not YAML")),
        ("", (1, "", "says nothing")),
        ("- redaction\n", (1, "body", "dictionary")),
        ("redaction:\n  recognizers:\n    ROOM:\n      pattern: '(x'\n", (4, "redaction.recognizers.ROOM.pattern", "RE2")),
        ("redaction:\n  recognizers:\n    ROOM:\n      pattern: 'x*'\n", (4, "redaction.recognizers.ROOM.pattern", "no character")),
        ("redaction:\n  recognizers:\n    room: {pattern: x}\n", (3, "redaction.recognizers.room", "A-Z and _")),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, expected: tuple[int, str, str]) -> None:
    (line, path, reason), *further = problems_of(text)
    assert (line, path) == expected[:2], (line, path, reason)
    assert expected[2] in reason
    assert not further


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_lines() -> None:
    found = problems_of("audit: {read: x}\nredaction:\n  actions: {PHONE_NUMBER: x, EMAIL_ADDRESS: y}\ntrust: []\n")
    assert [line for line, _, _ in found] == [1, 3, 3, 4]


def test_bytes_that_are_no_text_and_files_without_end_are_refused() -> None:
    for content, line in ((b"audit: {}\ntrust: \xff\n", 2), (b"#" * (BYTES_MAX + 1), 1), (b"[" * 5_000, 1)):
        with pytest.raises(PolicyFileInvalid) as invalid:
            parse_policy(content)
        assert invalid.value.problems[0].line == line


@settings(max_examples=30)
@given(st.sampled_from(["pattern", "context", "surprise", "action"]), st.from_regex(r"zq[a-z0-9(\[]{7,19}1", fullmatch=True))
def test_no_error_repeats_what_a_file_says(name: str, said: str) -> None:
    text = f"redaction:\n  recognizers:\n    ROOM:\n      pattern: 'x'\n      more: 1\n      {name}: '{said}'\n    {said!r}: {{}}\n"
    assert not [problem for problem in problems_of(text) if said in problem[2] or said in problem[1]]


@pytest.mark.parametrize(
    ("labels", "known"),
    [
        (sections.TrustLevel, [level.label for level in Trust]),
        (sections.HoldUpTo, ["none", *(level.label for level in Trust)]),
        (sections.BrainKindName, BRAIN_KINDS),
        (sections.EffectName, EFFECTS),
        (sections.KeptKind, KINDS_KEPT),
        (sections.Reads, READS),
    ],
)
def test_labels_of_the_schema_are_those_of_the_rules(labels: Any, known: list[str]) -> None:
    assert list(get_args(labels)) == list(known)
