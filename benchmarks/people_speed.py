"""How long a card, a topic, a unit and a grep take, in process, against the least that this database can do for the same reply.

- *by key*: `memories.list_by_id` of exactly the rows that the reply shows, in a transaction under the same identity and settings.
- *LIKE by hand*: sql/by_hand.sql under the same, with the same limit; no order, no seal, no second look.

Both answer in turn, in changing order, in one run; figures are p50 over p50.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from rich.progress import track

from benchmarks.harness import Bench, open_bench, percentile, reader_of, writer_of
from benchmarks.synthetic import KINDS_OF_THING, THINGS, Said, make_texts, submissions
from governance.scopes import readable_by
from memdb.directory.authentication import Authenticated
from memdb.directory.subjects import SubjectRequest, create_subject
from memdb.formation.pipeline import Writer, form
from memdb.lifecycle.units import UnitWrite, read_unit, write_unit
from memdb.lifecycle.upkeep import run_once
from memdb.models.memory import Kind, Placement
from memdb.models.submission import Submission
from memdb.storage import memories
from memdb.storage.database import identity_of
from memdb.storage.statements import load
from memdb.storage.subjects import SubjectKind
from retrieval.engine import Reader
from retrieval.people.card import read_card
from retrieval.people.folder import Wanted
from retrieval.people.grep import GrepRequest, grep
from retrieval.topics import TopicQuery, query_topic

BATCH: Final = 200
LANES: Final = 3
BRAINS: Final = 20
PEOPLE: Final = 10
"""In each brain."""
TOPICS: Final = 100
"""In each brain, two levels deep."""
UNITS: Final = 10
"""In each brain."""
FRONT: Final = 8
"""Memories that are told to stand at the front of each card; the drawer has the rest."""
ASKED: Final = 100
GREPPED: Final = 10
"""Of each kind: one takes a hundred times as long as a card."""
WARM_UP: Final = 10
GREP_LIMIT: Final = 50
BY_KEY_BAR: Final = 2.0
LIKE_BAR: Final = 5.0

_STATEMENTS = load("benchmarks.sql")
_MODES: Final = {"literal": (False, False), "fold": (False, True), "regex": (True, False), "regex and fold": (True, True)}

Work = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Stage:
    """What was written. `people` by brain; `hoarder` has all the notes, in a brain alone; `units`: brain and id."""

    bench: Bench
    who: Authenticated
    brains: Sequence[UUID]
    people: Sequence[Sequence[UUID]]
    hoarder: UUID
    notes_brain: UUID
    units: Sequence[tuple[UUID, UUID]]
    notes: Sequence[Said]

    @property
    def reader(self) -> Reader:
        return reader_of(self.who)

    @property
    def writer(self) -> Writer:
        return writer_of(self.who)


@dataclass(slots=True)
class Taken:
    """Milliseconds by turn."""

    ours: list[float] = field(default_factory=list)
    least: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """p50 of both and their ratio."""
        ours, least = percentile(self.ours, 0.5), percentile(self.least, 0.5)
        return {"ratio": round(ours / least, 3), "ours_ms": round(ours, 3), "least_ms": round(least, 3), "asked": len(self.ours)}


async def measure_speed(count: int, notes: int) -> dict[str, Any]:
    """Figures at `count` memories, of which one subject has `notes`."""
    async with open_bench(embedding_provider="hashing", statement_timeout_ms=60_000) as bench:
        started = time.perf_counter()
        stage = await _write(bench, make_texts(count), notes)
        written = time.perf_counter() - started
        contests = {
            "card": await _cards(stage, [person for people in stage.people for person in people]),
            "card of the hoarder": await _cards(stage, [stage.hoarder]),
            **{f"topic, {how}": await _topics(stage, how) for how in ("exact", "prefix", "words")},
            "unit": await _units(stage),
            **{f"grep, {mode}, {what}": await _grep(stage, mode, what) for mode in _MODES for what in ("unique", "rare", "common")},
        }
    return {"memories": count, "notes": notes, "writing_s": round(written, 1), "p50": contests}


def worst(figures: dict[str, Any], name: str) -> float:
    """The largest ratio of the contests whose name begins so; the hoarder's card stands apart."""
    return max(float(row["ratio"]) for contest, row in figures["p50"].items() if contest == name or contest.startswith(f"{name}, "))


