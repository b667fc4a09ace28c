"""Conversations of one org: with `about` or `audience` set, nothing of another speaker or conversation is among the first ten.

    each conversation a brain with its two speakers as readers, each speaker a subject, each observation about its speaker

A question is asked with a key that reads everything: with the speaker whom it names (else who said its evidence) as `about`, as `audience`,
and as both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.progress import track

from benchmarks.documents import lines
from benchmarks.harness import open_bench
from benchmarks.people_world import World
from benchmarks.serving import Client, served
from memdb.lifecycle.upkeep import run_once

LIMIT: Final = 10
WAYS: Final = ("about", "audience", "both")


@dataclass(slots=True)
class Foreign:
    """How many asks, how many were answered, and what was shown of others: question and memory id."""

    asked: int = 0
    answered: int = 0
    found: list[str] = field(default_factory=list)

    def count(self, question: str, evidence: Sequence[Mapping[str, Any]], about: str | None, brains: Collection[str] | None) -> None:
        """Look at the first ten. `about`: the subject that each must be about; `brains`: where each must come from."""
        self.asked += 1
        self.answered += bool(evidence)
        for hit in evidence[:LIMIT]:
            memory = hit["memory"]
            if (about is not None and about not in memory["about"]) or (brains is not None and memory["brain_id"] not in brains):
                self.found.append(f"{question}: {memory['id']}")

    def figures(self) -> dict[str, Any]:
        """For the JSON."""
        return {
            "asked": self.asked,
            "with_evidence": round(self.answered / max(1, self.asked), 4),
            "foreign_in_first_ten": len(self.found),
            "foreign": self.found,
        }


async def measure_isolation(folder: Path) -> dict[str, Any]:
    """Figures by way of asking."""
    conversations = {row["conv_id"]: row for row in lines(folder / "conversations.jsonl")}
    async with open_bench() as bench, served(bench) as root:
        world = World(root)
        for conversation, row in conversations.items():
            for speaker in row["speakers"]:
                await world.make_subject(f"{conversation}/{speaker}", {"kind": "person", "name": speaker})
            await world.make_brain(conversation, {f"{conversation}/{speaker}": "reader" for speaker in row["speakers"]})
        for number, row in enumerate(track(list(lines(folder / "observations.jsonl")), description="writing")):
            about = [world.subjects[f"{row['conv_id']}/{row['about']}"]]
            body = {"content": row["memory"], "kind": "semantic", "brain_id": world.brains[row["conv_id"]], "about": about}
            await world.write(root, str(number), body)
        while (await run_once(bench.runtime)).full:
            pass
        ways = {way: Foreign() for way in WAYS}
        for row in track(list(lines(folder / "questions.jsonl")), description="asking"):
            for speaker in speakers_of(row, conversations[row["conv_id"]]):
                await _ask(root, world, row, f"{row['conv_id']}/{speaker}", ways)
    return {"ways": {way: foreign.figures() for way, foreign in ways.items()}, "refused": world.refused}


async def _ask(client: Client, world: World, row: Mapping[str, Any], speaker: str, ways: Mapping[str, Foreign]) -> None:
    subject, brain = world.subjects[speaker], world.brains[row["conv_id"]]
    for way, foreign in ways.items():
        body: dict[str, object] = {"query": row["question"], "limit": LIMIT}
        body |= {"about": [subject]} if way != "audience" else {}
        body |= {"audience": [subject]} if way != "about" else {}
        reply = await client.post("/v1/memories/search", json=body)
        reply.raise_for_status()
        foreign.count(row["qid"], reply.json()["evidence"], subject if way != "audience" else None, {brain})


def speakers_of(question: Mapping[str, Any], conversation: Mapping[str, Any]) -> list[str]:
    """The speaker whom a question names, else who said its evidence, else both."""
    speakers: list[str] = conversation["speakers"]
    named = [speaker for speaker in speakers if re.search(rf"\b{re.escape(speaker)}\b", question["question"], re.IGNORECASE)]
    if len(named) == 1:
        return named
    said = {turn["turn_id"]: turn["speaker"] for session in conversation["sessions"] for turn in session["turns"]}
    heard = {said[turn] for turn in question["evidence"] if turn in said}
    return [speaker for speaker in speakers if speaker in heard] if len(heard) == 1 else speakers
