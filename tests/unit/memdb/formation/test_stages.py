"""Stages grow: each keeps what the one before knew, and a step that forgets its part does not make one."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import pytest

from governance.inspection.signals import Signal
from memdb.formation.stages import Authorised, Decided, Drafted, Embedded, Enriched, Inspected, Redacted, Scoped, grow
from memdb.models.memory import Kind
from memdb.models.submission import Submission
from tests.support.memories import BRAIN, NOW, make_principal

ORDER: tuple[type[Redacted], ...] = (Redacted, Inspected, Enriched, Scoped, Embedded, Drafted, Decided)


def test_each_stage_adds_to_the_one_before() -> None:
    for before, after in pairwise(ORDER):
        assert issubclass(after, before)
        assert {f.name for f in fields(before)} < {f.name for f in fields(after)}


def test_raw_text_ends_at_redaction() -> None:
    assert "submission" in {f.name for f in fields(Authorised)}
    assert "submission" not in {f.name for f in fields(Redacted)}


def test_grow_keeps_every_field_and_needs_every_new_one(redacted: Redacted) -> None:
    grown = grow(Inspected, redacted, signals=())
    assert {f.name: getattr(grown, f.name) for f in fields(Redacted)} == {f.name: getattr(redacted, f.name) for f in fields(Redacted)}
    with pytest.raises(TypeError):
        grow(Inspected, redacted)
    with pytest.raises(TypeError):
        grow(Scoped, grown)
    with pytest.raises(TypeError):
        grow(Inspected, redacted, signals=(), surprise=1)


def test_stages_are_values(redacted: Redacted) -> None:
    signals: tuple[Signal, ...] = ()
    assert grow(Inspected, redacted, signals=signals) == grow(Inspected, redacted, signals=signals)
    with pytest.raises(AttributeError):
        redacted.kind = Kind.EPISODIC  # type: ignore[misc]  # the point of the test


def test_no_stage_shows_raw_text_when_printed() -> None:
    raw = Submission("the secret is swordfish", Kind.SEMANTIC, topic="swordfish", tags=("swordfish",), data={"a": "swordfish"})
    authorised = Authorised(principal=make_principal(), submission=raw, brain_id=BRAIN, now=NOW)
    assert "swordfish" not in repr(authorised)
