"""agmi T1 to T9 where the attacker edits the log as well: memories with their events, and events alone."""

from __future__ import annotations

from typing import Any, Final

from benchmarks.scoreboards.at_rest import Memories
from benchmarks.scoreboards.rawstore import Row
from benchmarks.scoreboards.suites import load
from memdb.ids import make_id

_SAYS: Final = ("action", "object_kind", "object_id", "detail", "commitment")
"""What an event says; the rest is where it stands and who it is from."""


class WithEvents(Memories):
    """Whatever is done to a memory is done to the events that tell of it: taken out, copied, put over others, with their places."""

    name = "memdb, memories and events"

    def _fields(self, row: Row) -> dict[str, Any]:
        return super()._fields(row) | {"events": self._events_of(row["id"])}

    def _events_of(self, memory_id: str) -> list[Row]:
        return self.raw.select("audit_events", order="id", org_id=self.org.id, object_kind="memory", object_id=memory_id)

    def overwrite(self, victim: Row, donor: dict[str, Any]) -> None:
        """Commitment and digest of the donor's events over those of the victim's."""
        super().overwrite(victim, donor)
        for mine, other in zip(self._events_of(victim["id"]), donor["events"], strict=False):
            self.raw.set("audit_events", {"commitment": other["commitment"], "digest": other["digest"]}, org_id=self.org.id, id=mine["id"])

    def add(self, donor: dict[str, Any]) -> str:
        """With an event that tells of the new memory, and a place behind the last one."""
        forged = super().add(donor)
        for event in donor["events"]:
            forge_event(self, event | {"object_id": forged})
        return forged

    def delete_raw(self, seq: int) -> None:
        """With its events and their places."""
        for event in self.read_all_raw()[seq].fields["events"]:
            remove_event(self, event["id"])
        super().delete_raw(seq)

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
        """With another actor in its event."""
        super().write_meta(seq, meta)
        if "agmi_meta_tampered" in meta:
            for event in self._events_of(self.meta_id):
                self.raw.set("audit_events", {"actor_key": "other"}, org_id=self.org.id, id=event["id"])


class Events(Memories):
    """The records are the events of a brain; memories stay as they are."""

    name = "memdb, events"

    def _records(self, brain: str) -> list[Any]:
        record = load("agmi.adapters.base").Record
        rows = self.raw.select("audit_events", order="id", org_id=self.org.id, brain_id=brain, object_kind="memory")
        chain = {row["event_id"]: row for row in self.raw.select("audit_chain", order="position", org_id=self.org.id)}
        return [record(place, {"id": row["id"], "event": row, "chain": chain.get(row["id"])}) for place, row in enumerate(rows)]

    def payload_of(self, record: Any) -> str:  # noqa: ANN401 - the suite's type
        """What the event says."""
        return str([record.fields["event"][name] for name in _SAYS])

    def owner_of(self, record: Any) -> str:  # noqa: ANN401 - as above
        """The brain that it is of."""
        return str(record.fields["event"]["brain_id"])

    def mutate_payload(self, record: Any) -> Any:  # noqa: ANN401 - as above
        """Something else happened."""
        record.fields["event"] = record.fields["event"] | {"action": "memory.delete"}
        return record

    def write_raw(self, record: Any) -> None:  # noqa: ANN401 - as above
        """What it says and its digest at a place; behind the last a new event."""
        there = self.read_all_raw()
        event = record.fields["event"]
        if record.seq < len(there):
            change = {name: event[name] for name in (*_SAYS, "digest", "mac_key_id")}
            self.raw.set("audit_events", change, org_id=self.org.id, id=there[record.seq].fields["id"])
        else:
            forge_event(self, event)

    def delete_raw(self, seq: int) -> None:
        """With its place in the log."""
        remove_event(self, self.read_all_raw()[seq].fields["id"])

    def replay_onto(self, victim_seq: int, donor: Any) -> None:  # noqa: ANN401 - as above
        """What a genuine event says over another one."""
        record = load("agmi.adapters.base").Record
        self.write_raw(record(victim_seq, donor.fields))

    def read_meta(self, seq: int) -> dict[str, Any]:
        """Who it is from and when it was."""
        event = self.read_all_raw()[seq].fields["event"]
        return {name: value for name, value in event.items() if name not in _SAYS}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
        """Somebody else did it."""
        if "agmi_meta_tampered" in meta:
            self.raw.set("audit_events", {"actor_key": "other"}, org_id=self.org.id, id=self.read_all_raw()[seq].fields["id"])


def remove_event(adapter: Memories, event_id: str) -> None:
    """Take an event out, with its place in the log and in the queue for one."""
    for table, key in (("audit_chain", "event_id"), ("audit_pending", "event_id"), ("audit_events", "id")):
        adapter.raw.delete(table, org_id=adapter.org.id, **{key: event_id})


def forge_event(adapter: Memories, template: Row) -> str:
    """A copy of an event with another id, at the end of the log, with the link of the last place; its id."""
    forged = str(make_id())
    adapter.raw.insert("audit_events", template | {"id": forged})
    (last,) = adapter.raw.select("audit_chain", order="position", org_id=adapter.org.id)[-1:]
    adapter.raw.insert("audit_chain", last | {"position": last["position"] + 1, "event_id": forged})
    return forged
