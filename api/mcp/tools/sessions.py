"""Tools on conversations: what was said is recorded, and what matters of it is learned later."""

from __future__ import annotations

from typing import Final

from api.mcp.schema import Parameter, Shape, Tool
from api.mcp.tools.memories import BRAIN
from memdb.directory.labels import EXTERNAL_ID_CHARACTERS_MAX, NAME_CHARACTERS_MAX
from memdb.models.submission import IDENTIFIER_CHARS_MAX
from memdb.models.turn import TurnRole

TURNS_MAX: Final = 100

RECORD_TURNS: Final = Tool(
    name="record_turns",
    title="Record turns",
    description=(
        "Record what was said in a conversation, as it was said and in order. What matters of it is learned in the background: facts, "
        "events, how-tos and terms, each for whom it is about. Recording a turn twice with the same client_turn_id changes nothing. Use "
        "remember for what has to be known at once. The session_id of the reply serves get_context and recall."
    ),
    parameters=(
        Parameter(
            "conversation",
            Shape.TEXT,
            "Your name of the conversation, the same each time; turns of one name belong together.",
            required=True,
            at_least=1,
            at_most=EXTERNAL_ID_CHARACTERS_MAX,
        ),
        Parameter(
            "turns",
            Shape.RECORDS,
            f"The turns in order, at most {TURNS_MAX}.",
            required=True,
            at_least=1,
            at_most=TURNS_MAX,
            parts=(
                Parameter("text", Shape.TEXT, "What was said, at most 64 KiB.", required=True, at_least=1),
                Parameter(
                    "role",
                    Shape.TEXT,
                    "user (a person, the default), assistant, tool, system. Only what users say becomes a fact about people.",
                    choices=tuple(role.value for role in TurnRole),
                ),
                Parameter("speaker_id", Shape.ID, "Id of the subject who spoke, from resolve_subject."),
                Parameter(
                    "speaker_name",
                    Shape.TEXT,
                    "Name of who spoke, where there is no id.",
                    at_least=1,
                    at_most=NAME_CHARACTERS_MAX,
                ),
                Parameter("said_at", Shape.TEXT, "When, with the offset of the speaker, such as 2026-03-02T09:03:00-03:00."),
                Parameter(
                    "client_turn_id",
                    Shape.TEXT,
                    "Your id of the turn; the same one again is the same turn. Without personal data.",
                    at_least=1,
                    at_most=IDENTIFIER_CHARS_MAX,
                ),
            ),
        ),
        Parameter("brain_id", Shape.ID, f"{BRAIN} Where the conversation takes place; left out: your home."),
    ),
    repeatable=True,
)

TOOLS: Final[tuple[Tool, ...]] = (RECORD_TURNS,)
