"""Bodies of the search route."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Integer, Moment, Number, Reply
from api.schemas.memories import EXAMPLE_ID, ConflictOut, MemoryOut
from memdb.lifecycle.freshness import Freshness
from memdb.models.memory import Kind
from memdb.storage.origins import SourceRow
from retrieval.branches.base import EXACT
from retrieval.card import Card
from retrieval.engine import Recall
from retrieval.evidence import Evidence
from retrieval.fusion import BranchShare
from retrieval.query import RecallRequest


class SearchBody(Body):
    """A question."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"query": "what must Ana not eat?", "limit": 10, "token_budget": 600, "explain": True},
                {"query": "release", "kinds": ["episodic"], "topic": "releases", "as_of": "2026-03-02T12:00:00Z"},
            ]
        }
    )

    query: Annotated[str, Field(description="a question or words, at most 64 KiB")]
    kinds: list[Kind] | None = None
    brains: list[UUID] | None = Field(None, description="only these; one that the caller may not read is 404")
    about: list[UUID] | None = Field(None, description="only memories about one of these subjects")
    said_by: UUID | None = None
    audience: list[UUID] | None = Field(
        None, description="subjects who will see the answer: only what all of them may read; an unknown id is a guest"
    )
    session_id: UUID | None = Field(None, description="whoever reads the brain of this session will see the answer, beside the audience")
    topic: str | None = Field(None, description="this topic and those below it")
    tags: list[str] | None = Field(None, description="memories that have all of these tags")
    data: dict[str, Any] | None = Field(None, description="memories whose data holds all of these values")
    created_from: Moment | None = None
    created_to: Moment | None = None
    valid_at: Moment | None = Field(None, description="what was true then; default: now")
    as_of: Moment | None = Field(None, description="what was known then")
    limit: Integer = Field(10, ge=1, le=100)
    token_budget: Integer | None = Field(None, description="asks for a card of at most so many tokens (o200k)")
    weights: dict[str, Number] | None = Field(None, description="weight of each branch, 0 or more; a branch that is left out has 0")
    min_score: Number | None = Field(None, description="0 to 1; default: the floor of this release")
    purpose: str | None = Field(None, description="what the recall is for; kept with it")
    explain: Flag = Field(True, description="show what each branch found")

    def to_request(self) -> RecallRequest:
        """The same for the engine."""
        return RecallRequest(
            query=self.query,
            kinds=None if self.kinds is None else frozenset(self.kinds),
            brains=None if self.brains is None else frozenset(self.brains),
            about=None if self.about is None else tuple(self.about),
            said_by=self.said_by,
            audience=None if self.audience is None else tuple(self.audience),
            session_id=self.session_id,
            topic=self.topic,
            tags=None if self.tags is None else tuple(self.tags),
            data=self.data,
            created_from=self.created_from,
            created_to=self.created_to,
            valid_at=self.valid_at,
            as_of=self.as_of,
            limit=self.limit,
            token_budget=self.token_budget,
            weights=self.weights,
            min_score=self.min_score,
            purpose=self.purpose,
            explain=self.explain,
        )


FOUND_AS = {"lexical": "terms", "entity": "entities", "graph": "path", EXACT: "by"}
"""Branch -> the field that says what it found."""


class BranchOut(Reply):
    """What one branch says of a memory; shares of one memory sum to 1."""

    rank: int
    raw: float
    share: float
    terms: list[str] | None = Field(None, description="lexical: words of the question that stand in the memory")
    entities: list[str] | None = Field(None, description="entity: names of the question that the memory belongs to")
    path: list[str] | None = Field(None, description="graph: the hit that it was reached from, and the steps")
    by: list[str] | None = Field(None, description="exact: id, topic or phrase")

    @classmethod
    def of(cls, name: str, share: BranchShare) -> BranchOut:
        found = list(share.found) or None
        return cls(rank=share.rank, raw=share.raw, share=share.share, **({FOUND_AS[name]: found} if name in FOUND_AS else {}))


