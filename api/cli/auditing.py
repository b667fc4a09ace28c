"""The work of `memdb audit`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from api.cli.loops import run_async
from api.cli.output import Advance, plain
from api.cli.owning import Owned, open_database, own
from api.cli.secret import read_keyring
from memdb.auditing.damage import Damage, Report
from memdb.auditing.heads import path_of, read_head
from memdb.auditing.resealing import Resealed, list_orgs, reseal_org
from memdb.auditing.sealing import Sealer, seal_org
from memdb.auditing.verifying import verify_org
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.errors import ConfigurationError
from memdb.keyring import Keyring
from memdb.storage.checks import check_schema
from memdb.storage.owner import Connection, connect


@contextmanager
def _opened(settings: Settings, org: str | None) -> Iterator[tuple[Connection, Keyring, list[tuple[str, UUID]]]]:
    keyring = read_keyring(settings)
    with own(settings) as owned, connect(owned.url) as conn:
        check_schema(conn)
        orgs = list_orgs(conn, org)
        if org is not None and not orgs:
            raise _no_org(org)
        yield conn, keyring, orgs


def verify(settings: Settings, org: str | None, head: Path | None, advance: Advance) -> list[Report]:
    """Check orgs against their heads.

    Raises:
        ConfigurationError: no such org, or the head cannot be read; a head of one org needs that org alone.
        StorageUnavailable: the database cannot be reached.
    """
    reports = []
    with _opened(settings, org) as (conn, keyring, orgs):
        if head is not None and len(orgs) != 1:
            raise ConfigurationError("a head is of one org; name it with --org")
        for each in orgs:
            path = head or path_of(settings.heads, each[1])
            exported = read_head(path, keyring)
            if head is not None and exported is None:
                raise ConfigurationError(f"there is no file {head}")
            reports.append(verify_org(conn, keyring, each, exported, advance))
    return reports


def reseal(settings: Settings, org: str | None, advance: Advance) -> list[Resealed]:
    """Accept what orgs hold. Raises as `verify`."""
    with _opened(settings, org) as (conn, keyring, orgs):
        done = [reseal_org(conn, keyring, each, path_of(settings.heads, each[1]), SystemClock().now(), advance) for each in orgs]
    # The head that follows vouches for everything, what an earlier release left without seals included.
    seal(settings, org, accept=True)
    return done


def report_lines(report: Report) -> list[str]:
    """What to say of an org, for people."""
    looked = f"{report.events} events, {report.memories} memories, {report.versions} older versions, {report.vectors} vectors"
    said = [f"org {report.org}: {'intact' if report.intact else 'DAMAGED'}; looked at {looked}"]
    said += [f"  {found}" for found in report.first]
    said += [f"  and more: {report.counts[damage]} of {damage.value} in all" for damage in sorted(_more(report))]
    if report.earlier:
        said.append(f"  {report.earlier} records of a release before the chain; memdb audit reseal gives them all seals")
    if report.accepted:
        said.append(f"  {report.accepted} records of the log were accepted as they are, with memdb audit reseal")
    if report.head_at is None:
        said.append("  no head is exported: a log that was cut at its end, or an older database in its place, is not noticed")
    else:
        said.append(f"  head: position {report.head_position}, exported {report.head_at:%Y-%m-%d %H:%M:%S} UTC")
    said.append(f"  behind the head: {report.unexported} events, of them {report.unsealed} not sealed yet" + _oldest(report))
    return said


def _more(report: Report) -> set[Damage]:
    named = [found.damage for found in report.first]
    return {damage for damage, count in report.counts.items() if count > named.count(damage)}


def _oldest(report: Report) -> str:
    return "" if report.oldest_unsealed is None else f", the oldest of {report.oldest_unsealed:%Y-%m-%d %H:%M:%S} UTC"


def report_json(report: Report) -> dict[str, Any]:
    """The same for programs."""
    return {
        "org": report.org,
        "org_id": str(report.org_id),
        "intact": report.intact,
        "events": report.events,
        "memories": report.memories,
        "versions": report.versions,
        "vectors": report.vectors,
        "earlier": report.earlier,
        "accepted": report.accepted,
        "unsealed": report.unsealed,
        "oldest_unsealed": report.oldest_unsealed,
        "head_position": report.head_position,
        "head_exported_at": report.head_at,
        "unexported": report.unexported,
        "damage": {damage.value: count for damage, count in sorted(report.counts.items())},
        "first": [
            {"damage": f.damage.value, "object_kind": f.object_kind, "object_id": f.object_id, "place": f.place} for f in report.first
        ],
    }


def seal(settings: Settings, org: str | None, *, accept: bool = False) -> dict[str, int]:
    """Chain what waits now, and export the heads; how many events of which org. `accept`: see Sealer.

    Raises AuditDiverged, and as `verify`.
    """
    keyring = read_keyring(settings)
    with own(settings) as owned:
        with connect(owned.url) as conn:
            check_schema(conn)
            orgs = list_orgs(conn, org)
        if org is not None and not orgs:
            raise _no_org(org)
        return run_async(_seal(settings, owned, keyring, orgs, accept=accept))


async def _seal(settings: Settings, owned: Owned, keyring: Keyring, orgs: list[tuple[str, UUID]], *, accept: bool) -> dict[str, int]:
    async with open_database(owned) as database:
        by = Sealer(database, keyring, settings.heads, SystemClock(), accept)
        done: dict[str, int] = {}
        for name, org_id in orgs:
            done[name] = 0
            more = True
            while more:
                sealed = await seal_org(by, org_id)
                done[name], more = done[name] + sealed.events, sealed.more
        return done


def _no_org(name: str) -> ConfigurationError:
    return ConfigurationError(f"there is no org {plain(name[:80])}; memdb org list shows them")
