"""The list of tools: names, number, schemas, and a function for each."""

from __future__ import annotations

from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from api.mcp.calls.registry import CALLS
from api.mcp.schema import TOOLS_MAX, Shape, Tool
from api.mcp.tools.people import LINES_MAX, NAME_CHARACTERS_MAX
from api.mcp.tools.registry import TOOLS
from memdb.directory import labels
from retrieval.people import grep

DESIGNED = {
    "list_brains": [],
    "query_brain": ["brain_id", "topic"],
    "write_unit": ["brain_id", "topic", "content"],
    "read_unit": ["brain_id", "unit_id"],
    "remember": ["content"],
    "recall": ["query"],
    "get_context": [],
    "record_turns": None,
    "resolve_subject": ["name"],
    "get_card": ["subject_id"],
    "grep_memory": ["subject_id", "pattern"],
    "update_memory": ["memory_id"],
    "forget_memory": ["memory_id"],
    "give_feedback": ["recall_id", "memory_id", "outcome"],
    "report_conflict": ["memory_id", "other_id"],
}
"""Names that clients rely on, with the arguments that they need; None where that is not fixed."""
CONNECTOR = {"list_brains": set(), "query_brain": set(), "write_unit": {"base_version"}, "read_unit": set()}
"""What the tools of the shared-brain connector may take besides."""


def test_there_are_few_and_each_is_a_known_one() -> None:
    assert not [name for name, times in Counter(tool.name for tool in TOOLS).items() if times > 1]
    assert len(TOOLS) <= TOOLS_MAX == 16
    assert {tool.name for tool in TOOLS} <= set(DESIGNED)
    assert set(CALLS) == {tool.name for tool in TOOLS}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_a_tool_needs_what_was_agreed(tool: Tool) -> None:
    required = DESIGNED[tool.name]
    assert required is None or [p.name for p in tool.parameters if p.required] == required
    if tool.name in CONNECTOR:
        assert {p.name for p in tool.parameters if not p.required} <= CONNECTOR[tool.name]


def test_bounds_that_a_list_of_tools_cannot_load_are_those_of_the_product() -> None:
    assert (LINES_MAX, NAME_CHARACTERS_MAX) == (grep.LIMIT_MAX, labels.NAME_CHARACTERS_MAX)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_a_schema_is_valid_and_plain(tool: Tool) -> None:
    schema = tool.schema()
    Draft202012Validator.check_schema(schema)
    text = str(schema)
    for word in ("anyOf", "oneOf", "allOf", "$ref", "$schema", "null", "format", "None"):
        assert f"'{word}'" not in text
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_descriptions_are_sentences_and_short_enough_for_a_prompt(tool: Tool) -> None:
    for text in (tool.description, *(p.description for p in tool.parameters)):
        assert text[0].isupper() or text.split()[0] in {"semantic", "used", "recall_id"}
        assert text.endswith(".")
        assert len(text) < 420
    assert all(p.shape is Shape.TEXT for p in tool.parameters if p.choices)
