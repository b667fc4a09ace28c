"""Every command of the command line, run as a process. One without a row fails a test."""

from __future__ import annotations

from typing import Final

from tests.integration.doors.rows import FOR_REVIEWERS, Row, command

_MCP: Final = (
    '{{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-11-25", "capabilities": {{}},'
    ' "clientInfo": {{"name": "t", "version": "0"}}}}}}\n'
    '{{"jsonrpc": "2.0", "method": "notifications/initialized"}}\n'
    '{{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {{"name": "recall", "arguments": {{"query": "{words}"}}}}}}\n'
)

COMMANDS: Final[dict[str, Row]] = {
    # processes that go on
    "up": command("up", "--port", "0", "--json", by="owner", until='"url"'),
    "serve": command("serve", "--port", "0", "--json", by="owner", until='"url"'),
    "worker": command("worker", by="owner", until="worker_started"),
    "mcp": command("mcp", stdin=_MCP, until='"id":2', shows=True),
    # with a key
    "remember": command("remember", "a harmless statement of a command", "--json"),
    "recall": command("recall", "{words}", "--explain", "--token-budget", "2000", shows=True),
    "feedback": command("feedback", "{recall_id}", "{memory_id}", "helpful"),
    "import": command("import", "lines.jsonl"),
    "export": command("export", "out", files=True, shows=True),
    "brain list": command("brain", "list", "--json"),
    "brain looks": command("brain", "looks", "{brain_id}"),
    "brain break-glass": command("brain", "break-glass", "{brain_id}", "--reason", "to look into it", refused=1, last=True),
    "brain end-look": command("brain", "end-look", "{brain_id}", "{look_id}", refused=1),
    "people list": command("people", "list", "--json"),
    "people resolve": command("people", "resolve", "Rui", "--json"),
    "people merge": command("people", "merge", "{subject_id}", "{subject_id}", refused=1),
    "people split": command("people", "split", "{subject_id}", refused=1),
    "people card": command("people", "card", "{subject_id}", shows=True),
    "people grep": command("people", "grep", "{subject_id}", ".", "--regex", "--all", shows=True),
    "people notes": command("people", "notes", "{subject_id}", shows=True),
    "people export": command("people", "export", "out", files=True, shows=True),
    "people import-notebook": command("people", "import-notebook", "notebook.md", "--room", "{brain_id}", "--dry-run"),
    "people unattributed": command("people", "unattributed", "--room", "{brain_id}", shows=True),
    "people assign": command("people", "assign", "{memory_id}", "{subject_id}", "--room", "{brain_id}", refused=1),
    "sessions list": command("sessions", "list", shows=True),
    "sessions tail": command("sessions", "tail", "{session_id}", "--once", shows=True),
    "config apply": command("config", "apply", "project-config.yaml", last=True),
    "config status": command("config", "status", "--json"),
    "policy show": command("policy", "show"),
    "policy check": command("policy", "check", "policy.yaml"),
    "policy apply": command("policy", "apply", "policy.yaml", "--dry-run", "500"),
    "policy history": command("policy", "history"),
    "quarantine preview": command("quarantine", "preview", "--id", "{memory_id}", shows=True, shows_held=FOR_REVIEWERS),
    "quarantine run": command("quarantine", "run", "--id", "{memory_id}", "--expected", "0", refused=1),
    "quarantine list": command("quarantine", "list"),
    "quarantine show": command("quarantine", "show", "{action_id}"),
    "quarantine release": command("quarantine", "release", "{action_id}", last=True),
    "review list": command("review", "list", shows=True, shows_held=FOR_REVIEWERS),
    "review show": command("review", "show", "{memory_id}", shows=True, shows_held=FOR_REVIEWERS),
    "review release": command("review", "release", "{other_id}"),
    "review purge": command("review", "purge", "{unit_id}", "--yes", last=True),
    "forget subject": command("forget", "subject", "{subject_id}", "--dry-run"),
    "forget memory": command("forget", "memory", "{memory_id}", "--dry-run"),
    "forget session": command("forget", "session", "{session_id}", "--dry-run"),
    "forget source": command("forget", "source", "{episode_id}", "--dry-run"),
    "forget show": command("forget", "show", "{erasure_id}", "--receipt", "out", files=True),
    "forget decide": command("forget", "decide", "{erasure_id}", "keep", refused=1),
    # as the owner of the database
    "migrate": command("migrate", by="owner"),
    "doctor": command("doctor", by="owner"),
    "org create": command("org", "create", "{org}-more", by="owner"),
    "org list": command("org", "list", by="owner"),
    "org delete": command("org", "delete", "{org}-more", "--confirm", "{org}-more", by="owner", last=True),
    "key create": command("key", "create", "--org", "{org}", "--label", "x", by="owner"),
    "key list": command("key", "list", "--org", "{org}", "--json", by="owner"),
    "key rotate": command("key", "rotate", "{command_key_id}", "--org", "{org}", by="owner"),
    "key revoke": command("key", "revoke", "{command_key_id}", "--org", "{org}", by="owner", last=True),
    "redact scan": command("redact", "scan", "--org", "{org}", by="owner"),
    "audit seal": command("audit", "seal", "--org", "{org}", by="owner"),
    "audit archive": command("audit", "archive", "--org", "{org}", "--before", "2020-01-01", "--out", "out", files=True, by="owner"),
    "audit verify": command("audit", "verify", "--org", "{org}", by="owner", last=True),
    "audit reseal": command("audit", "reseal", "--org", "{org}", "--accept-unverified", by="owner", last=True),
    "forget": command("forget", "--check", by="owner", stdin="harmless nowhere written\n"),
    "forget org": command("forget", "org", "{org}", "--dry-run", by="owner"),
    "forget ledger": command("forget", "ledger", by="owner"),
    "forget verify": command("forget", "verify", "receipt.json", by="owner"),
    "backup": command("backup", "out", by="owner", files=True, shows=True, shows_held="a copy of everything, for restore"),
    "restore": command("restore", "out", by="owner", refused=1),  # the backup before it, and only into an empty database
}

APART: Final = {"demo": "makes a database of its own, with texts of its own, and asks that"}
"""Commands that reach no database of anybody, with the reason."""
