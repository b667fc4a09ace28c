"""Sections of the policy of an org, as they are set."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Integer
from api.schemas.jobs import LearnedKind
from governance.inspection.signals import SignalCode
from governance.policy.keeping import DAYS_MAX, LEGAL_HOLDS_MAX
from governance.policy.memory_rules import HALF_LIFE_DAYS, TOKENS_PER_DAY_MAX, TOPIC_CHARACTERS_MAX, TOPICS_MAX, MemoryDocument
from governance.policy.screening import BRAIN_KINDS, REVIEW_RULES_MAX, THRESHOLD_MAX, THRESHOLD_MIN
from governance.redaction.custom import (
    CONTEXT_CHARACTERS_MAX,
    CONTEXT_WORDS_MAX,
    PATTERN_CHARACTERS_MAX,
    RECOGNIZERS_MAX,
    CustomRecognizer,
)
from governance.redaction.entities import ENTITIES
from governance.redaction.findings import Action
from memdb.directory.policies import BRAINS_MAX
from memdb.models.memory import Kind
from memdb.text.normalise import fold

_BRAIN = "019b76da-a800-7000-8000-0000000000b1"
MEMORY: JsonDict = {"half_life_days": {"semantic": 90}, "topic_half_life_days": {"brand/voice": 365}, "conflict_window_s": 600}
REDACTION: JsonDict = {
    "actions": {"EMAIL_ADDRESS": "pseudonymise"},
    "brains": {_BRAIN: {"EMAIL_ADDRESS": "keep"}},
    "recognizers": {"CUSTOMER_NUMBER": {"pattern": "C-[0-9]{6}", "context": ["customer"], "action": "pseudonymise"}},
}
ENTITY_NAME_MAX = 40
EntityName = Annotated[str, Field(max_length=ENTITY_NAME_MAX)]
TopicPath = Annotated[str, Field(min_length=1, max_length=TOPIC_CHARACTERS_MAX)]
Actions = Annotated[dict[EntityName, Action], Field(max_length=len(ENTITIES) + RECOGNIZERS_MAX)]
ContextWord = Annotated[str, Field(min_length=1, max_length=CONTEXT_CHARACTERS_MAX)]
Score = Annotated[float, Field(ge=THRESHOLD_MIN, le=THRESHOLD_MAX, strict=True)]
TrustLevel = Literal["web", "imported", "tool", "agent", "member", "admin"]
BrainKindName = Literal["personal", "agent", "team", "room", "org"]
HoldUpTo = Literal["none", "web", "imported", "tool", "agent", "member", "admin"]
EffectName = Literal["flag", "hold", "reject"]
KeptKind = Literal["semantic", "episodic", "procedural", "taxonomic"]
Reads = Literal["required", "best_effort"]
Days = Annotated[int, Field(ge=1, le=DAYS_MAX, strict=True)]
SubjectIds = Annotated[list[UUID], Field(max_length=LEGAL_HOLDS_MAX)]


class RecognizerBody(Body):
    """What an org looks for itself. `pattern` is a regular expression of RE2, without look-around and back-references; with `context` a
    match counts only with one of these words within 80 characters.
    """

    pattern: Annotated[str, Field(min_length=1, max_length=PATTERN_CHARACTERS_MAX)]
    context: Annotated[list[ContextWord], Field(max_length=CONTEXT_WORDS_MAX)] = Field(default_factory=list)
    action: Action = Action.PSEUDONYMISE


class RedactionBody(Body):
    """What differs from the defaults: entity type to action, for all brains of the org and for single ones. Secrets are always replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [REDACTION]})

    actions: Actions = Field(default_factory=dict)
    brains: Annotated[dict[UUID, Actions], Field(max_length=BRAINS_MAX)] = Field(default_factory=dict)
    recognizers: Annotated[dict[EntityName, RecognizerBody], Field(max_length=RECOGNIZERS_MAX)] = Field(default_factory=dict)

    def named(self) -> tuple[CustomRecognizer, ...]:
        return tuple(CustomRecognizer(name, r.pattern, tuple(r.context), r.action) for name, r in self.recognizers.items())


