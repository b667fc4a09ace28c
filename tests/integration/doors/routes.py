"""Every route of the product. One without a row fails a test."""

from __future__ import annotations

from typing import Final

from tests.integration.doors.rows import FOR_REVIEWERS, PLAIN, SHOWS, Row, refusing

_TURN: Final = {"turns": [{"text": "a harmless turn"}]}
_GRANT: Final = {"subject_id": "{subject_id}", "writer_label": "x", "max_role": "reader", "trust": "agent", "reason": "x"}
_PREVIEW: Final = {"selection": {"ids": ["{memory_id}"]}, "shown": 10}

ROUTES: Final[dict[tuple[str, str], Row]] = {
    ("GET", "/healthz"): PLAIN,
    ("HEAD", "/healthz"): PLAIN,
    ("GET", "/readyz"): PLAIN,
    ("HEAD", "/readyz"): PLAIN,
    ("GET", "/metrics"): refusing(403),  # figures of every org, for operators
    ("POST", "/mcp"): Row({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),  # each tool has a row of its own
    # memories
    ("POST", "/v1/memories"): Row({"content": "a harmless statement", "kind": "episodic", "brain_id": "{brain_id}"}),
    ("POST", "/v1/memories:batch"): Row(text='{{"content": "another harmless one", "kind": "episodic", "brain_id": "{brain_id}"}}'),
    ("GET", "/v1/memories"): Row(params={"limit": "200"}, shows=True),
    ("POST", "/v1/memories/search"): Row(
        {"query": "{words}", "min_score": 0.0, "limit": 50, "token_budget": 2_000, "explain": True}, shows=True
    ),
    ("POST", "/v1/feedback"): Row({"recall_id": "{recall_id}", "memory_id": "{memory_id}", "outcome": "helpful"}),
    ("GET", "/v1/memories/{memory_id}"): SHOWS,
    ("GET", "/v1/memories/{memory_id}/history"): SHOWS,
    ("PATCH", "/v1/memories/{memory_id}"): Row({"tags": ["{tag}", "seen"]}),
    ("POST", "/v1/memories/{memory_id}:confirm"): Row({}, shows=True),
    ("POST", "/v1/memories/{memory_id}:share"): Row({"brain_id": "{everybody}"}),
    ("POST", "/v1/memories/{memory_id}:forget"): Row({"dry_run": True}),
    ("POST", "/v1/conflicts"): Row({"memory_id": "{memory_id}", "other_id": "{other_id}"}),
    # sessions
    ("POST", "/v1/sessions"): Row({"brain_id": "{brain_id}"}),
    ("GET", "/v1/sessions"): Row(params={"limit": "200"}, shows=True),
    ("GET", "/v1/sessions/{session_id}"): SHOWS,
    ("POST", "/v1/sessions/{session_id}/turns"): Row(_TURN),
    ("GET", "/v1/sessions/{session_id}/turns"): SHOWS,
    ("GET", "/v1/sessions/{session_id}/turns/{turn_id}/learned"): PLAIN,
    ("POST", "/v1/sessions/{session_id}/context"): Row({"query": "{words}"}, shows=True),
    ("POST", "/v1/sessions/{session_id}:flush"): SHOWS,
    ("POST", "/v1/sessions/{session_id}:forget"): Row({"dry_run": True}),
    ("POST", "/v1/episodes/{episode_id}:forget"): Row({"dry_run": True}),
    ("GET", "/v1/sessions/{session_id}/snapshots"): PLAIN,
    ("POST", "/v1/sessions/{session_id}/snapshots/{snapshot_id}:extract"): Row({}),
    ("POST", "/v1/sessions/{session_id}/snapshots/{snapshot_id}:preview"): Row({}),
    # brains
    ("POST", "/v1/brains"): Row({"kind": "room", "name": "harmless"}),
    ("GET", "/v1/brains"): PLAIN,
    ("GET", "/v1/brains/{brain_id}"): PLAIN,
    ("PATCH", "/v1/brains/{brain_id}"): Row({"name": "harmless"}),
    ("GET", "/v1/brains/{brain_id}/members"): PLAIN,
    ("POST", "/v1/brains/{brain_id}/members"): refusing(409, json={"subject_id": "{subject_id}", "role": "reader"}),
    ("PATCH", "/v1/brains/{brain_id}/members/{subject_id}"): Row({"role": "reader"}),
    ("GET", "/v1/brains/{brain_id}/looks"): PLAIN,
    ("GET", "/v1/brains/{brain_id}/conflicts"): SHOWS,
    ("GET", "/v1/brains/{brain_id}/topics"): SHOWS,
    ("POST", "/v1/brains/{brain_id}/topics:query"): Row({"topic": "{topic}"}, shows=True),
    ("POST", "/v1/brains/{brain_id}/units"): Row({"topic": "harmless", "content": "a harmless unit"}),
    ("GET", "/v1/brains/{brain_id}/units/{unit_id}"): SHOWS,
    ("POST", "/v1/brains/{brain_id}/notebook:import"): Row({"name": "harmless", "text": "- a harmless line\n", "dry_run": True}),
    ("GET", "/v1/brains/{brain_id}/unattributed"): SHOWS,
    ("POST", "/v1/brains/{brain_id}/unattributed/{memory_id}:assign"): refusing(404, json={"about": ["{subject_id}"]}),
    ("DELETE", "/v1/brains/{brain_id}/unattributed/{memory_id}"): refusing(404),
    # subjects
    ("POST", "/v1/subjects"): Row({"kind": "person", "name": "Harmless"}),
    ("GET", "/v1/subjects"): PLAIN,
    ("POST", "/v1/subjects:lookup"): refusing(404, json={"platform": "slack", "external_id": "U0"}),
    ("POST", "/v1/subjects:resolve"): Row({"name": "Rui"}),
    ("GET", "/v1/subjects/{subject_id}"): PLAIN,
    ("PATCH", "/v1/subjects/{subject_id}"): Row({"name": "Rui"}),
    ("POST", "/v1/subjects/{subject_id}:merge"): refusing(422, json={"into_id": "{subject_id}"}),
    ("POST", "/v1/subjects/{subject_id}:split"): refusing(404),
    ("POST", "/v1/subjects/{subject_id}:forget"): Row({"dry_run": True}),
    ("POST", "/v1/subjects/{subject_id}/aliases"): Row({"alias": "Ruizinho"}),
    ("POST", "/v1/subjects/{subject_id}/identities"): Row({"platform": "slack", "external_id": "U1"}),
    ("GET", "/v1/subjects/{subject_id}/members"): refusing(422),
    ("POST", "/v1/subjects/{subject_id}/members"): refusing(422, json={"subject_id": "{subject_id}"}),
    ("DELETE", "/v1/subjects/{subject_id}/members/{member_id}"): refusing(422),
    ("GET", "/v1/subjects/{subject_id}/card"): SHOWS,
    ("POST", "/v1/subjects/{subject_id}/drawer:grep"): Row({"pattern": ".", "regex": True, "placement": "all", "limit": 200}, shows=True),
    ("GET", "/v1/subjects/{subject_id}/notes.md"): SHOWS,
    # administration
    ("DELETE", "/v1/admin/brains/{brain_id}/looks/{look_id}"): refusing(404),
    ("GET", "/v1/keys"): PLAIN,
    ("POST", "/v1/admin/keys"): Row(_GRANT),
    ("GET", "/v1/admin/keys"): PLAIN,
    ("POST", "/v1/admin/keys/{key_id}:rotate"): Row({"reason": "tests"}),
    ("GET", "/v1/admin/audit"): Row(params={"limit": "200"}),
    ("GET", "/v1/admin/audit/reads"): Row(params={"memory_id": "{memory_id}"}),
    ("GET", "/v1/admin/jobs"): Row(params={"state": "waiting"}),
    ("POST", "/v1/admin/jobs:retry"): refusing(409, json={"brain_id": "{brain_id}", "snapshot_id": "{snapshot_id}", "handler": "semantic"}),
    ("POST", "/v1/admin/quarantine:preview"): Row(_PREVIEW, shows=True, shows_held=FOR_REVIEWERS),
    ("POST", "/v1/admin/quarantine"): refusing(409, json={"selection": {"ids": ["{memory_id}"]}, "expected": 0}),
    ("GET", "/v1/admin/quarantine"): PLAIN,
    ("GET", "/v1/admin/quarantine/{action_id}"): PLAIN,
    ("GET", "/v1/admin/reviews"): Row(params={"limit": "200"}, shows=True, shows_held=FOR_REVIEWERS),
    ("GET", "/v1/admin/reviews/{memory_id}"): Row(shows=True, shows_held=FOR_REVIEWERS),
    ("POST", "/v1/admin/reviews/{memory_id}:release"): refusing(404, json={"action_id": "{memory_id}"}),
    ("POST", "/v1/admin/reviews:decide"): Row({"decision": "release", "memory_ids": ["{nothing_id}"]}),
    ("GET", "/v1/admin/erasures"): PLAIN,
    ("GET", "/v1/admin/erasures/{erasure_id}"): PLAIN,
    ("GET", "/v1/admin/erasures/{erasure_id}/decisions"): PLAIN,
    ("POST", "/v1/admin/erasures/{erasure_id}:decide"): refusing(422, json={"decision": "keep", "objects": ["{memory_id}"]}),
    ("GET", "/v1/admin/policy"): PLAIN,
    ("POST", "/v1/admin/policy:preview"): Row({}),
    ("GET", "/v1/admin/policy/versions"): PLAIN,
    ("GET", "/v1/admin/extraction"): PLAIN,
    # what ends something for the others
    ("POST", "/v1/memories/{memory_id}:resolve"): Row({"keep_version": 1}, shows=True, last=True),
    ("POST", "/v1/sessions/{session_id}:close"): Row(shows=True, last=True),
    ("DELETE", "/v1/brains/{brain_id}/members/{subject_id}"): Row(last=True),
    ("DELETE", "/v1/admin/keys/{key_id}"): Row(last=True),
    ("PUT", "/v1/admin/policy"): Row({"audit": {"reads": "required"}}, last=True),
    ("POST", "/v1/admin/quarantine/{action_id}:release"): Row(last=True),
    ("POST", "/v1/admin/brains/{brain_id}:break-glass"): refusing(409, json={"reason": "a look into what went wrong there"}, last=True),
    ("POST", "/v1/admin/reviews/{memory_id}:purge"): Row(last=True),
    ("DELETE", "/v1/memories/{memory_id}"): refusing(404, last=True),  # it is purged by then
}
