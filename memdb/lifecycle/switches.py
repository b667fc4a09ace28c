"""Which kinds are learned from turns: as the org has set, else as the server is set. Writing a kind directly is never switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.policy.memory_rules import EXTRACTIONS
from memdb.models.memory import Kind
from memdb.storage.policies import DEFAULT_POLICY, find_policy

if TYPE_CHECKING:
    from uuid import UUID

    from governance.policy.memory_rules import MemoryRules
    from memdb.config import Settings
    from memdb.runtime import Runtime
    from memdb.storage.database import ReadConn, WriteConn


def enabled_handlers(settings: Settings, rules: MemoryRules) -> tuple[Kind, ...]:
    """The kinds whose handlers read snapshots of an org, in their order."""
    wanted = settings.learned if rules.extractions is None else rules.extractions
    return tuple(Kind(name) for name in EXTRACTIONS if name in wanted)


async def find_enabled(runtime: Runtime, conn: ReadConn | WriteConn, org_id: UUID) -> tuple[Kind, ...]:
    """The same by the policy that this transaction sees and the settings of this process."""
    row = await find_policy(conn, org_id) or DEFAULT_POLICY
    return enabled_handlers(runtime.settings, row.document.compile(row.version).memory)
