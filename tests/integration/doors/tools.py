"""Every tool of the connector. One without a row fails a test."""

from __future__ import annotations

from typing import Final

from tests.integration.doors.rows import Row

TOOLS: Final[dict[str, Row]] = {
    "list_brains": Row({}),
    "query_brain": Row({"brain_id": "{brain_id}", "topic": "{topic}"}, shows=True),
    "write_unit": Row({"brain_id": "{brain_id}", "topic": "harmless", "content": "a harmless unit of a tool"}),
    "read_unit": Row({"brain_id": "{brain_id}", "unit_id": "{unit_id}"}, shows=True),
    "report_conflict": Row({"memory_id": "{memory_id}", "other_id": "{other_id}"}),
    "remember": Row({"content": "a harmless statement of a tool"}),
    "recall": Row({"query": "{words}"}, shows=True),
    "get_context": Row({"query": "{words}", "session_id": "{session_id}"}, shows=True),
    "update_memory": Row({"memory_id": "{unit_id}", "content": "a harmless edit"}, last=True),
    "forget_memory": Row({"memory_id": "{learned_id}"}, last=True),
    "give_feedback": Row({"recall_id": "{recall_id}", "memory_id": "{memory_id}", "outcome": "used"}),
    "record_turns": Row({"conversation": "harmless", "turns": [{"text": "a harmless turn"}]}),
    "resolve_subject": Row({"name": "Rui"}),
    "get_card": Row({"subject_id": "{subject_id}"}, shows=True),
    "grep_memory": Row({"subject_id": "{subject_id}", "pattern": "a"}, shows=True),
}
