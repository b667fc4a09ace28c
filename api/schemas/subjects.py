"""Bodies of the subject routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Moment, Name, Reply
from memdb.directory.labels import EXTERNAL_ID_CHARACTERS_MAX, ExternalId
from memdb.directory.matching import Match
from memdb.directory.resolving import Asked, Candidate, Resolved
from memdb.directory.subjects import LABELS_MAX, Label, Seen, Subject, SubjectRequest
from memdb.storage.sightings import Sighting
from memdb.storage.subjects import SubjectKind

_SUBJECT = "019b76da-a800-7000-8000-0000000000a1"
_OTHER = "019b76da-a800-7000-8000-0000000000a2"
_HOME = "019b76da-a800-7000-8000-0000000000b1"
_SEEN: JsonDict = {
    "place": "platform:slack",
    "brain_id": None,
    "first_seen_at": "2026-01-31T09:30:00Z",
    "last_seen_at": "2026-02-03T17:00:00Z",
}
PlatformName = Annotated[str, Field(min_length=1, max_length=40)]


class PlatformId(Body):
    """A subject's id on a platform, as the platform writes it. It is kept as a keyed hash; replies show a label without personal data."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"platform": "slack", "external_id": "U0ANA"}]})

    platform: PlatformName
    external_id: Annotated[str, Field(min_length=1, max_length=EXTERNAL_ID_CHARACTERS_MAX)]

    def external(self) -> ExternalId:
        return ExternalId(self.platform, self.external_id)


class SubjectBody(Body):
    """A subject to make, with its home brain. Names and aliases are labels; two subjects may have the same."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "kind": "person",
                    "name": "Ana",
                    "aliases": ["Aninha"],
                    "identities": [{"platform": "slack", "external_id": "U0ANA"}],
                }
            ]
        }
    )

    kind: SubjectKind
    name: Name | None = None
    aliases: Annotated[list[Name], Field(max_length=LABELS_MAX)] = Field(default_factory=list)
    identities: Annotated[list[PlatformId], Field(max_length=LABELS_MAX)] = Field(default_factory=list)

    def request(self) -> SubjectRequest:
        return SubjectRequest(self.kind, self.name, self.aliases, [identity.external() for identity in self.identities])


class AliasBody(Body):
    """Another label of a subject, and where and when it was seen: on a platform, in a brain that the caller reads, or both; now when no
    `seen_at` is given.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"alias": "Aninha"}, {"alias": "Ana S.", "platform": "slack", "seen_at": "2026-01-31T09:30:00Z"}],
        }
    )

    alias: Name
    platform: PlatformName | None = None
    brain_id: UUID | None = None
    seen_at: Moment | None = None

    def seen(self) -> Seen:
        return Seen(self.platform, self.brain_id, self.seen_at)


class RenameBody(Body):
    """Another name for a subject; the former one stays a label."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana Souza"}]})

    name: Name


class MergeBody(Body):
    """Which subject stands for both. It must stand for itself, and be of the same kind."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"into_id": _OTHER}]})

    into_id: UUID


class ResolveBody(Body):
    """A name as somebody said it. `brain_id` and `platform` say where: who is there is meant before anybody else, and nobody elsewhere is
    chosen. Ids on a platform are looked up with `:lookup`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Mike"}, {"name": "Mike", "kind": "person", "platform": "slack"}]})

    name: Name
    brain_id: UUID | None = None
    platform: PlatformName | None = None
    kind: SubjectKind | None = None

    def asked(self) -> Asked:
        return Asked(self.name, self.brain_id, self.platform, self.kind)


class TeamMemberBody(Body):
    """Who joins a team or project."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"subject_id": _SUBJECT}]})

    subject_id: UUID


class IdentityReply(Reply):
    """A platform id as it may be shown."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"platform": "slack", "label": "U0ANA"}]})

    platform: str
    label: str


class SightingReply(Reply):
    """Where a label was seen, `platform:<name>` or `brain:<id>`, and when first and last. Brains that the caller may not read are not."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SEEN]})

    place: str
    brain_id: UUID | None
    first_seen_at: datetime
    last_seen_at: datetime

    @classmethod
    def of(cls, seen: Sighting) -> SightingReply:
        return cls(place=seen.place, brain_id=seen.brain_id, first_seen_at=seen.first_seen_at, last_seen_at=seen.last_seen_at)


