"""What an agent needs before it answers in a session: what was said lately, and the card for what is asked. For the session's audience."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from governance.errors import InvalidInput
from governance.scopes import readable_by
from memdb.models.turn import Session, Turn, TurnRole
from memdb.runtime import Runtime
from memdb.sessions.opening import require_session
from memdb.storage import subjects, turns
from memdb.storage.access import load_audience
from memdb.storage.database import identity_of
from memdb.text.tokens import count_tokens, cut_to_tokens
from retrieval.authorise import IDS_MAX
from retrieval.card import CUT_MARK
from retrieval.engine import Reader, Recall, recall
from retrieval.query import TOKEN_BUDGET_MAX, RecallRequest

TURNS_BUDGET: Final = 1_000
CARD_BUDGET: Final = 800
RECENT_MAX: Final = 200
"""Turns that are looked at; more fit into no prompt that anybody would send."""
QUESTION_CHARACTERS_MAX: Final = 2_000
"""Of the last turn, where that is the question: what was pasted into it is no better question than its beginning."""


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """Which session; `query` None: the last turn of a user asks. Budgets in tokens (o200k)."""

    session_id: UUID
    query: str | None = field(default=None, repr=False)
    turns_budget: int = TURNS_BUDGET
    card_budget: int = CARD_BUDGET
    audience: tuple[UUID, ...] | None = None
    brains: frozenset[UUID] | None = None
    about: tuple[UUID, ...] | None = None


@dataclass(frozen=True, slots=True)
class RecentTurn:
    """A turn with the text that fits, and the name of who spoke as it is known now."""

    turn: Turn
    speaker: str | None = field(repr=False)
    text: str = field(repr=False)
    cut: bool


@dataclass(frozen=True, slots=True)
class Context:
    """Turns oldest first, `tokens` of them in all; `earlier_turns` found no room. `answer` None: there was nothing to ask."""

    session: Session
    turns: tuple[RecentTurn, ...]
    tokens: int
    earlier_turns: int
    answer: Recall | None


async def get_context(runtime: Runtime, reader: Reader, request: ContextRequest) -> Context:
    """The recent turns of a session within a budget, and the card, of what everybody in the session may read.

    Raises:
        NotFound: the session is in no brain that the caller may read.
        InvalidInput: a budget is out of range, or a list is empty or too long.
        AllBranchesFailed, RedactionUnavailable, StorageUnavailable: as `recall`.
    """
    if not 0 <= request.turns_budget <= TOKEN_BUDGET_MAX:
        raise InvalidInput(f"turns_budget must be 0 to {TOKEN_BUDGET_MAX}", field="turns_budget")
    if request.audience is not None and not 1 <= len(request.audience) <= IDS_MAX:
        raise InvalidInput(f"audience lists 1 to {IDS_MAX} ids; leave it out for no further listener", field="audience")
    scope = readable_by(reader.principal, reader.access)
    async with runtime.database.read(identity_of(reader.principal)) as conn:
        session = await require_session(conn, scope, request.session_id)
        last = session.next_position - 1
        said = await turns.list_turns(conn, scope.org_id, session.id, first=max(0, last - RECENT_MAX + 1), last=last)
        if request.audience is not None:
            reached = await load_audience(conn, scope.org_id, request.audience)
            # SECURITY: whoever may not read the conversation is not shown what was said in it, nor asked about by it.
            said = said if all(session.brain_id in brains for brains in reached.values()) else []
        names = await subjects.list_names(conn, scope.org_id, {t.speaker_id for t in said if t.speaker_id is not None})
    recent, tokens = fit(said, names, request.turns_budget)
    asked = request.query or _question(said)
    answer = None
    if asked is not None:
        wanted = RecallRequest(
            asked,
            brains=request.brains,
            about=request.about,
            audience=request.audience,
            session_id=session.id,
            token_budget=request.card_budget,
            explain=False,
            purpose="context",
        )
        answer = await recall(runtime, reader, wanted)
    return Context(session, tuple(recent), tokens, session.next_position - len(recent), answer)


def fit(said: Sequence[Turn], names: Mapping[UUID, str], budget: int) -> tuple[list[RecentTurn], int]:
    """The last of the turns that fit the budget, oldest first, and their tokens; the very last is cut rather than left out."""
    chosen: list[RecentTurn] = []
    total = 0
    for turn in reversed(said):
        speaker = names.get(turn.speaker_id) if turn.speaker_id is not None else None
        head = f"{speaker or turn.speaker or turn.role.value}: "
        size = count_tokens(head + turn.text)
        if total + size <= budget:
            chosen.append(RecentTurn(turn, speaker or turn.speaker, turn.text, cut=False))
            total += size
            continue
        room = budget - total - count_tokens(head + CUT_MARK)
        if not chosen and room > 0:
            text = cut_to_tokens(turn.text, room)[0] + CUT_MARK
            chosen.append(RecentTurn(turn, speaker or turn.speaker, text, cut=True))
            total += count_tokens(head + text)
        break
    return chosen[::-1], total


def _question(said: Sequence[Turn]) -> str | None:
    asked = next((turn.text for turn in reversed(said) if turn.role is TurnRole.USER), None)
    return None if asked is None else asked[:QUESTION_CHARACTERS_MAX]
