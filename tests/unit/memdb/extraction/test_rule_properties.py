"""What holds for any text: nothing raises, quotes are verbatim, nobody is made up, time is bounded."""

from __future__ import annotations

import time
from itertools import permutations
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdb.extraction.candidates import Candidate
from memdb.extraction.rules.registry import BY_KIND
from memdb.extraction.transcript import Transcript, TurnRole
from tests.unit.memdb.extraction.table_english import FACTS as ENGLISH
from tests.unit.memdb.extraction.table_portuguese import FACTS as PORTUGUESE
from tests.unit.memdb.extraction.talk import ANA, BOT, BRUNO, MIKE_L, MIKE_O, NAMES, said, talk, transcript, turn

SAID = [words for table in (ENGLISH, PORTUGUESE) for yes, no in table.values() for words in (*(one for one, _ in yes), *no)]
JOINTS = [" ", ", ", ". ", "\n", " and ", " e ", " but ", ' "', '" ', " (", ") ", ": ", " — ", "?", "! ", "😀", "\u0301", "\ufffc", "1) "]
WORDS = st.lists(
    st.one_of(st.sampled_from(SAID), st.sampled_from(JOINTS), st.sampled_from(sorted(NAMES)), st.text(max_size=12)), max_size=8
).map("".join)


def everything(room: Transcript) -> list[Candidate]:
    return [one for handler in BY_KIND.values() for one in handler(room)]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([ANA, BRUNO, MIKE_O, BOT, None]), WORDS), max_size=4))
def test_candidates_are_well_formed(lines: list[tuple[UUID | None, str]]) -> None:
    room = talk(*lines)
    known = {subject for subjects in NAMES.values() if len(subjects) == 1 for subject in subjects}
    for one in everything(room):
        first = room.utterances[one.evidence[0] - 1]
        assert one.quote
        assert one.quote in first.text
        assert one.said_by == first.speaker_id
        assert set(one.about) <= known | {first.speaker_id}
        assert MIKE_L not in one.about
        assert first.role is TurnRole.USER
        assert list(one.evidence) == sorted({*one.evidence})
        assert one.content is None or one.content.endswith(".")
        assert one.content is not None or one.ends


@settings(max_examples=150, deadline=None)
@given(WORDS, st.sampled_from([TurnRole.ASSISTANT, TurnRole.TOOL, TurnRole.SYSTEM]))
def test_no_other_role_says_anything(words: str, role: TurnRole) -> None:
    assert everything(transcript(turn(1, words, role=role))) == []


@settings(max_examples=150, deadline=None)
@given(WORDS)
def test_the_same_transcript_gives_the_same_candidates(words: str) -> None:
    assert everything(said(words)) == everything(said(words))


def test_the_order_of_unrelated_turns_does_not_matter() -> None:
    lines = [
        (ANA, "I'm vegan"),
        (BRUNO, "eu moro em Recife"),
        (ANA, "SLO stands for service level objective"),
        (BRUNO, "I went to Rome yesterday"),
    ]
    learned = {frozenset((one.content, one.about) for one in everything(talk(*order))) for order in permutations(lines)}
    assert len(learned) == 1
    assert len(next(iter(learned))) == 4


SHAPES = (
    "a ", "(", "[", '"', "“a", "`", "<!--", "```", ">", "'", "i ", "i am ", "i'm allergic to ", "i don't x ", "and ", "e ", "ana ", "1) x\n", "to do a thing: a, then ",
    "x: ", "so, ", "não ", "a, ", "k", "i went to a b ", "tomorrow ", "next friday ", "i have an exam tomorrow ", "= ", "a = ", "the a ", "the the is 1 ", "\n", "😀",
    "o que é ", "minha ", "a.", "1 ", "\u0301", "\u200b", "remember that a ", "I love a, ",
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_text_takes_bounded_time(shape: str) -> None:
    longest = (shape * 4_000)[:4_000]  # what is read at most
    started = time.perf_counter()
    everything(said(longest))
    everything(said((shape * 65_536)[:65_536]))
    assert time.perf_counter() - started < 1.0
