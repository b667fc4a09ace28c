"""Bodies of cards, drawers and folders of subjects."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Integer, Moment, Reply
from api.schemas.memories import EXAMPLE_BRAIN, EXAMPLE_ID, ConflictOut, MemoryOut
from memdb.lifecycle.freshness import Freshness
from memdb.models.memory import Placement
from retrieval.front import Drawer, drawer_call
from retrieval.people.card import SubjectCard
from retrieval.people.folder import Wanted
from retrieval.people.grep import LIMIT_MAX, Grepped, GrepRequest
from retrieval.people.matching import PATTERN_CHARACTERS_MAX
from retrieval.standing import Entry

_SUBJECT = "01980000-0000-7000-8000-0000000000c1"
_CALL = f"POST /v1/subjects/{_SUBJECT}/drawer:grep"


class EntryOut(Reply):
    """A memory at the front."""

    memory: MemoryOut
    freshness: Freshness
    conflict: ConflictOut | None

    @classmethod
    def of(cls, entry: Entry) -> EntryOut:
        conflict = None if entry.conflict is None else ConflictOut.of(entry.conflict)
        return cls(memory=MemoryOut.of(entry.memory), freshness=entry.freshness, conflict=conflict)


class DrawerOut(Reply):
    """What there is beside the entries shown. `overflow` of `count` belong to the front and found no room on the card."""

    count: int
    overflow: int
    topics: list[str] = Field(description="the largest first, at most five")
    changed_at: Moment | None
    call: str = Field(description="the call that opens it")

    @classmethod
    def of(cls, subject_id: UUID, drawer: Drawer | None) -> DrawerOut:
        if drawer is None:
            return cls(count=0, overflow=0, topics=[], changed_at=None, call=drawer_call(subject_id))
        topics = list(drawer.topics)
        return cls(count=drawer.count, overflow=drawer.overflow, topics=topics, changed_at=drawer.changed_at, call=drawer.call)


class CardReply(Reply):
    """The card of a subject. `text` is ready for a prompt."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "subject_id": _SUBJECT,
                    "name": "Ana",
                    "front": [],
                    "drawer": {
                        "count": 14,
                        "overflow": 0,
                        "topics": ["work/meridian"],
                        "changed_at": "2026-03-02T09:00:00Z",
                        "call": _CALL,
                    },
                    "text": f"More about Ana: 14 memories on work/meridian, last change 2026-03-02; {_CALL}",
                    "tokens": 60,
                    "token_budget": 300,
                }
            ]
        }
    )

    subject_id: UUID = Field(description="of a merged subject the one that stands for it")
    name: str | None
    front: list[EntryOut] = Field(description="newest first, within the caps of the org over all brains together")
    drawer: DrawerOut
    text: str
    tokens: int
    token_budget: int | None

    @classmethod
    def of(cls, card: SubjectCard) -> CardReply:
        return cls(
            subject_id=card.folder.subject_id,
            name=card.folder.name,
            front=[EntryOut.of(entry) for entry in card.entries],
            drawer=DrawerOut.of(card.folder.subject_id, card.drawer),
            text=card.text,
            tokens=card.tokens,
            token_budget=card.token_budget,
        )


class Where(StrEnum):
    """What is looked through."""

    DRAWER = "drawer"
    FRONT = "front"
    ALL = "all"


class GrepBody(Body):
    """What to look for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"pattern": "são paulo"},
                {"pattern": r"\bQX-\d{5}\b", "regex": True, "fold": False, "placement": "all", "limit": 20},
            ]
        }
    )

    pattern: Annotated[str, Field(description=f"one line, at most {PATTERN_CHARACTERS_MAX} characters; redacted like a question")]
    regex: Flag = Field(False, description="the pattern is an expression in the syntax of RE2; else it is text")
    fold: Flag = Field(True, description="case and accents are no difference")
    brains: list[UUID] | None = Field(None, description="only these; one that the caller may not read is 404")
    audience: list[UUID] | None = Field(None, description="subjects who will see the answer: only what all of them may read")
    placement: Where = Where.DRAWER
    limit: Integer = Field(50, ge=1, le=LIMIT_MAX, description="lines at most")

    def wanted(self, subject_id: UUID) -> Wanted:
        """Whose folder, and for whom."""
        brains = None if self.brains is None else frozenset(self.brains)
        return Wanted(subject_id, brains, None if self.audience is None else tuple(self.audience))

    def to_request(self) -> GrepRequest:
        """The same for the read path."""
        placement = None if self.placement is Where.ALL else Placement(self.placement.value)
        return GrepRequest(self.pattern, self.regex, self.fold, placement, self.limit)


class GrepLineOut(Reply):
    """A matching line, counted from 1 in its memory; a long one is cut around the match, with … where."""

    memory_id: UUID
    brain_id: UUID
    topic: str | None
    placement: str
    line: int
    text: str
    updated_at: Moment


class GrepReply(Reply):
    """Lines, newest memory first. `truncated`: there may be more, because of the limit or because time ran out."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "subject_id": _SUBJECT,
                    "lines": [
                        {
                            "memory_id": EXAMPLE_ID,
                            "brain_id": EXAMPLE_BRAIN,
                            "topic": "travel",
                            "placement": "drawer",
                            "line": 1,
                            "text": "Ana vai a São Paulo em março",
                            "updated_at": "2026-03-02T09:00:00Z",
                        }
                    ],
                    "matches": 1,
                    "searched": 14,
                    "truncated": False,
                }
            ]
        }
    )

    subject_id: UUID
    lines: list[GrepLineOut]
    matches: int = Field(description="lines in this reply")
    searched: int = Field(description="memories that were looked at")
    truncated: bool

    @classmethod
    def of(cls, found: Grepped) -> GrepReply:
        lines = [
            GrepLineOut(
                memory_id=one.memory.id,
                brain_id=one.memory.brain_id,
                topic=one.memory.topic,
                placement=one.memory.placement.value,
                line=one.line.number,
                text=one.line.text,
                updated_at=one.memory.updated_at,
            )
            for one in found.lines
        ]
        return cls(subject_id=found.folder.subject_id, lines=lines, matches=len(lines), searched=found.searched, truncated=found.truncated)
