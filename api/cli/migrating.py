"""The work of `memdb migrate`."""

from __future__ import annotations

from api.cli.loops import run_async
from api.cli.owning import own
from api.cli.spaces import find_space
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.storage.migrate import MigrationReport, migrate


def run(settings: Settings) -> MigrationReport:
    """Migrate MEMDB_OWNER_URL, or the embedded database, which is made if it is not there. Raises as `memdb.storage.migrate.migrate`."""
    space = run_async(find_space(settings))
    with own(settings, make=True) as owned:
        report = migrate(owned.url, space, now=SystemClock().now())
        if owned.cluster is not None:
            owned.cluster.set_app_password()
    return report
