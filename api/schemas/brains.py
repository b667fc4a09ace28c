"""Bodies of the brain routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Name, Reply
from api.schemas.looks import EXAMPLE as LOOK
from api.schemas.looks import LookReply
from governance.principals import Role
from memdb.directory.brains import MEMBERS_MAX, Brain
from memdb.storage.brains import BrainKind, MemberRow, Sharing
from memdb.storage.looks import LookRow

_BRAIN = "019b76da-a800-7000-8000-0000000000b1"
_SUBJECT = "019b76da-a800-7000-8000-0000000000a1"
_EXAMPLE: JsonDict = {
    "id": _BRAIN,
    "kind": "room",
    "name": "Launch room",
    "role": "admin",
    "home": False,
    "sharing": "subjects",
    "created_at": "2026-01-31T09:30:00Z",
}


class Member(Body):
    """A subject, a team or the whole org, with a role. Each role includes the ones before it: reader, writer, admin."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"subject_id": _SUBJECT, "role": "writer"}]})

    subject_id: UUID
    role: Role


class BrainRequest(Body):
    """A brain to make. Whoever makes it administers it; `org` is read by the whole org and needs the capability admin. `sharing`: who may
    copy a memory from it into a brain that others read: `subjects`, whoever said it or whom it is about, or `nobody`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"kind": "room", "name": "Launch room"},
                {"kind": "team", "name": "Support", "members": [{"subject_id": _SUBJECT, "role": "writer"}], "sharing": "nobody"},
            ]
        }
    )

    kind: BrainKind
    name: Name
    members: Annotated[list[Member], Field(max_length=MEMBERS_MAX)] = Field(default_factory=list)
    sharing: Sharing = Sharing.SUBJECTS


class BrainChange(Body):
    """What changes of a brain; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Launch room, closed"}, {"sharing": "nobody"}]})

    name: Name | None = None
    sharing: Sharing | None = None


class RoleRequest(Body):
    """Another role for a member."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"role": "reader"}]})

    role: Role


class BrainReply(Reply):
    """A brain that the caller may read, and what the caller may do in it. `home`: where the caller writes when no brain is named."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    id: UUID
    kind: BrainKind
    name: str
    role: Role
    home: bool
    sharing: Sharing
    created_at: datetime

    @classmethod
    def of(cls, brain: Brain) -> BrainReply:
        row = brain.row
        return cls(
            id=row.id,
            kind=row.kind,
            name=row.name,
            role=brain.role,
            home=brain.home,
            sharing=row.sharing,
            created_at=row.created_at,
        )


class BrainDetailReply(BrainReply):
    """A brain, with the newest looks of administrators into it, newest first; `GET …/looks` has all."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**_EXAMPLE, "looks": [LOOK]}]})

    looks: list[LookReply]

    @classmethod
    def of_looked_into(cls, brain: Brain, looks: list[LookRow]) -> BrainDetailReply:
        return cls(**BrainReply.of(brain).model_dump(), looks=[LookReply.of(row) for row in looks])


class MemberReply(Reply):
    """A direct member of a brain; a team or the org stands for all of its members."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"subject_id": _SUBJECT, "role": "writer", "created_at": "2026-01-31T09:30:00Z"}]}
    )

    subject_id: UUID
    role: Role
    created_at: datetime

    @classmethod
    def of(cls, row: MemberRow) -> MemberReply:
        return cls(subject_id=row.subject_id, role=row.role, created_at=row.created_at)
