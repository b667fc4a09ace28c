"""Subjects, brains, keys and memories, made over HTTP as any client makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.serving import Client


@dataclass(slots=True)
class World:
    """Names of a data set and the ids that they have in the server. `refused`: what was not made, and why."""

    root: Client
    subjects: dict[str, str] = field(default_factory=dict)
    brains: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    memories: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    async def make_subject(self, name: str, body: Mapping[str, object], labels: Iterable[tuple[str, str | None]] = ()) -> None:
        """A subject and its labels, each with the platform that it was seen on if there is one."""
        reply = await self.root.post("/v1/subjects", json=dict(body))
        reply.raise_for_status()
        self.subjects[name] = reply.json()["id"]
        for label, platform in labels:
            added = await self.root.post(f"/v1/subjects/{self.subjects[name]}/aliases", json={"alias": label, "platform": platform})
            if added.status >= 400:
                self.refused.append(f"label of {name}: {added.json().get('code')}")

    async def make_brain(self, name: str, members: Mapping[str, str]) -> None:
        """A room with members by name and their roles."""
        listed = [{"subject_id": self.subjects[member], "role": role} for member, role in members.items()]
        reply = await self.root.post("/v1/brains", json={"kind": "room", "name": name, "members": listed})
        reply.raise_for_status()
        self.brains[name] = reply.json()["id"]

    async def make_key(self, subject: str, *, agent: bool, act_as: Sequence[str] = ()) -> None:
        """A key of a subject: of a person, or of an agent that may write and speak for those who reach some brains."""
        body = {
            "subject_id": self.subjects[subject],
            "writer_label": subject,
            "max_role": "writer" if agent else "reader",
            "trust": "agent" if agent else "member",
            "capabilities": ["act_as"] if act_as else [],
            "act_as_brains": [self.brains[brain] for brain in act_as],
            "reason": "a benchmark",
        }
        reply = await self.root.post("/v1/admin/keys", json=body)
        reply.raise_for_status()
        self.keys[subject] = reply.json()["key"]

    async def write(self, client: Client, name: str, body: Mapping[str, object]) -> None:
        """A memory; one that is refused is noted."""
        reply = await client.post("/v1/memories", json=dict(body))
        receipt = reply.json()
        if reply.status >= 400:
            self.refused.append(f"memory {name}: {receipt.get('code')}")
        elif receipt["status"] != "active":
            self.refused.append(f"memory {name}: {receipt['status']} ({', '.join(receipt['reasons'])})")
        else:
            self.memories[name] = receipt["id"]
            self.receipts[name] = receipt

    def ids(self, subjects: Iterable[str]) -> list[str]:
        """Ids of subjects by name, in order."""
        return [self.subjects[name] for name in subjects]