class ThresholdsBody(Body):
    """Scores from which a finding counts: moderate, it may be meant so; high, nobody's credential makes it harmless."""

    moderate: Score | None = None
    high: Score | None = None


class ReviewRuleBody(Body):
    """A rule of the org; what a condition leaves out matches everything. `trust`: this level and those below it. Without `findings` and
    `score` it matches writes without a finding too.
    """

    name: Annotated[str, Field(min_length=3, max_length=40)]
    effect: EffectName
    findings: Annotated[list[SignalCode], Field(min_length=1, max_length=len(SignalCode))] | None = None
    score: Annotated[float, Field(ge=THRESHOLD_MIN, le=1, strict=True)] | None = None
    trust: TrustLevel | None = None
    kinds: Annotated[list[Kind], Field(min_length=1, max_length=len(Kind))] | None = None
    brains: Annotated[list[BrainKindName], Field(min_length=1, max_length=len(BRAIN_KINDS))] | None = None


class ScreeningBody(Body):
    """What becomes of doubtful writes. `by_trust` holds for a level and those below it, and like `by_kind` it only lowers a threshold."""

    thresholds: ThresholdsBody = Field(default_factory=ThresholdsBody)
    by_trust: dict[TrustLevel, ThresholdsBody] = Field(default_factory=dict)
    by_kind: dict[Kind, ThresholdsBody] = Field(default_factory=dict)
    review: Annotated[list[ReviewRuleBody], Field(max_length=REVIEW_RULES_MAX)] = Field(default_factory=list)


class TrustBody(Body):
    """`personal_brains_hold`: writes of this trust or less into the brain of a person are held until a reviewer decides; none: they are
    served.
    """

    personal_brains_hold: HoldUpTo | None = None


class RetentionBody(Body):
    """How many days questions are kept (0: for ever), and memories by kind since they were last confirmed; a kind that is not named is kept
    for ever.
    """

    recalls_days: Annotated[int, Field(ge=0, le=DAYS_MAX, strict=True)] | None = None
    memories_days: dict[KeptKind, Days] = Field(default_factory=dict)


class LegalHoldBody(Body):
    """What neither a request nor retention deletes: all in these brains, all about, said or written by these subjects."""

    subjects: SubjectIds = Field(default_factory=list)
    brains: SubjectIds = Field(default_factory=list)


class AuditBody(Body):
    """`reads`: required, a recall that cannot be recorded is refused; best_effort, it is answered and names audit in `degraded`."""

    reads: Reads | None = None


class ExtractionBody(Body):
    """What is learned from turns. `enabled`: the kinds, an empty list for none; null: as the server is set. `tokens_per_day`: of a language
    model in 24 hours; the server may allow less.
    """

    enabled: Annotated[list[LearnedKind], Field(max_length=len(LearnedKind))] | None = None
    tokens_per_day: Annotated[int, Field(ge=1, le=TOKENS_PER_DAY_MAX, strict=True)] | None = None


class MemoryBody(Body):
    """What differs from the defaults in the life of memories: half-lives in days by kind, and by topic for it and all below it; how many
    seconds apart two keys' writes of one unit are a conflict; how many entries and characters the front of a subject may have; which kinds
    are learned from turns.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [MEMORY]})

    half_life_days: Annotated[dict[Kind, Integer], Field(max_length=len(HALF_LIFE_DAYS))] = Field(default_factory=dict)
    topic_half_life_days: Annotated[dict[TopicPath, Integer], Field(max_length=TOPICS_MAX)] = Field(default_factory=dict)
    conflict_window_s: Integer | None = None
    front_entries: Integer | None = None
    front_characters: Integer | None = None
    extraction: ExtractionBody = Field(default_factory=ExtractionBody)

    def document(self) -> MemoryDocument:
        return MemoryDocument(
            half_life_days={kind.value: days for kind, days in self.half_life_days.items()},
            topic_half_life_days={fold(topic): days for topic, days in self.topic_half_life_days.items()},
            conflict_window_s=self.conflict_window_s,
            front_entries=self.front_entries,
            front_characters=self.front_characters,
            extractions=None if self.extraction.enabled is None else tuple(h.value for h in self.extraction.enabled),
            tokens_per_day=self.extraction.tokens_per_day,
        )