class LabelReply(Reply):
    """A label of a subject and where it was seen, the latest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"alias": "Ana", "seen": [_SEEN]}]})

    alias: str
    seen: list[SightingReply]

    @classmethod
    def of(cls, label: Label) -> LabelReply:
        return cls(alias=label.alias, seen=[SightingReply.of(seen) for seen in label.seen])


class SubjectReply(Reply):
    """A person, agent, service, team, project or the org itself. `merged_into` stands for it since it was merged; `also` are the subjects
    for whom it stands: reads take them all for one.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": _SUBJECT,
                    "kind": "person",
                    "name": "Ana",
                    "home_brain_id": _HOME,
                    "aliases": ["Ana", "Aninha"],
                    "labels": [{"alias": "Ana", "seen": [_SEEN]}, {"alias": "Aninha", "seen": []}],
                    "identities": [{"platform": "slack", "label": "U0ANA"}],
                    "merged_into": None,
                    "also": [_OTHER],
                    "created_at": "2026-01-31T09:30:00Z",
                }
            ]
        }
    )

    id: UUID
    kind: SubjectKind
    name: str | None
    home_brain_id: UUID | None
    aliases: list[str]
    labels: list[LabelReply]
    identities: list[IdentityReply]
    merged_into: UUID | None
    also: list[UUID]
    created_at: datetime

    @classmethod
    def of(cls, subject: Subject) -> SubjectReply:
        row = subject.row
        return cls(
            id=row.id,
            kind=row.kind,
            name=row.name,
            home_brain_id=row.home_brain_id,
            aliases=list(subject.aliases),
            labels=[LabelReply.of(label) for label in subject.labels],
            identities=[IdentityReply(platform=i.platform, label=i.label) for i in subject.identities],
            merged_into=subject.merged_into,
            also=list(subject.also),
            created_at=row.created_at,
        )


class SharedBrainReply(Reply):
    """A brain that the candidate reaches and the caller reads."""

    id: UUID
    name: str


class TellsApartReply(Reply):
    """What tells a candidate from others: ids on platforms, rooms that the caller reads too, where they were seen, when they were made."""

    platforms: list[IdentityReply]
    brains: list[SharedBrainReply]
    seen: list[SightingReply]
    created_at: datetime


class CandidateReply(Reply):
    """Somebody who may be meant: the name is a label (`exact`), whole words of one (`part`), or only like one (`near`)."""

    subject_id: UUID
    kind: SubjectKind
    name: str | None
    aliases: list[str]
    match: Match
    tells_apart: TellsApartReply

    @classmethod
    def of(cls, candidate: Candidate) -> CandidateReply:
        row, tells = candidate.row, candidate.tells_apart
        return cls(
            subject_id=row.id,
            kind=row.kind,
            name=row.name,
            aliases=list(candidate.aliases),
            match=candidate.match,
            tells_apart=TellsApartReply(
                platforms=[IdentityReply(platform=p.platform, label=p.label) for p in tells.platforms],
                brains=[SharedBrainReply(id=brain_id, name=name) for brain_id, name in tells.brains],
                seen=[SightingReply.of(seen) for seen in tells.seen],
                created_at=tells.created_at,
            ),
        )


class ResolveReply(Reply):
    """Who is meant, or null and those who may be, best first; `left_out` counts further ones. An unknown name has no candidates."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "subject": None,
                    "candidates": [
                        {
                            "subject_id": _SUBJECT,
                            "kind": "person",
                            "name": "Mike Okafor",
                            "aliases": ["Mike Okafor"],
                            "match": "part",
                            "tells_apart": {
                                "platforms": [{"platform": "slack", "label": "U0MIKE"}],
                                "brains": [{"id": _HOME, "name": "Launch room"}],
                                "seen": [_SEEN],
                                "created_at": "2026-01-31T09:30:00Z",
                            },
                        }
                    ],
                    "left_out": 0,
                }
            ]
        }
    )

    subject: SubjectReply | None
    candidates: list[CandidateReply]
    left_out: int

    @classmethod
    def of(cls, resolved: Resolved) -> ResolveReply:
        return cls(
            subject=None if resolved.subject is None else SubjectReply.of(resolved.subject),
            candidates=[CandidateReply.of(candidate) for candidate in resolved.candidates],
            left_out=resolved.left_out,
        )


class TeamMemberReply(Reply):
    """A member of a team or project."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"subject_id": _SUBJECT}]})

    subject_id: UUID
