"""Units: what a brain says about a topic, written by topic. The last write wins, and a write that had not seen the other is flagged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from governance.errors import InvalidInput, NotFound
from governance.principals import Role
from governance.scopes import require_role
from memdb.formation.authorise import authorise
from memdb.formation.batch import Batch
from memdb.formation.pipeline import Formed, Writer, form_authorised
from memdb.formation.stages import UnitTerms
from memdb.lifecycle.conflicts import Served, read_served
from memdb.models.memory import RECONCILED
from memdb.models.submission import Submission
from memdb.runtime import Runtime
from memdb.storage.idempotency import Ticket


@dataclass(frozen=True, slots=True)
class UnitWrite:
    """A unit as it was asked for: nothing of it has passed the redactor. `base_version`: what the writer had read; None: not said."""

    submission: Submission
    base_version: int | None = None
    reject: bool = False


async def write_unit(runtime: Runtime, writer: Writer, write: UnitWrite, ticket: Ticket | None = None) -> Formed:
    """Say what a topic holds: ADD when it had no unit, REINFORCE when it says so already, else UPDATE. One receipt or error.

    The unit is flagged as conflicted when it was not at `base_version`, or when another key wrote other content within the org's window;
    with `reject` such a write is refused instead (VersionConflict). What policy holds becomes a held memory and leaves the unit as it is.

    Raises:
        IdempotencyConflict, StorageUnavailable: as `form`.
    """
    now, submission = runtime.clock.now(), write.submission
    if submission.topic is None:
        raise InvalidInput("a unit is written by topic", field="topic")
    if submission.kind not in RECONCILED:
        raise InvalidInput("a unit is semantic, procedural or taxonomic", field="kind")
    if write.base_version is not None and write.base_version < 1:
        raise InvalidInput("base_version counts from 1", field="base_version")
    terms = UnitTerms(base_version=write.base_version, reject=write.reject, window=timedelta(seconds=writer.memory.conflict_window_s))
    batch = Batch.of([submission]).each(
        lambda s: replace(
            authorise(s, principal=writer.principal, access=writer.access, home_brain_id=writer.home_brain_id, now=now), unit=terms
        )
    )
    return await form_authorised(runtime, writer, batch, ticket, now)


async def read_unit(runtime: Runtime, writer: Writer, brain_id: UUID, unit_id: UUID) -> Served:
    """What a pointer of this brain points at: the unit of a topic, or an ordinary memory that has one.

    Raises:
        NotFound: the brain is unknown or not readable, or holds no such memory with a topic, or no door would show it.
        IntegrityFailed: the row was changed behind the product's back.
    """
    require_role(writer.principal, writer.access, brain_id, Role.READER)
    try:
        served = await read_served(runtime, writer, unit_id)
    except NotFound as absent:
        raise _unknown() from absent
    if served.memory.brain_id != brain_id or served.memory.topic is None:
        raise _unknown()
    return served


def _unknown() -> NotFound:
    return NotFound("no such unit or memory with a topic in this brain", field="unit_id")
