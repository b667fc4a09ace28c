"""Receipts as they are kept for replays: everything comes back but what is text."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from governance.errors import InvalidInput, PersonalDataInIdentifier, PolicyRejected, ServiceError
from memdb.errors import AlreadyExists, VersionConflict
from memdb.formation.batch import Batch
from memdb.formation.receipts import replayed, result_json
from memdb.formation.stages import Receipt
from memdb.models.memory import Placement, StoredRedaction, WriteAction

TOKEN = "linkable-token"
names = st.text("abc_.", min_size=1, max_size=12)
redactions = st.builds(
    StoredRedaction, field=names, entity=names, action=names, start=st.integers(0, 99), end=st.integers(0, 99), token=st.just(TOKEN)
)
receipts = st.builds(
    Receipt,
    id=st.uuids(),
    version=st.integers(1, 99),
    action=st.sampled_from(WriteAction),
    status=st.sampled_from(["active", "held"]),
    brain_id=st.uuids(),
    placement=st.sampled_from(Placement),
    placement_reason=st.sampled_from(["given", "detail", "front_full"]),
    redactions=st.lists(redactions, max_size=3).map(tuple),
    reasons=st.lists(names, max_size=2).map(tuple),
    embedding=st.sampled_from(["stored", "kept", "pending"]),
    text_cut=st.booleans(),
    suggested_topic=st.just("people/ana"),
    replayed=st.just(False),
)
errors = st.sampled_from(
    [
        InvalidInput("bad", field="tags"),
        PersonalDataInIdentifier("no", field="topic"),
        PolicyRejected("no"),
        AlreadyExists("x"),
        VersionConflict("y"),
    ]
)


@given(st.lists(receipts | errors, max_size=5))
def test_a_request_comes_back_in_order(outcomes: list[Receipt | ServiceError]) -> None:
    kept = json.loads(json.dumps(result_json(Batch.of(outcomes).replaced(outcomes))))
    for before, after in zip(outcomes, replayed(kept).outcomes(), strict=True):
        if isinstance(before, ServiceError):
            assert (type(after), after.message, after.field) == (type(before), before.message, before.field)  # type: ignore[union-attr]  # compared first
        else:
            bare = tuple(replace(r, token=None) for r in before.redactions)
            assert after == replace(before, redactions=bare, suggested_topic=None, replayed=True)


@given(receipts)
def test_neither_tokens_nor_words_of_the_text_are_kept(receipt: Receipt) -> None:
    kept = json.dumps(result_json(Batch.of([receipt])))
    assert TOKEN not in kept
    assert "people/ana" not in kept
