"""Who speaks in a turn: a subject by id, or by the platform's id of them. A platform id that nobody has is nobody that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import InvalidInput
from memdb.directory.labels import ExternalId, check_external, hash_external
from memdb.storage import subjects
from memdb.storage.database import identity_of

if TYPE_CHECKING:
    from governance.principals import Principal
    from memdb.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Speaker:
    """A speaker as a turn names them."""

    subject_id: UUID | None
    platform: str | None = None
    external_id: str | None = field(default=None, repr=False)


async def find_speakers(runtime: Runtime, principal: Principal, named: Sequence[Speaker | None]) -> list[UUID | None]:
    """The subject of each; None where none is named or the platform id is unknown. Each platform id is looked up once.

    Raises:
        InvalidInput: both ways are used at once, or one half of a platform id is missing or malformed; names its place.
    """
    externals: dict[tuple[str, str], UUID | None] = {}
    for place, one in enumerate(named):
        external = None if one is None else _external(one, f"turns[{place}].speaker")
        if external is not None:
            externals[external.platform, external.external_id] = None
    if externals:
        async with runtime.database.read(identity_of(principal)) as conn:
            for platform, external_id in externals:
                hashes = hash_external(runtime.keyring, principal.org_id, ExternalId(platform, external_id))
                row = await subjects.find_by_identity(conn, principal.org_id, platform, hashes)
                externals[platform, external_id] = None if row is None else row.id
    return [None if one is None else one.subject_id or externals.get((one.platform or "", one.external_id or "")) for one in named]


def _external(one: Speaker, field: str) -> ExternalId | None:
    if one.platform is None and one.external_id is None:
        return None
    if one.subject_id is not None or one.platform is None or one.external_id is None:
        raise InvalidInput(f"{field} is a subject_id, or a platform and an external_id", field=field)
    return check_external(ExternalId(one.platform, one.external_id), field)
