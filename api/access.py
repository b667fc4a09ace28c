"""Who may call what: one line for each route. A route without a line is refused when the application is made."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from governance.principals import Capability
from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from starlette.types import Scope


class Door(StrEnum):
    """What a caller needs before a route looks at anything."""

    PUBLIC = "public"
    LOOPBACK_OR_KEY = "loopback_or_key"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Access:
    """What one route needs. With several capabilities any of them is enough; none means any key. `shows`: its replies hold content of
    memories or of what was said, so that each leaves an event (memdb/auditing/reading.py).
    """

    door: Door
    capabilities: frozenset[Capability] = frozenset()
    shows: bool = False

    @property
    def showing(self) -> Access:
        """The same of a route that shows content."""
        return replace(self, shows=True)


PUBLIC = Access(Door.PUBLIC)
ANY_KEY = Access(Door.KEY)
READS = ANY_KEY.showing
ADMIN = Access(Door.KEY, frozenset({Capability.ADMIN}))
AUDITOR = Access(Door.KEY, frozenset({Capability.AUDITOR}))
ADMIN_OR_AUDITOR = Access(Door.KEY, frozenset({Capability.ADMIN, Capability.AUDITOR}))
REVIEWER = Access(Door.KEY, frozenset({Capability.REVIEWER}))
ADMIN_OR_REVIEWER = Access(Door.KEY, frozenset({Capability.ADMIN, Capability.REVIEWER}))
DIRECTORY_EDITOR = Access(Door.KEY, frozenset({Capability.ADMIN, Capability.LOADER}))
# Figures of the whole server, so of every org.
SERVER_FIGURES = Access(Door.LOOPBACK_OR_KEY, frozenset({Capability.OPERATOR}))

ROUTES: Mapping[tuple[str, str], Access] = MappingProxyType(
    {
        ("GET", "/healthz"): PUBLIC,
        ("HEAD", "/healthz"): PUBLIC,
        ("GET", "/readyz"): PUBLIC,  # the status alone; the route shows details to loopback and to keys
        ("HEAD", "/readyz"): PUBLIC,
        ("GET", "/metrics"): SERVER_FIGURES,
        ("POST", "/mcp"): READS,  # each tool asks for what its HTTP route asks for
        # memories
        ("POST", "/v1/memories"): ANY_KEY,
        ("POST", "/v1/memories:batch"): ANY_KEY,
        ("GET", "/v1/memories"): READS,
        ("POST", "/v1/memories/search"): READS,
        ("POST", "/v1/feedback"): ANY_KEY,
        ("GET", "/v1/memories/{memory_id}"): READS,
        ("GET", "/v1/memories/{memory_id}/history"): READS,
        ("PATCH", "/v1/memories/{memory_id}"): ANY_KEY,
        ("DELETE", "/v1/memories/{memory_id}"): ANY_KEY,
        ("POST", "/v1/memories/{memory_id}:confirm"): READS,
        ("POST", "/v1/memories/{memory_id}:share"): ANY_KEY,
        ("POST", "/v1/memories/{memory_id}:resolve"): READS,
        ("POST", "/v1/memories/{memory_id}:forget"): ANY_KEY,
        ("POST", "/v1/conflicts"): ANY_KEY,
        # sessions
        ("POST", "/v1/sessions"): ANY_KEY,
        ("GET", "/v1/sessions"): ANY_KEY,
        ("GET", "/v1/sessions/{session_id}"): ANY_KEY,
        ("POST", "/v1/sessions/{session_id}/turns"): ANY_KEY,
        ("GET", "/v1/sessions/{session_id}/turns"): READS,
        ("GET", "/v1/sessions/{session_id}/turns/{turn_id}/learned"): READS,
        ("POST", "/v1/sessions/{session_id}/context"): READS,
        ("POST", "/v1/sessions/{session_id}:flush"): ANY_KEY,
        ("POST", "/v1/sessions/{session_id}:close"): ANY_KEY,
        ("POST", "/v1/sessions/{session_id}:forget"): ANY_KEY,
        ("POST", "/v1/episodes/{episode_id}:forget"): ANY_KEY,
        ("GET", "/v1/sessions/{session_id}/snapshots"): ANY_KEY,
        ("POST", "/v1/sessions/{session_id}/snapshots/{snapshot_id}:extract"): ANY_KEY,
        ("POST", "/v1/sessions/{session_id}/snapshots/{snapshot_id}:preview"): ANY_KEY,
        # brains
        ("POST", "/v1/brains"): ANY_KEY,
        ("GET", "/v1/brains"): ANY_KEY,
        ("GET", "/v1/brains/{brain_id}"): ANY_KEY,
        ("PATCH", "/v1/brains/{brain_id}"): ANY_KEY,
        ("GET", "/v1/brains/{brain_id}/members"): ANY_KEY,
        ("POST", "/v1/brains/{brain_id}/members"): ANY_KEY,
        ("PATCH", "/v1/brains/{brain_id}/members/{subject_id}"): ANY_KEY,
        ("DELETE", "/v1/brains/{brain_id}/members/{subject_id}"): ANY_KEY,
        ("GET", "/v1/brains/{brain_id}/looks"): ANY_KEY,
        ("GET", "/v1/brains/{brain_id}/conflicts"): READS,
        ("GET", "/v1/brains/{brain_id}/topics"): READS,
        ("POST", "/v1/brains/{brain_id}/topics:query"): READS,
        ("POST", "/v1/brains/{brain_id}/units"): ANY_KEY,
        ("GET", "/v1/brains/{brain_id}/units/{unit_id}"): READS,
        ("POST", "/v1/brains/{brain_id}/notebook:import"): ANY_KEY,
        ("GET", "/v1/brains/{brain_id}/unattributed"): READS,
        ("POST", "/v1/brains/{brain_id}/unattributed/{memory_id}:assign"): ANY_KEY,
        ("DELETE", "/v1/brains/{brain_id}/unattributed/{memory_id}"): ANY_KEY,
        # subjects
        ("POST", "/v1/subjects"): DIRECTORY_EDITOR,
        ("GET", "/v1/subjects"): ANY_KEY,
        ("POST", "/v1/subjects:lookup"): ANY_KEY,
        ("POST", "/v1/subjects:resolve"): ANY_KEY,
        ("GET", "/v1/subjects/{subject_id}"): ANY_KEY,
        ("PATCH", "/v1/subjects/{subject_id}"): DIRECTORY_EDITOR,
        ("POST", "/v1/subjects/{subject_id}:merge"): ADMIN,
        ("POST", "/v1/subjects/{subject_id}:split"): ADMIN,
        ("POST", "/v1/subjects/{subject_id}:forget"): ADMIN,
        ("POST", "/v1/subjects/{subject_id}/aliases"): DIRECTORY_EDITOR,
        ("POST", "/v1/subjects/{subject_id}/identities"): DIRECTORY_EDITOR,
        ("GET", "/v1/subjects/{subject_id}/members"): ANY_KEY,
        ("POST", "/v1/subjects/{subject_id}/members"): ADMIN,
        ("DELETE", "/v1/subjects/{subject_id}/members/{member_id}"): ADMIN,
        # cards and drawers
        ("GET", "/v1/subjects/{subject_id}/card"): READS,
        ("POST", "/v1/subjects/{subject_id}/drawer:grep"): READS,
        ("GET", "/v1/subjects/{subject_id}/notes.md"): READS,
        # looks of administrators
        ("POST", "/v1/admin/brains/{brain_id}:break-glass"): ADMIN,
        ("DELETE", "/v1/admin/brains/{brain_id}/looks/{look_id}"): ADMIN,
        # keys
        ("GET", "/v1/keys"): ANY_KEY,
        ("POST", "/v1/admin/keys"): ADMIN,
        ("GET", "/v1/admin/keys"): ADMIN,
        ("DELETE", "/v1/admin/keys/{key_id}"): ADMIN,
        ("POST", "/v1/admin/keys/{key_id}:rotate"): ANY_KEY,  # an admin, or the key itself: memdb/directory/rotating.py
        # audit
        ("GET", "/v1/admin/audit"): AUDITOR,
        ("GET", "/v1/admin/audit/reads/{memory_id}"): AUDITOR,
        # jobs
        ("GET", "/v1/admin/jobs"): ADMIN,
        ("POST", "/v1/admin/jobs:retry"): ADMIN,
        # quarantine and review
        ("POST", "/v1/admin/quarantine:preview"): ADMIN_OR_REVIEWER.showing,
        ("POST", "/v1/admin/quarantine"): ADMIN_OR_REVIEWER,
        ("GET", "/v1/admin/quarantine"): ADMIN_OR_REVIEWER,
        ("GET", "/v1/admin/quarantine/{action_id}"): ADMIN_OR_REVIEWER,
        ("POST", "/v1/admin/quarantine/{action_id}:release"): ADMIN_OR_REVIEWER,
        ("GET", "/v1/admin/reviews"): REVIEWER.showing,
        ("GET", "/v1/admin/reviews/{memory_id}"): REVIEWER.showing,
        ("POST", "/v1/admin/reviews/{memory_id}:release"): REVIEWER,
        ("POST", "/v1/admin/reviews/{memory_id}:purge"): REVIEWER,
        ("POST", "/v1/admin/reviews:decide"): REVIEWER,
        # erasures
        ("GET", "/v1/admin/erasures"): ADMIN_OR_AUDITOR,
        ("GET", "/v1/admin/erasures/{erasure_id}"): ADMIN_OR_AUDITOR,
        ("GET", "/v1/admin/erasures/{erasure_id}/decisions"): ADMIN_OR_AUDITOR,
        ("POST", "/v1/admin/erasures/{erasure_id}:decide"): ADMIN,
        # policy
        ("GET", "/v1/admin/policy"): ADMIN_OR_AUDITOR,
        ("PUT", "/v1/admin/policy"): ADMIN,
        ("POST", "/v1/admin/policy:preview"): ADMIN,
        ("GET", "/v1/admin/policy/versions"): ADMIN_OR_AUDITOR,
        ("GET", "/v1/admin/extraction"): ADMIN_OR_AUDITOR,
    }
)


def get_access(method: str, path: str) -> Access:
    """What a route needs.

    Raises:
        ConfigurationError: it has no line above.
    """
    found = ROUTES.get((method, path))
    if found is None:
        raise ConfigurationError(f"{method} {path} has no line in the access table")
    return found


def is_loopback(scope: Scope) -> bool:
    """True for a request that this machine made to itself directly.

    SECURITY: a proxy on the same machine forwards for others, and a page in a browser can send here under a name of its own; both are
    told by their headers.
    """
    client = scope.get("client")
    if client is None or not _is_loopback_address(client[0]):
        return False
    headers = Headers(scope=scope)
    if any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via")):
        return False
    host = headers.get("host", "")
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower() == "localhost" or _is_loopback_address(name)


def _is_loopback_address(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False
