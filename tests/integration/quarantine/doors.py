"""Every door of the product, each with what it is asked in order to make it show a memory. A door without a row fails a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

ALL_WORDS: Final = "{words}"
_EDIT = {"tags": ["seen"]}
_TURN = {"turns": [{"text": "a harmless turn"}]}


@dataclass(frozen=True, slots=True)
class Knock:
    """What a route is asked; `{name}` stands for an id of the world, `{words}` for what the memory says.

    shows_held: why this door may show what is held, to a reviewer.
    """

    json: Any = None
    params: dict[str, str] | None = None
    text: str | None = None
    shows_held: str | None = None


ASKED = Knock()
_REVIEW = "reviewers decide on it"

ROUTES: Final[dict[tuple[str, str], Knock]] = {
    ("GET", "/healthz"): ASKED,
    ("HEAD", "/healthz"): ASKED,
    ("GET", "/readyz"): ASKED,
    ("HEAD", "/readyz"): ASKED,
    ("GET", "/metrics"): ASKED,
    ("POST", "/mcp"): Knock({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),  # each tool has a row below
    ("POST", "/v1/memories"): Knock({"content": "a harmless statement", "kind": "episodic", "brain_id": "{brain_id}"}),
    ("POST", "/v1/memories:batch"): Knock(text='{"content": "another harmless one", "kind": "episodic", "brain_id": "{brain_id}"}'),
    ("GET", "/v1/memories"): Knock(params={"limit": "200"}),
    ("POST", "/v1/memories/search"): Knock({"query": ALL_WORDS, "min_score": 0.0, "limit": 50, "token_budget": 2_000, "explain": True}),
    ("POST", "/v1/feedback"): Knock({"recall_id": "{recall_id}", "memory_id": "{memory_id}", "outcome": "helpful"}),
    ("GET", "/v1/memories/{memory_id}"): ASKED,
    ("GET", "/v1/memories/{memory_id}/history"): ASKED,
    ("PATCH", "/v1/memories/{memory_id}"): Knock(_EDIT),
    ("DELETE", "/v1/memories/{memory_id}"): ASKED,
    ("POST", "/v1/memories/{memory_id}:confirm"): Knock({}),
    ("POST", "/v1/memories/{memory_id}:share"): Knock({"brain_id": "{everybody}"}),
    ("POST", "/v1/memories/{memory_id}:resolve"): Knock({"keep_version": 1}),
    ("POST", "/v1/conflicts"): Knock({"memory_id": "{memory_id}", "other_id": "{other_id}"}),
    ("POST", "/v1/sessions"): Knock({"brain_id": "{brain_id}"}),
    ("GET", "/v1/sessions"): Knock(params={"limit": "200"}),
    ("GET", "/v1/sessions/{session_id}"): ASKED,
    ("POST", "/v1/sessions/{session_id}/turns"): Knock(_TURN),
    ("GET", "/v1/sessions/{session_id}/turns"): ASKED,
    ("GET", "/v1/sessions/{session_id}/turns/{turn_id}/learned"): ASKED,
    ("POST", "/v1/sessions/{session_id}/context"): Knock({"query": ALL_WORDS}),
    ("POST", "/v1/sessions/{session_id}:flush"): ASKED,
    ("POST", "/v1/sessions/{session_id}:close"): ASKED,
    ("GET", "/v1/sessions/{session_id}/snapshots"): ASKED,
    ("POST", "/v1/sessions/{session_id}/snapshots/{snapshot_id}:extract"): Knock({}),
    ("POST", "/v1/sessions/{session_id}/snapshots/{snapshot_id}:preview"): Knock({}),
    ("POST", "/v1/brains"): Knock({"kind": "room", "name": "harmless"}),
    ("GET", "/v1/brains"): ASKED,
    ("GET", "/v1/brains/{brain_id}"): ASKED,
    ("PATCH", "/v1/brains/{brain_id}"): Knock({"name": "harmless"}),
    ("GET", "/v1/brains/{brain_id}/members"): ASKED,
    ("POST", "/v1/brains/{brain_id}/members"): Knock({"subject_id": "{subject_id}", "role": "reader"}),
    ("PATCH", "/v1/brains/{brain_id}/members/{subject_id}"): Knock({"role": "reader"}),
    ("DELETE", "/v1/brains/{brain_id}/members/{subject_id}"): ASKED,
    ("GET", "/v1/brains/{brain_id}/conflicts"): ASKED,
    ("GET", "/v1/brains/{brain_id}/topics"): ASKED,
    ("POST", "/v1/brains/{brain_id}/topics:query"): Knock({"topic": "{topic}"}),
    ("POST", "/v1/brains/{brain_id}/units"): Knock({"topic": "harmless", "content": "a harmless unit"}),
    ("GET", "/v1/brains/{brain_id}/units/{unit_id}"): ASKED,
    ("POST", "/v1/brains/{brain_id}/notebook:import"): Knock({"name": "harmless", "text": "- a harmless line\n", "dry_run": True}),
    ("GET", "/v1/brains/{brain_id}/unattributed"): ASKED,
    ("POST", "/v1/brains/{brain_id}/unattributed/{memory_id}:assign"): Knock({"about": ["{subject_id}"]}),
    ("DELETE", "/v1/brains/{brain_id}/unattributed/{memory_id}"): ASKED,
    ("POST", "/v1/subjects"): Knock({"kind": "person", "name": "Harmless"}),
    ("GET", "/v1/subjects"): ASKED,
    ("POST", "/v1/subjects:lookup"): Knock({"platform": "slack", "external_id": "U0"}),
    ("POST", "/v1/subjects:resolve"): Knock({"name": "Rui"}),
    ("GET", "/v1/subjects/{subject_id}"): ASKED,
    ("PATCH", "/v1/subjects/{subject_id}"): Knock({"name": "Rui"}),
    ("POST", "/v1/subjects/{subject_id}:merge"): Knock({"into_id": "{subject_id}"}),
    ("POST", "/v1/subjects/{subject_id}:split"): ASKED,
    ("POST", "/v1/subjects/{subject_id}/aliases"): Knock({"alias": "Ruizinho"}),
    ("POST", "/v1/subjects/{subject_id}/identities"): Knock({"platform": "slack", "external_id": "U1"}),
    ("GET", "/v1/subjects/{subject_id}/members"): ASKED,
    ("POST", "/v1/subjects/{subject_id}/members"): Knock({"subject_id": "{subject_id}"}),
    ("DELETE", "/v1/subjects/{subject_id}/members/{member_id}"): ASKED,
    ("GET", "/v1/subjects/{subject_id}/card"): ASKED,
    ("POST", "/v1/subjects/{subject_id}/drawer:grep"): Knock({"pattern": ".", "regex": True, "placement": "all", "limit": 200}),
    ("GET", "/v1/subjects/{subject_id}/notes.md"): ASKED,
    ("POST", "/v1/admin/keys"): Knock(
        {"subject_id": "{subject_id}", "writer_label": "x", "max_role": "reader", "trust": "agent", "reason": "x"}
    ),
    ("GET", "/v1/admin/keys"): ASKED,
    ("DELETE", "/v1/admin/keys/{key_id}"): ASKED,
    ("GET", "/v1/admin/jobs"): Knock(params={"state": "waiting"}),
    ("POST", "/v1/admin/jobs:retry"): Knock({"brain_id": "{brain_id}", "snapshot_id": "{snapshot_id}", "handler": "semantic"}),
    ("POST", "/v1/admin/quarantine:preview"): Knock({"selection": {"ids": ["{memory_id}"]}}, shows_held=_REVIEW),
    ("POST", "/v1/admin/quarantine"): Knock({"selection": {"ids": ["{memory_id}"]}, "expected": 0}),
    ("GET", "/v1/admin/quarantine"): ASKED,
    ("GET", "/v1/admin/quarantine/{action_id}"): ASKED,
    ("POST", "/v1/admin/quarantine/{action_id}:release"): ASKED,
    ("GET", "/v1/admin/reviews"): Knock(shows_held=_REVIEW),
    ("GET", "/v1/admin/reviews/{memory_id}"): Knock(shows_held=_REVIEW),
    ("POST", "/v1/admin/reviews/{memory_id}:release"): Knock({"action_id": "{memory_id}"}),
    ("POST", "/v1/admin/reviews/{memory_id}:purge"): ASKED,
    ("POST", "/v1/admin/reviews:decide"): Knock({"decision": "release", "memory_ids": ["{other_id}"]}),
    ("GET", "/v1/keys"): ASKED,
    ("POST", "/v1/admin/keys/{key_id}:rotate"): Knock({"reason": "tests"}),
    ("GET", "/v1/brains/{brain_id}/looks"): ASKED,
    ("POST", "/v1/admin/brains/{brain_id}:break-glass"): Knock({"reason": "a look into what went wrong there"}),
    ("DELETE", "/v1/admin/brains/{brain_id}/looks/{look_id}"): ASKED,
    ("GET", "/v1/admin/audit"): ASKED,
    ("GET", "/v1/admin/audit/reads/{memory_id}"): ASKED,
    ("POST", "/v1/memories/{memory_id}:forget"): Knock({"dry_run": True}),
    ("POST", "/v1/sessions/{session_id}:forget"): Knock({"dry_run": True}),
    ("POST", "/v1/episodes/{episode_id}:forget"): Knock({"dry_run": True}),
    ("POST", "/v1/subjects/{subject_id}:forget"): Knock({"dry_run": True}),
    ("GET", "/v1/admin/erasures"): ASKED,
    ("GET", "/v1/admin/erasures/{erasure_id}"): ASKED,
    ("GET", "/v1/admin/erasures/{erasure_id}/decisions"): ASKED,
    ("POST", "/v1/admin/erasures/{erasure_id}:decide"): Knock({"decision": "keep", "objects": ["{memory_id}"]}),
    ("POST", "/v1/admin/policy:preview"): Knock({}),
    ("GET", "/v1/admin/policy"): ASKED,
    ("PUT", "/v1/admin/policy"): Knock({}),
    ("GET", "/v1/admin/policy/versions"): ASKED,
    ("GET", "/v1/admin/extraction"): ASKED,
}
LAST: Final = (
    ("POST", "/v1/admin/quarantine/{action_id}:release"),
    ("POST", "/v1/admin/reviews/{memory_id}:purge"),
    ("POST", "/v1/admin/brains/{brain_id}:break-glass"),
)
"""Doors after which nothing is held any more, or what was foreign is not."""

TOOLS: Final[dict[str, dict[str, Any]]] = {
    "list_brains": {},
    "query_brain": {"brain_id": "{brain_id}", "topic": "{topic}"},
    "write_unit": {"brain_id": "{brain_id}", "topic": "harmless", "content": "a harmless unit"},
    "read_unit": {"brain_id": "{brain_id}", "unit_id": "{unit_id}"},
    "report_conflict": {"memory_id": "{memory_id}", "other_id": "{other_id}"},
    "remember": {"content": "a harmless statement of a tool"},
    "recall": {"query": ALL_WORDS},
    "get_context": {"query": ALL_WORDS, "session_id": "{session_id}"},
    "update_memory": {"memory_id": "{memory_id}", "content": "a harmless edit"},
    "forget_memory": {"memory_id": "{memory_id}"},
    "give_feedback": {"recall_id": "{recall_id}", "memory_id": "{memory_id}", "outcome": "used"},
    "record_turns": {"conversation": "harmless", "turns": [{"text": "a harmless turn"}]},
    "resolve_subject": {"name": "Rui"},
    "get_card": {"subject_id": "{subject_id}"},
    "grep_memory": {"subject_id": "{subject_id}", "pattern": "a"},
}

_OWNER = "the owner of the database, who prints ids and counts and no text"
_SERVES = "starts a process that serves the routes above"
_NONE = "shows no memory"
COMMANDS: Final[dict[str, tuple[str, str] | str]] = {
    "up": _SERVES,
    "serve": _SERVES,
    "worker": _NONE,
    "migrate": _NONE,
    "demo": "a database of its own with texts of its own",
    "org create": _NONE,
    "org list": _NONE,
    "org delete": _NONE,
    "key create": _NONE,
    "key list": _NONE,
    "key revoke": _NONE,
    "redact scan": _OWNER,
    "audit verify": _OWNER,
    "audit seal": _OWNER,
    "audit archive": _OWNER,
    "audit reseal": _OWNER,
    "quarantine preview": ("POST", "/v1/admin/quarantine:preview"),
    "quarantine run": ("POST", "/v1/admin/quarantine"),
    "quarantine list": ("GET", "/v1/admin/quarantine"),
    "quarantine show": ("GET", "/v1/admin/quarantine/{action_id}"),
    "quarantine release": ("POST", "/v1/admin/quarantine/{action_id}:release"),
    "review list": ("GET", "/v1/admin/reviews"),
    "review show": ("GET", "/v1/admin/reviews/{memory_id}"),
    "review release": ("POST", "/v1/admin/reviews/{memory_id}:release"),
    "review purge": ("POST", "/v1/admin/reviews:decide"),
    "brain list": ("GET", "/v1/brains"),
    "people list": ("GET", "/v1/subjects"),
    "people resolve": ("POST", "/v1/subjects:resolve"),
    "people merge": ("POST", "/v1/subjects/{subject_id}:merge"),
    "people split": ("POST", "/v1/subjects/{subject_id}:split"),
    "people card": ("GET", "/v1/subjects/{subject_id}/card"),
    "people grep": ("POST", "/v1/subjects/{subject_id}/drawer:grep"),
    "people notes": ("GET", "/v1/subjects/{subject_id}/notes.md"),
    "people export": ("GET", "/v1/subjects/{subject_id}/notes.md"),
    "people import-notebook": ("POST", "/v1/brains/{brain_id}/notebook:import"),
    "people unattributed": ("GET", "/v1/brains/{brain_id}/unattributed"),
    "people assign": ("POST", "/v1/brains/{brain_id}/unattributed/{memory_id}:assign"),
    "sessions list": ("GET", "/v1/sessions"),
    "sessions tail": ("GET", "/v1/sessions/{session_id}/turns"),
    "config apply": ("PUT", "/v1/admin/policy"),
    "config status": ("GET", "/v1/admin/extraction"),
    "remember": ("POST", "/v1/memories"),
    "recall": ("POST", "/v1/memories/search"),
    "feedback": ("POST", "/v1/feedback"),
    "import": ("POST", "/v1/memories:batch"),
    "export": ("GET", "/v1/memories"),
    "backup": "the owner of the database; a copy of all of it, for restore",
    "restore": _NONE,
    "mcp": ("POST", "/mcp"),
    "doctor": _NONE,
    "key rotate": _NONE,
    "policy history": ("GET", "/v1/admin/policy/versions"),
    "policy check": ("POST", "/v1/admin/policy:preview"),
    "policy show": ("GET", "/v1/admin/policy"),
    "policy apply": ("PUT", "/v1/admin/policy"),
    "brain looks": ("GET", "/v1/brains/{brain_id}/looks"),
    "brain break-glass": ("POST", "/v1/admin/brains/{brain_id}:break-glass"),
    "brain end-look": ("DELETE", "/v1/admin/brains/{brain_id}/looks/{look_id}"),
    "forget subject": ("POST", "/v1/subjects/{subject_id}:forget"),
    "forget memory": ("POST", "/v1/memories/{memory_id}:forget"),
    "forget session": ("POST", "/v1/sessions/{session_id}:forget"),
    "forget source": ("POST", "/v1/episodes/{episode_id}:forget"),
    "forget show": ("GET", "/v1/admin/erasures/{erasure_id}"),
    "forget decide": ("POST", "/v1/admin/erasures/{erasure_id}:decide"),
    "forget org": _OWNER,
    "forget ledger": _OWNER,
    "forget verify": _NONE,
}
