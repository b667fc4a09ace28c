"""What `memdb restore` does about erasures: what the ledger knows is erased from the restored database before anybody is served."""

from __future__ import annotations

from collections.abc import Sequence

from api.cli.loops import run_async
from api.cli.owning import Owned, open_database
from api.cli.secret import read_keyring
from api.container import build_runtime, close_runtime
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.directory.orgs import list_orgs
from memdb.keyring import Keyring
from memdb.lifecycle.erasure.again import Back, erase_again, find_back
from memdb.lifecycle.erasure.ledger_file import ledger_path, write_ledger
from memdb.lifecycle.erasure.orgs import forget_org
from memdb.storage.erasures import Tombstone
from memdb.storage.leftovers import add_tombstones, list_all_tombstones
from memdb.storage.owner import connect


def erase_again_of(settings: Settings, owned: Owned, tombstones: Sequence[Tombstone]) -> dict[str, int]:
    """Give the restored database its ledger back and erase what came back; erasures by their state, and orgs.

    Args:
        settings: of this process.
        owned: the restored database.
        tombstones: of the file and of the database that was replaced.
    """
    with connect(owned.url) as conn:
        add_tombstones(conn, tombstones)
        every = list_all_tombstones(conn)
        if not every:
            return {}
        keyring = read_keyring(settings)
        back = find_back(conn, keyring, every)
    write_ledger(ledger_path(settings), every)
    return run_async(_erase(settings, owned, keyring, back)) if back else {}


async def _erase(settings: Settings, owned: Owned, keyring: Keyring, back: Back) -> dict[str, int]:
    states: dict[str, int] = {}
    if back.orgs:
        async with open_database(owned) as database:
            names = {org.id: org.name for org in await list_orgs(database)}
            for org_id in back.orgs:
                await forget_org(database, keyring, names[org_id], SystemClock().now())
        states["orgs"] = len(back.orgs)
    if not back.objects:
        return states
    app_url = (
        owned.cluster.app_url if owned.cluster is not None else settings.database_url.get_secret_value() if settings.database_url else ""
    )
    runtime = await build_runtime(settings, app_url=app_url, keyring=keyring)
    try:
        return states | await erase_again(runtime, back)
    finally:
        await close_runtime(runtime)
