"""Tools on memories: write, ask, correct, forget, judge."""

from __future__ import annotations

from typing import Final

from api.mcp.schema import Parameter, Shape, Tool
from memdb.models.memory import Kind
from memdb.models.outcome import Outcome
from memdb.models.submission import ABOUT_MAX, IDENTIFIER_CHARS_MAX, TAGS_MAX

LIMIT_DEFAULT: Final = 10
LIMIT_MAX: Final = 50
BUDGET_DEFAULT: Final = 1_000
BUDGET_MIN, BUDGET_MAX = 200, 8_000
AUDIENCE_MAX: Final = 200

BRAIN = "Id of the brain, from list_brains."
_MEMORY = Parameter("memory_id", Shape.ID, "Id of the memory, from recall or remember.", required=True)
_VERSION = Parameter(
    "expected_version", Shape.INTEGER, "Version that you have seen. When the memory has changed since, nothing is done.", at_least=1
)
_ABOUT = Parameter("about", Shape.IDS, "Ids of the subjects (people, agents, teams, projects) that it is about.", at_most=ABOUT_MAX)
_TAGS = Parameter("tags", Shape.TEXTS, "A few short labels.", at_most=TAGS_MAX)
_TOPIC = Parameter("topic", Shape.TEXT, "A path such as clients/meridian, without personal data.", at_most=IDENTIFIER_CHARS_MAX)
AUDIENCE: Final = Parameter(
    "audience",
    Shape.IDS,
    "Ids of all subjects who will see the answer: only what every one of them may read. Give it whenever you answer in a room.",
    at_least=1,
    at_most=AUDIENCE_MAX,
)
SESSION: Final = Parameter(
    "session_id",
    Shape.ID,
    "Id of the conversation, from record_turns: only what everybody in it may read. Give it whenever you answer there.",
)
_WITHIN: Final = (
    Parameter("brain_id", Shape.ID, f"{BRAIN} Only what it holds; left out: all brains that you may read."),
    Parameter("about", Shape.IDS, "Ids of subjects: only what is about one of them.", at_least=1, at_most=ABOUT_MAX),
    AUDIENCE,
    SESSION,
)
BUDGET: Final = Parameter(
    "token_budget",
    Shape.INTEGER,
    f"Tokens that the reply may have; {BUDGET_DEFAULT} when left out.",
    at_least=BUDGET_MIN,
    at_most=BUDGET_MAX,
)

REMEMBER: Final = Tool(
    name="remember",
    title="Remember",
    description=(
        "Keep one statement for later: a fact, an event, how something is done, or what a term means. Write one statement for each call, "
        "so that it is understood alone: names instead of he or it, dates instead of tomorrow. Personal data and secrets are redacted "
        "before it is stored. It can be recalled at once."
    ),
    parameters=(
        Parameter("content", Shape.TEXT, "The statement, at most 16 KiB.", required=True, at_least=1),
        Parameter(
            "kind",
            Shape.TEXT,
            "semantic (a fact, the default), episodic (an event), procedural (how something is done), taxonomic (what a term means).",
            choices=tuple(kind.value for kind in Kind if kind is not Kind.WORKING),
        ),
        Parameter("brain_id", Shape.ID, f"{BRAIN} Left out: your home."),
        _TOPIC,
        _TAGS,
        _ABOUT,
    ),
)

RECALL: Final = Tool(
    name="recall",
    title="Recall",
    description=(
        "Ask what is known. Gives a card, text that is ready to be read, and the evidence behind it: id, score, content (cut where it is "
        "long), topic, freshness. No evidence is an answer: then nothing is known. The ids serve update_memory, forget_memory and, with "
        "the recall_id, give_feedback."
    ),
    parameters=(
        Parameter("query", Shape.TEXT, "A question or words. The id of a memory gives this memory.", required=True, at_least=1),
        *_WITHIN,
        Parameter("limit", Shape.INTEGER, f"Memories at most; {LIMIT_DEFAULT} when left out.", at_least=1, at_most=LIMIT_MAX),
        BUDGET,
    ),
    reads=True,
    repeatable=True,
)

GET_CONTEXT: Final = Tool(
    name="get_context",
    title="Get context",
    description=(
        "Get what is known that helps with a task, as one text to read before you answer: what to keep in mind about the people in play, "
        "facts, how things are done, what happened; with a session_id also what was said lately. Use recall instead when you need "
        "ids."
    ),
    parameters=(
        Parameter("query", Shape.TEXT, "A question or words; with session_id it may be left out: the last turn asks.", at_least=1),
        *_WITHIN,
        BUDGET,
    ),
    reads=True,
    repeatable=True,
)

UPDATE_MEMORY: Final = Tool(
    name="update_memory",
    title="Update a memory",
    description="Correct or complete a memory. What is left out stays as it is; the version before is kept.",
    parameters=(
        _MEMORY,
        Parameter("content", Shape.TEXT, "The statement as it is now, whole.", at_least=1),
        _TOPIC,
        Parameter("tags", Shape.TEXTS, "All its tags; an empty list takes them away.", at_most=TAGS_MAX),
        Parameter("about", Shape.IDS, "All subjects that it is about; an empty list takes them away.", at_most=ABOUT_MAX),
        _VERSION,
    ),
)

FORGET_MEMORY: Final = Tool(
    name="forget_memory",
    title="Forget a memory",
    description="Delete a memory with all its versions. It cannot be brought back; to correct one use update_memory.",
    parameters=(_MEMORY, _VERSION),
    destroys=True,
    repeatable=True,
)

GIVE_FEEDBACK: Final = Tool(
    name="give_feedback",
    title="Give feedback",
    description="Say what became of a memory that recall or get_context returned; similar questions are answered a little better then.",
    parameters=(
        Parameter("recall_id", Shape.ID, "recall_id of the reply that returned it.", required=True),
        _MEMORY,
        Parameter(
            "outcome",
            Shape.TEXT,
            "used (it went into the answer), helpful, not_helpful (true, but no answer to this), stale (was true), wrong, harmful.",
            required=True,
            choices=tuple(outcome.value for outcome in Outcome),
        ),
        Parameter("note", Shape.TEXT, "A remark.", at_least=1, at_most=1_000),
    ),
    repeatable=True,
)

TOOLS: Final[tuple[Tool, ...]] = (REMEMBER, RECALL, GET_CONTEXT, UPDATE_MEMORY, FORGET_MEMORY, GIVE_FEEDBACK)
