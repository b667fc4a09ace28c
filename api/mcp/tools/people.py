"""Tools on what is known of one subject: its card, and the lines that hold something."""

from __future__ import annotations

from typing import Final

from api.mcp.schema import Parameter, Shape, Tool
from api.mcp.tools.memories import AUDIENCE, BRAIN, BUDGET
from retrieval.people.matching import PATTERN_CHARACTERS_MAX

LINES_DEFAULT: Final = 20
NAME_CHARACTERS_MAX: Final = 200  # as memdb/directory/labels.py has it, which is too much to load for a list of tools
LINES_MAX: Final = 200

_SUBJECT = Parameter("subject_id", Shape.ID, "Id of the person, agent, team or project; resolve_subject gives it.", required=True)
_BRAIN = Parameter("brain_id", Shape.ID, f"{BRAIN} Only what it holds; left out: all brains that you may read.")

RESOLVE_SUBJECT: Final = Tool(
    name="resolve_subject",
    title="Find out who is meant by a name",
    description=(
        "Find the id of a person, agent, team or project by a name or nickname. Answers with one subject, or with the candidates and what "
        "tells them apart: then ask who is meant, and do not choose. Other tools take the id."
    ),
    parameters=(
        Parameter("name", Shape.TEXT, "The name as somebody said it.", required=True, at_least=1, at_most=NAME_CHARACTERS_MAX),
        Parameter("brain_id", Shape.ID, f"{BRAIN} Where the name was said: who is there is meant first."),
    ),
    reads=True,
    repeatable=True,
)

GET_CARD: Final = Tool(
    name="get_card",
    title="Get a card",
    description=(
        "Get what is always to be kept in mind of a person, agent, team or project, as a text to read before you deal with them. Its last "
        "line tells how much more there is; grep_memory looks through that."
    ),
    parameters=(_SUBJECT, _BRAIN, AUDIENCE, BUDGET),
    reads=True,
    repeatable=True,
)

GREP_MEMORY: Final = Tool(
    name="grep_memory",
    title="Grep what is known of a subject",
    description=(
        "Find the lines, among all that is known of a person, agent, team or project, that hold a text or match an expression: exact, "
        "newest first, without case and accents. Use recall instead to ask by meaning."
    ),
    parameters=(
        _SUBJECT,
        Parameter("pattern", Shape.TEXT, "One line.", required=True, at_least=1, at_most=PATTERN_CHARACTERS_MAX),
        Parameter("regex", Shape.FLAG, "True: the pattern is an expression in the syntax of RE2. Left out: it is text."),
        _BRAIN,
        AUDIENCE,
        Parameter("limit", Shape.INTEGER, f"Lines at most; {LINES_DEFAULT} when left out.", at_least=1, at_most=LINES_MAX),
    ),
    reads=True,
    repeatable=True,
)

TOOLS: Final[tuple[Tool, ...]] = (RESOLVE_SUBJECT, GET_CARD, GREP_MEMORY)
