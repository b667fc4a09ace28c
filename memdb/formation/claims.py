"""Which memory a statement takes the place of, or cannot hold beside: one that tells the same of the same subjects, or the contrary.

Who says it counts. A person takes back or changes what they said, and says of themselves what counts for more than what others say of them.
Others who name another value, or deny it, contradict, and both are kept; unless they say since when it is otherwise, for that is a new
period. How something is done is nobody's own: the last who tells it tells it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.errors import PolicyRejected, ServiceError
from governance.policy.decision import Effect
from governance.trust import Trust
from memdb.models.memory import Kind, WriteAction
from memdb.models.reconciling import Reason, Refused
from memdb.storage import claims, forgotten
from memdb.storage.rows import named_facet
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.formation.stages import Compared, Decided
    from memdb.storage.claims import Holder
    from memdb.storage.database import WriteConn

REASONS = {Kind.SEMANTIC: Reason.OTHER_VALUE, Kind.PROCEDURAL: Reason.OTHER_STEPS, Kind.TAXONOMIC: Reason.OTHER_DEFINITION}


EXCLUDED_MAX: Final = 200
"""Memories of one attribute that are looked through for what cannot hold beside a statement."""
MOMENT: Final = timedelta(microseconds=1)


async def lock_claims(conn: WriteConn, items: Sequence[Decided]) -> None:
    """One writer at a time says what an attribute of some subjects is, so that two who say it at once do not both add."""
    names = {_name(item, facet) for item in items for facet in _facets_of(item)}
    await claims.lock_names(conn, sorted(names))


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of a claim: `former` gets a new version by it, `kept` says it already, or else it is a memory of its own.

    over: memories that end by it. against: those that it contradicts, and that count for as much or for more.
    """

    item: Compared
    former: UUID | None = None
    kept: UUID | None = None
    over: tuple[UUID, ...] = ()
    against: tuple[UUID, ...] = ()


async def settle(conn: WriteConn, item: Compared, now: datetime) -> Settled:
    """Where a statement stands among those on the same thing. What is held changes nothing that is served.

    What is said late of an earlier time ends where the next value began, and what held then ends where it begins: two periods that were
    both true stay two, in whatever order they are told.
    """
    facet, claim = facet_of(item), item.claim
    if claim is None or item.decision.effect is Effect.HOLD:
        return Settled(item)
    beside = await _list_excluded(conn, item, now)
    if beside.until is not None:
        item = replace(item, valid_to=beside.until if item.valid_to is None else min(item.valid_to, beside.until))
    if facet is None:
        return Settled(item, over=beside.over, against=beside.against)
    where, since = (item.principal.org_id, item.brain_id, item.kind), since_of(item, now)
    told = (where, item.about, facet, since)
    holders, later = await claims.list_holders(conn, *told), await claims.find_next(conn, *told)
    if later is not None:
        next_id, began = later
        if not holders and claim.knows(next_id):
            return Settled(item, kept=next_id)
        item = replace(item, valid_to=began if item.valid_to is None else min(item.valid_to, began))
    if not holders:
        await claims.end_past(conn, *told)
    # What its speaker said before becomes the former version of it; what others said of it ends beside that.
    replaced = sorted((one for one in holders if gives_way(item, one)), key=lambda one: one.said_by != item.said_by)
    against = tuple(one.memory_id for one in holders if one not in replaced and not _agrees(item, one))
    former = replaced[0].memory_id if replaced else None
    over = dict.fromkeys((*(one.memory_id for one in replaced[1:]), *(one for one in beside.over if one != former)))
    return Settled(item, former=former, over=tuple(over), against=tuple(dict.fromkeys((*against, *beside.against))))


async def settle_again(conn: WriteConn, item: Compared, twin: UUID, now: datetime) -> Settled:
    """What becomes of the others because a statement that is known already, as `twin`, is said once more: those that give way end."""
    if item.claim is None or item.decision.effect is Effect.HOLD:
        return Settled(item)
    beside, facet = await _list_excluded(conn, item, now), facet_of(item)
    over, against = list(beside.over), list(beside.against)
    if facet is not None:
        where = (item.principal.org_id, item.brain_id, item.kind)
        for one in await claims.list_holders(conn, where, item.about, facet, since_of(item, now)):
            if one.memory_id != twin and not _agrees(item, one):
                (over if gives_way(item, one) else against).append(one.memory_id)
    return Settled(item, over=tuple(dict.fromkeys(over)), against=tuple(dict.fromkeys(against)))


@dataclass(frozen=True, slots=True)
class _Beside:
    """What holds and cannot hold beside a statement: memories that give way to it, and those that do not; and until when it holds itself,
    because it is told late, and one that counts for more began since.
    """

    over: tuple[UUID, ...] = ()
    against: tuple[UUID, ...] = ()
    until: datetime | None = None


async def _list_excluded(conn: WriteConn, item: Decided, now: datetime) -> _Beside:
    """SECURITY: what tools and web pages report contradicts, and ends nothing that somebody said."""
    claim = item.claim
    if claim is None or not item.about:
        return _Beside()
    over: list[UUID] = []
    against: list[UUID] = []
    until: list[datetime] = []
    where, since = (item.principal.org_id, item.brain_id, item.kind), since_of(item, now)
    for attribute in dict.fromkeys(one.attribute for one in claim.excludes):
        values = [one.value for one in claim.excludes if one.attribute == attribute]
        facet = claims.attribute_facet(attribute)
        for one in await claims.list_holders(conn, where, item.about, facet, max(since, now), EXCLUDED_MAX):
            if not any(_meet(value, one.value) for value in values):
                continue
            if one.valid_from is not None and one.valid_from > since:
                if counts_for_more(one.said_by, item.about, item.said_by, anew=False):
                    until.append(one.valid_from)
                else:
                    against.append(one.memory_id)
            else:
                (over if item.trust >= Trust.AGENT and gives_way(item, one) else against).append(one.memory_id)
    return _Beside(tuple(dict.fromkeys(over)), tuple(dict.fromkeys(against)), min(until, default=None))


