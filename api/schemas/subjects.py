"""Bodies of the subject routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Name, Reply
from memdb.directory.labels import EXTERNAL_ID_CHARACTERS_MAX, ExternalId
from memdb.directory.subjects import LABELS_MAX, Subject, SubjectRequest
from memdb.storage.subjects import SubjectKind

_SUBJECT = "019b76da-a800-7000-8000-0000000000a1"
_HOME = "019b76da-a800-7000-8000-0000000000b1"


class PlatformId(Body):
    """A subject's id on a platform, as the platform writes it. It is kept as a keyed hash; replies show a label without personal data."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"platform": "slack", "external_id": "U0ANA"}]})

    platform: Annotated[str, Field(min_length=1, max_length=40)]
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
    """Another label of a subject."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"alias": "Aninha"}]})

    alias: Name


class TeamMemberBody(Body):
    """Who joins a team or project."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"subject_id": _SUBJECT}]})

    subject_id: UUID


class IdentityReply(Reply):
    """A platform id as it may be shown."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"platform": "slack", "label": "U0ANA"}]})

    platform: str
    label: str


class SubjectReply(Reply):
    """A person, agent, service, team, project or the org itself."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": _SUBJECT,
                    "kind": "person",
                    "name": "Ana",
                    "home_brain_id": _HOME,
                    "aliases": ["Ana", "Aninha"],
                    "identities": [{"platform": "slack", "label": "U0ANA"}],
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
    identities: list[IdentityReply]
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
            identities=[IdentityReply(platform=i.platform, label=i.label) for i in subject.identities],
            created_at=row.created_at,
        )


class TeamMemberReply(Reply):
    """A member of a team or project."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"subject_id": _SUBJECT}]})

    subject_id: UUID
