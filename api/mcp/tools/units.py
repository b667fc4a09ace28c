"""Tools on what a brain says about a topic: look it up, read it, write it, say that two memories contradict each other."""

from __future__ import annotations

from typing import Final

from api.mcp.schema import Parameter, Shape, Tool
from api.mcp.tools.memories import BRAIN
from memdb.models.submission import IDENTIFIER_CHARS_MAX, NOTE_CHARS_MAX

_BRAIN = Parameter("brain_id", Shape.ID, BRAIN, required=True)

QUERY_BRAIN: Final = Tool(
    name="query_brain",
    title="Look a topic up",
    description=(
        "Look up what a brain knows about a topic, before you write about it or rely on it. Gives pointers, best first: id, topic, "
        "preview, freshness, conflict (it is contradicted), updated_at, unit (it stands for the topic), match (exact, prefix: below the "
        "topic, words: shares some). Read with read_unit what you need. `suggestions` are topics that you may have meant."
    ),
    parameters=(
        _BRAIN,
        Parameter(
            "topic",
            Shape.TEXT,
            "A path such as clients/meridian, or some words of one. Case and accents make no difference.",
            required=True,
            at_least=1,
            at_most=IDENTIFIER_CHARS_MAX,
        ),
    ),
    reads=True,
    repeatable=True,
)

WRITE_UNIT: Final = Tool(
    name="write_unit",
    title="Write a unit",
    description=(
        "Say what a brain holds about a topic. A topic has one unit, and this takes the place of what it said, so write it whole; the "
        "version before is kept. Read it first and give its version as base_version. `conflicted` in the reply: somebody else wrote "
        "meanwhile, and every reader is shown both until somebody decides. Personal data and secrets are redacted before it is stored."
    ),
    parameters=(
        _BRAIN,
        Parameter(
            "topic",
            Shape.TEXT,
            "A path such as clients/meridian, without personal data.",
            required=True,
            at_least=1,
            at_most=IDENTIFIER_CHARS_MAX,
        ),
        Parameter("content", Shape.TEXT, "What the topic holds now, whole, at most 16 KiB.", required=True, at_least=1),
        Parameter("base_version", Shape.INTEGER, "Version that you have read. Left out when you have read none.", at_least=1),
    ),
)

READ_UNIT: Final = Tool(
    name="read_unit",
    title="Read a unit",
    description=(
        "Read what a pointer of query_brain points at: whole content, version, freshness, and while it is in conflict the other sides with "
        "who wrote them. Works for units and for any other memory with a topic."
    ),
    parameters=(_BRAIN, Parameter("unit_id", Shape.ID, "Id of a pointer, from query_brain.", required=True)),
    reads=True,
    repeatable=True,
)

REPORT_CONFLICT: Final = Tool(
    name="report_conflict",
    title="Report a conflict",
    description=(
        "Say that two memories of one brain cannot both be true. Both are shown as conflicting until a person decides which one holds; "
        "nothing is deleted."
    ),
    parameters=(
        Parameter("memory_id", Shape.ID, "Id of the one memory.", required=True),
        Parameter("other_id", Shape.ID, "Id of the other memory.", required=True),
        Parameter("note", Shape.TEXT, "Why they contradict each other.", at_least=1, at_most=NOTE_CHARS_MAX),
    ),
    repeatable=True,
)

TOOLS: Final[tuple[Tool, ...]] = (QUERY_BRAIN, READ_UNIT, WRITE_UNIT, REPORT_CONFLICT)