def collide(item: Decided, other: Decided) -> bool:
    """True when one of two excludes what the other tells of the same subjects."""
    if (item.brain_id, item.kind, item.about) != (other.brain_id, other.kind, other.about):
        return False
    return _excludes(item, other) or _excludes(other, item)


def _excludes(item: Decided, other: Decided) -> bool:
    attribute, value = _told(other, "attribute"), _told(other, "value")
    known = () if item.claim is None else item.claim.excludes
    return any(one.attribute == attribute and _meet(one.value, value) for one in known)


def _meet(excluded: str | None, value: str | None) -> bool:
    """True when a value is one that is excluded; None is any."""
    return excluded is None or value is None or fold(excluded) == fold(value)


def since_of(item: Decided, now: datetime) -> datetime:
    """Since when a statement says that it holds."""
    return item.valid_from or (item.claim.since if item.claim is not None else None) or now


def ends_at(began: datetime | None, at: datetime) -> datetime:
    """When something ends of which somebody says at `at` that it is otherwise: not before it began, for nothing holds for less than no
    time.
    """
    return at if began is None or began < at else began + MOMENT


def gives_way(item: Decided, holder: Holder) -> bool:
    """True when the statement counts for more than what is known."""
    if item.kind is Kind.PROCEDURAL:
        return True
    began_before = holder.valid_from is None or (item.valid_from is not None and holder.valid_from < item.valid_from)
    return counts_for_more(item.said_by, item.about, holder.said_by, anew=item.valid_from is not None and began_before)


def counts_for_more(said_by: UUID | None, about: Sequence[UUID], known_by: UUID | None, *, anew: bool) -> bool:
    """True when what somebody says of subjects takes the place of what is known of them.

    Args:
        said_by: who says it; None when unknown.
        about: of whom.
        known_by: who said what is known.
        anew: it does not say that this was never so, but since when it is otherwise, or that it is over.
    """
    if said_by == known_by:
        return True
    return known_by not in about and (anew or said_by in about)


def _told(item: Decided, name: str) -> str | None:
    value = item.data.value.get(name) if isinstance(item.data.value, dict) else None
    return value if isinstance(value, str) else None


def _facets_of(item: Decided) -> set[str]:
    """What a statement tells and what it excludes."""
    facet, attribute = facet_of(item), _told(item, "attribute")
    found = set() if facet is None else {facet}
    if item.claim is not None and item.claim.excludes and item.about:
        told = (attribute, *(one.attribute for one in item.claim.excludes))
        found |= {claims.attribute_facet(one) for one in told if one is not None}
    return found


def _agrees(item: Decided, holder: Holder) -> bool:
    value = _told(item, "value")
    return holder.value is not None and value is not None and fold(value) == holder.value


def facet_of(item: Decided) -> str | None:
    """What a statement that was learned tells and only one memory at a time does; None for what may be told beside others."""
    if item.claim is None:
        return None
    if item.kind is not Kind.SEMANTIC:
        return named_facet(item.kind, item.data.value)
    return claims.attribute_facet(item.claim.attribute) if item.claim.attribute is not None and item.about else None


async def refuse_forgotten(conn: WriteConn, items: Sequence[Decided]) -> dict[int, ServiceError]:
    """What somebody has deleted since it was said is not learned from that conversation again; an error by place."""
    keys = {place: key for place, item in enumerate(items) if item.claim is not None and (key := key_of(item)) is not None}
    gone = await forgotten.find(conn, items[0].principal.org_id, set(keys.values())) if keys else {}
    refused: dict[int, ServiceError] = {}
    for place, key in keys.items():
        claim = items[place].claim
        if key in gone and claim is not None and claim.recorded_at is not None and claim.recorded_at <= gone[key]:
            refused[place] = PolicyRejected("this statement was deleted after it was said")
    return refused


def key_of(item: Decided) -> tuple[UUID, str, bytes] | None:
    """Brain, kind and key under which a statement is held once; None for what may repeat."""
    return None if item.duplicate_key is None else (item.brain_id, item.kind.value, item.duplicate_key)


def claim_of(item: Decided) -> tuple[object, ...] | None:
    """What only one memory of a brain tells at a time; None for what may be told beside others."""
    facet = facet_of(item)
    return None if facet is None else (item.brain_id, item.kind.value, item.about, facet)


def is_obeyed(one: Settled) -> bool:
    """True when a model's decision is to be done: nothing else says what the statement belongs to."""
    verdict = one.item.verdict
    return verdict is not None and verdict.action is not WriteAction.ADD and not one.against and one.item.decision.effect is not Effect.HOLD


def contradicted(item: Compared) -> tuple[UUID, ...]:
    """What a statement would replace by the word of a model, were it not somebody else's who counts for as much."""
    verdict = item.verdict
    if verdict is None or verdict.refused is not Refused.SAID_BY_ANOTHER or verdict.neighbour_id is None:
        return ()
    return (verdict.neighbour_id,)


def _name(item: Decided, facet: str) -> str:
    return f"memdb.claim.{item.brain_id}.{item.kind.value}.{facet}.{','.join(map(str, item.about))}"
