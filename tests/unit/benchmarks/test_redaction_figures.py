from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import pytest

from benchmarks.redaction import judge
from benchmarks.redaction_figures import Judged, Replaced, by_name, by_type, hard_negatives, headline, leaks, survivors
from benchmarks.redaction_sets import ACCEPTED, SECRETS, Gold, Record, load_records
from benchmarks.redaction_speed import texts_of
from governance.redaction.entities import BR_CPF, EMAIL_ADDRESS, ENTITIES, PHONE_NUMBER
from governance.redaction.findings import Action

TEXT = "cpf 529.982.247-25 mail ana@example.com"
CPF = Gold(4, 18, "CPF", ACCEPTED["CPF"])
MAIL = Gold(24, 39, "EMAIL_ADDRESS", ACCEPTED["EMAIL_ADDRESS"])


def judged(*replaced: Replaced, gold: tuple[Gold, ...] = (CPF, MAIL), negative: bool = False) -> Judged:
    return Judged(Record("1", "pt", TEXT, gold, negative), replaced)


@pytest.mark.parametrize(
    ("gold", "replaced", "leaked"),
    [
        (CPF, [(4, 18)], False),
        (CPF, [], True),
        (CPF, [(9, 18)], False),  # 529.9 : four digits
        (CPF, [(10, 18)], True),  # 529.98 : five
        (MAIL, [(24, 36)], False),  # com : three characters
        (MAIL, [(24, 35)], True),  # .com
        (MAIL, [(0, 26), (29, 39)], False),
        (Gold(4, 8, "BANK_AGENCY", ACCEPTED["BANK_AGENCY"]), [], True),  # short, but all of it
        (Gold(4, 8, "BANK_AGENCY", ACCEPTED["BANK_AGENCY"]), [(4, 5)], False),
    ],
)
def test_a_leak_is_four_characters_or_five_digits_or_everything(gold: Gold, replaced: list[tuple[int, int]], *, leaked: bool) -> None:
    assert leaks(TEXT, gold, [Replaced(BR_CPF, *span) for span in replaced]) is leaked


def test_survivors_are_the_pieces_between_replacements() -> None:
    assert survivors(TEXT, CPF, [Replaced(BR_CPF, 0, 5), Replaced(BR_CPF, 8, 11), Replaced(BR_CPF, 17, 30)]) == ["29.", ".247-2"]


def test_headline_counts_characters_outside_all_gold_spans() -> None:
    figures = headline([judged(Replaced(BR_CPF, 4, 18), Replaced(PHONE_NUMBER, 19, 24))])
    assert figures == {"leak_rate": 0.5, "over_redaction": 0.5, "false_positive_rate": None}
    negative = judged(Replaced(PHONE_NUMBER, 0, 3), gold=(), negative=True)
    assert headline([negative, judged(gold=(), negative=True)])["false_positive_rate"] == 0.5
    assert hard_negatives([negative]) == {"1": ["PHONE_NUMBER"]}


def test_kept_types_are_in_no_headline() -> None:
    kept = Gold(0, 3, "PERSON", frozenset())
    assert headline([judged(gold=(kept,))])["leak_rate"] is None
    assert by_type([judged(gold=(kept,))]) == {}
    assert by_name([judged(gold=(kept,))]) == {"PERSON pt (kept)": {"spans": 1, "recall": 0.0, "leak_rate": 1.0}}


def test_precision_recall_and_f2_go_by_type_and_language() -> None:
    rows = by_type([judged(Replaced(BR_CPF, 4, 18), Replaced(PHONE_NUMBER, 24, 39))])
    assert rows["BR_CPF pt"] == {"precision": 1.0, "recall": 1.0, "f2": 1.0, "found": 1, "missed": 0, "false": 0}
    assert rows["EMAIL_ADDRESS pt"]["recall"] == 0.0
    assert rows["PHONE_NUMBER pt"] == {"precision": 0.0, "recall": None, "f2": 0.0, "found": 0, "missed": 0, "false": 1}
    half = by_type([judged(Replaced(BR_CPF, 4, 18)), judged(Replaced(EMAIL_ADDRESS, 24, 39)), judged(Replaced(BR_CPF, 24, 39))])
    assert half["BR_CPF pt"] == {"precision": 0.5, "recall": 0.3333, "f2": 0.3571, "found": 1, "missed": 2, "false": 1}


def test_a_span_found_under_another_type_does_not_leak_but_is_missed() -> None:
    row = by_name([judged(Replaced(PHONE_NUMBER, 4, 18), gold=(CPF,))])["CPF pt"]
    assert row == {"spans": 1, "recall": 0.0, "leak_rate": 0.0}


def test_the_table_names_replaced_types_only() -> None:
    accepted = {entity for types in ACCEPTED.values() for entity in types}
    assert accepted | SECRETS == {entity for entity, spec in ENTITIES.items() if spec.default is not Action.KEEP}


def test_folders_are_read_and_judged_end_to_end(tmp_path: Path) -> None:
    personal = {
        "id": "p",
        "lang": "pt",
        "text": TEXT,
        "spans": [{"start": 4, "end": 18, "entity": "CPF"}, {"start": 0, "end": 3, "entity": "PERSON"}],
    }
    clean = {"id": "n", "lang": "en", "text": "at 10:30", "spans": [], "kind": "hard_negative"}
    secret = {
        "id": "s",
        "lang": "en",
        "label": "secret",
        "entity": "KEY",
        "text_b64": b64encode(b"use AKIAIOSFODNN7EXAMPLE").decode(),
        "span": [4, 24],
    }
    benign = {"lang": "en", "label": "benign", "entity": None, "text_b64": b64encode(b"nothing").decode(), "span": None}
    (tmp_path / "records.jsonl").write_text("\n".join(map(json.dumps, (personal, clean, secret, benign))), encoding="utf-8")
    records = load_records(tmp_path)
    assert [record.hard_negative for record in records] == [False, True, False, True]
    found = judge(records)
    assert [[(span.entity, j.record.text[span.start : span.end]) for span in j.replaced] for j in found] == [
        [("BR_CPF", "529.982.247-25"), ("EMAIL_ADDRESS", "ana@example.com")],
        [],
        [("API_KEY", "AKIAIOSFODNN7EXAMPLE")],
        [],
    ]
    assert headline(found)["leak_rate"] == 0.0


def test_texts_to_time_have_the_wanted_length() -> None:
    texts = texts_of(["one two three", "four five"], 4)
    assert len(texts) == 60
    assert {len(text.split()) for text in texts} == {4}
    assert texts[0] == "one two three four"