# ---------------------------------------------------------------------------------------------------------------- writing
async def _write(bench: Bench, said: Sequence[Said], notes: int) -> Stage:
    who = await bench.enter()
    brains = [await bench.make_brain(f"brain {n}") for n in range(BRAINS)]
    notes_brain = await bench.make_brain("notes")
    people = [[await _person(bench, who, f"Person {n} of {brain}") for n in range(PEOPLE)] for brain in range(BRAINS)]
    hoarder = await _person(bench, who, "Hoarder")
    who = await bench.enter()
    rows = [*_spread(said[notes:], brains, people), *_notes(said[:notes], notes_brain, hoarder)]
    # Batches of different people at once: while one of them is stored the next is read.
    lanes = [rows[lane * len(rows) // LANES : (lane + 1) * len(rows) // LANES] for lane in range(LANES)]
    for start in track(range(0, len(lanes[-1]), BATCH), description="writing"):
        await asyncio.gather(*(form(bench.runtime, writer_of(who), part) for lane in lanes if (part := lane[start : start + BATCH])))
    units = [unit for brain in brains for unit in [await _unit(bench, who, brain, n) for n in range(UNITS)]]
    while (await run_once(bench.runtime)).full:
        pass
    return Stage(bench, who, brains, people, hoarder, notes_brain, units, said[:notes])


async def _person(bench: Bench, who: Authenticated, name: str) -> UUID:
    return (await create_subject(bench.runtime, who, SubjectRequest(SubjectKind.PERSON, name))).row.id


def _spread(said: Sequence[Said], brains: Sequence[UUID], people: Sequence[Sequence[UUID]]) -> Iterator[Submission]:
    written = dict.fromkeys(brains, 0)
    for brain, submission in submissions(said, BRAINS):
        place = written[brains[brain]]
        written[brains[brain]] += 1
        placement = Placement.FRONT if place < FRONT * PEOPLE else Placement.DRAWER
        about = (people[brain][place % PEOPLE],)
        yield replace(submission, brain_id=brains[brain], topic=topic(place % TOPICS), about=about, placement=placement)


def _notes(said: Sequence[Said], brain: UUID, hoarder: UUID) -> Iterator[Submission]:
    for place, item in enumerate(said):
        placement = Placement.FRONT if place < FRONT else Placement.DRAWER
        yield Submission(item.text, Kind.SEMANTIC, brain_id=brain, topic=topic(place % TOPICS), about=(hoarder,), placement=placement)


async def _unit(bench: Bench, who: Authenticated, brain: UUID, number: int) -> tuple[UUID, UUID]:
    submission = Submission(f"What unit {number} holds", Kind.SEMANTIC, brain_id=brain, topic=topic(number))
    (receipt,) = (await write_unit(bench.runtime, writer_of(who), UnitWrite(submission))).outcomes
    assert not isinstance(receipt, Exception), "a unit is written"
    return brain, receipt.id


def topic(number: int) -> str:
    """The topics of a brain: some things, each in several kinds.

    >>> topic(0).count("/")
    1
    """
    return f"{THINGS[number // len(KINDS_OF_THING)]}/{KINDS_OF_THING[number % len(KINDS_OF_THING)]}"


# --------------------------------------------------------------------------------------------------------------- contests
async def _cards(stage: Stage, people: Sequence[UUID]) -> dict[str, Any]:
    pairs = []
    for number in range(ASKED + WARM_UP):
        wanted = Wanted(people[number % len(people)])
        shown = [entry.memory.id for entry in (await read_card(stage.bench.runtime, stage.reader, wanted)).entries]
        pairs.append((_bound(read_card, stage.bench.runtime, stage.reader, wanted), _bound(_by_key, stage, shown)))
    return await _contest(pairs) | {"rows": len(shown)}


async def _topics(stage: Stage, how: str) -> dict[str, Any]:
    pairs, rows = [], 0
    for number in range(ASKED + WARM_UP):
        thing, kind = topic(number % TOPICS).split("/")
        asked = {"exact": f"{thing}/{kind}", "prefix": thing, "words": kind}[how]
        query = TopicQuery(stage.brains[number % BRAINS], asked)
        shown = [pointer.id for pointer in (await query_topic(stage.bench.runtime, stage.reader, query)).pointers]
        pairs.append((_bound(query_topic, stage.bench.runtime, stage.reader, query), _bound(_by_key, stage, shown)))
        rows = len(shown)
    return await _contest(pairs) | {"rows": rows}


async def _units(stage: Stage) -> dict[str, Any]:
    async def read(brain: UUID, unit: UUID) -> object:
        return await read_unit(stage.bench.runtime, stage.writer, brain, unit)

    chosen = [stage.units[number % len(stage.units)] for number in range(ASKED + WARM_UP)]
    return await _contest([(_bound(read, brain, unit), _bound(_by_key, stage, [unit])) for brain, unit in chosen])


async def _grep(stage: Stage, mode: str, what: str) -> dict[str, Any]:
    regex, folded = _MODES[mode]
    wanted, pairs = Wanted(stage.hoarder), []
    for text in patterns(stage.notes, what, GREPPED + 2):
        request = GrepRequest(rf"\b{text}\b" if regex else text, regex, folded, None, GREP_LIMIT)
        pairs.append((_bound(grep, stage.bench.runtime, stage.reader, wanted, request), _bound(_like, stage, text)))
    found = await grep(stage.bench.runtime, stage.reader, wanted, request)
    return await _contest(pairs, warm_up=2) | {"rows": len(found.lines), "searched": found.searched, "truncated": found.truncated}


def patterns(notes: Sequence[Said], what: str, count: int) -> list[str]:
    """Texts to look for: in one note, in a few of them, or in many. As many as wanted, again and again where there are fewer.

    >>> patterns([Said("Ana lost the key of Zola in Turin, number 3", "where?")], "rare", 2)
    ['Zola', 'Zola']
    """
    step = max(1, len(notes) // count)
    chosen = [item.text for item in notes[::step]]
    drawn = {
        "unique": [text[text.index("number") :] for text in chosen],
        "rare": [text.partition(" of ")[2].split(" ")[0] for text in chosen],
        "common": list(THINGS[:8]),
    }[what]
    return [drawn[number % len(drawn)] for number in range(count)]


async def _by_key(stage: Stage, ids: Sequence[UUID]) -> None:
    runtime, scope = stage.bench.runtime, readable_by(stage.who.principal, stage.who.access)
    async with runtime.database.read(identity_of(stage.who.principal)) as conn:
        await memories.list_by_id(conn, scope, ids, runtime.keyring)


async def _like(stage: Stage, text: str) -> None:
    scope = readable_by(stage.who.principal, stage.who.access)
    bound = {"org_id": scope.org_id, "brain_ids": list(scope.brain_ids), "member_ids": [stage.hoarder]}
    async with stage.bench.runtime.database.read(identity_of(stage.who.principal)) as conn:
        rows = await conn.execute(_STATEMENTS["like_by_hand"].clause, bound | {"pattern": f"%{text}%", "limit": GREP_LIMIT})
        rows.all()


def _bound(work: Callable[..., Awaitable[Any]], *arguments: object) -> Work:
    return lambda: work(*arguments)


async def _contest(pairs: Sequence[tuple[Work, Work]], warm_up: int = WARM_UP) -> dict[str, Any]:
    taken, warm = Taken(), Taken()
    for turn, (ours, least) in enumerate(pairs):
        into = warm if turn < warm_up else taken
        order = ((ours, into.ours), (least, into.least))
        for work, times in order if turn % 2 else reversed(order):
            started = time.perf_counter()
            await work()
            times.append((time.perf_counter() - started) * 1000)
    return taken.figures()