class SourceOut(Reply):
    """An excerpt that the memory comes from."""

    episode_id: UUID
    episode: str | None
    fragment_id: UUID
    fragment: str
    speaker: str | None
    speaker_id: UUID | None
    position: int
    said_at: Moment | None

    @classmethod
    def of(cls, source: SourceRow) -> SourceOut:
        return cls(
            episode_id=source.episode_id,
            episode=source.episode,
            fragment_id=source.fragment_id,
            fragment=source.fragment,
            speaker=source.speaker,
            speaker_id=source.speaker_id,
            position=source.position,
            said_at=source.said_at,
        )


class ModifierOut(Reply):
    """What raises or lowers a score besides what was found."""

    name: str = Field(description="freshness, trust, time_window or conflict")
    factor: float


class EvidenceOut(Reply):
    """One answer."""

    memory: MemoryOut
    score: float = Field(description="0 to 1, best first; not comparable across releases")
    current: bool = Field(description="false when an older version is shown")
    branches: dict[str, BranchOut] | None = Field(description="`exact`: the question gave the memory's id, topic or very words")
    modifiers: list[ModifierOut] = Field(
        description="factors on the score, at most a tenth up or down all together; none for an exact match"
    )
    freshness: Freshness = Field(description="by the time since the last confirmation; past: a date that lay ahead has gone")
    conflict: ConflictOut | None = Field(description="what stands against it, of what the audience may read; of older versions always null")
    outcomes: dict[str, int] = Field(description="how often feedback gave each outcome")
    sources: list[SourceOut]

    @classmethod
    def of(cls, evidence: Evidence, *, explain: bool) -> EvidenceOut:
        branches = {name: BranchOut.of(name, share) for name, share in evidence.branches.items()}
        return cls(
            memory=MemoryOut.of(evidence.memory),
            score=evidence.score,
            current=evidence.current,
            branches=branches if explain else None,
            modifiers=[ModifierOut(name=m.name, factor=m.factor) for m in evidence.modifiers],
            freshness=evidence.freshness,
            conflict=None if evidence.conflict is None else ConflictOut.of(evidence.conflict),
            outcomes=dict(evidence.outcomes),
            sources=[SourceOut.of(s) for s in evidence.sources],
        )


class CardOut(Reply):
    """What fits the token budget, as text for a prompt: the front of the subjects in play, the evidence, and what else there is of them."""

    text: str
    tokens: int
    token_budget: int
    front: list[UUID] = Field(description="memories shown because they stand at the front of a subject that the question names")

    @classmethod
    def of(cls, card: Card) -> CardOut:
        return cls(text=card.text, tokens=card.tokens, token_budget=card.token_budget, front=list(card.front))


class DroppedOut(Reply):
    """How many hits were left out, by reason."""

    below_floor: int
    duplicate: int
    over_limit: int
    over_budget: int


class SearchOut(Reply):
    """The answer; no evidence is an answer."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "recall_id": EXAMPLE_ID,
                    "evidence": [],
                    "card": {"text": "", "tokens": 0, "token_budget": 600, "front": []},
                    "dropped": {"below_floor": 3, "duplicate": 0, "over_limit": 0, "over_budget": 0},
                    "degraded": [],
                    "timings_ms": {"vector": 2.2, "lexical": 1.9, "total": 9.1},
                }
            ]
        }
    )

    recall_id: UUID
    evidence: list[EvidenceOut]
    card: CardOut | None
    dropped: DroppedOut
    degraded: list[str] = Field(description="branches that failed, were late, or could not be asked")
    timings_ms: dict[str, float]

    @classmethod
    def of(cls, recall: Recall, *, explain: bool) -> SearchOut:
        card = recall.card
        return cls(
            recall_id=recall.id,
            evidence=[EvidenceOut.of(e, explain=explain) for e in recall.evidence],
            card=None if card is None else CardOut.of(card),
            dropped=DroppedOut(
                below_floor=recall.dropped.below_floor,
                duplicate=recall.dropped.duplicate,
                over_limit=recall.dropped.over_limit,
                over_budget=0 if card is None else card.over_budget,
            ),
            degraded=recall.degraded,
            timings_ms=recall.timings_ms,
        )
