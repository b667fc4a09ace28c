"""What statements are to those that they are near, by a language model. It is believed as far as the words that were said bear it out.

SECURITY: statements and memories are data with small numbers, never ids, so that it can name nothing but what it was shown. A model that
fails, or answers nonsense twice, decides nothing: then what holds without one is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import structlog

from memdb.errors import ProviderError
from memdb.extraction.answers import Judgement
from memdb.extraction.asking import as_data, prompt_of, prompt_version
from memdb.extraction.repairing import ask
from memdb.models.memory import Kind, Memory, WriteAction
from memdb.models.reconciling import Refused, Verdict
from memdb.providers.chat.base import Spent
from memdb.storage.rows import named_facet
from memdb.text.differences import difference_of, holds_verbatim, words_of
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from datetime import datetime

    from memdb.formation.judging import Case
    from memdb.formation.stages import Compared
    from memdb.providers.chat.base import ChatModel

PROMPT: Final = "reconcile"
CASES_MAX: Final = 20
"""Statements of one question; more of them are asked about in several."""

log = structlog.get_logger()


class Deciding:
    """A `SpendingJudge` for one extraction."""

    def __init__(self, model: ChatModel) -> None:
        """Take the model, which somebody else closes."""
        self._model = model
        self._label = f"{model.name}/{prompt_version(PROMPT)}"
        self.spent = Spent()
        self.failures: list[str] = []

    async def judge(self, cases: Sequence[Case]) -> list[Verdict | None]:
        """As `Judge.judge`."""
        verdicts: list[Verdict | None] = []
        for start in range(0, len(cases), CASES_MAX):
            verdicts += await self._decide(cases[start : start + CASES_MAX])
        return verdicts

    async def _decide(self, cases: Sequence[Case]) -> list[Verdict | None]:
        try:
            items, spent = await ask(self._model, Judgement, prompt_of(PROMPT), _question(cases), PROMPT)
        except ProviderError as error:
            self.spent += Spent.of(error)
            self.failures.append(error.code)
            log.info("model_decided_nothing", handler=PROMPT, code=error.code)
            return [None] * len(cases)
        self.spent += spent
        said: dict[int, list[Judgement]] = {}
        for one in items.answers:
            said.setdefault(one.s, []).append(one)
        unknown = sum(len(ones) for number, ones in said.items() if not 1 <= number <= len(cases))
        verdicts = [_verdict(said.get(number, []), case, self._label) for number, case in enumerate(cases, 1)]
        refused = Counter(one.refused.value for one in verdicts if one is not None and one.refused is not None)
        if refused or unknown or items.misshapen:
            log.info("decisions_refused", handler=PROMPT, misshapen=items.misshapen, unknown=unknown, **refused)
        return verdicts


def _question(cases: Sequence[Case]) -> str:
    return as_data({"statements": list(_statements(cases))})


def _statements(cases: Sequence[Case]) -> Iterator[Mapping[str, object]]:
    for number, case in enumerate(cases, 1):
        item = case.item
        since = item.valid_from or (item.claim.since if item.claim is not None else None)
        yield {
            "s": number,
            "text": item.content.text,
            "turn": _turn(item),
            "since": _day(since),
            "near": [
                {"m": place, "text": one.content, "since": _day(one.valid_from), "until": _day(one.valid_to)}
                for place, one in enumerate(case.neighbours, 1)
            ],
        }


def _day(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="minutes")


def _turn(item: Compared) -> str:
    return "" if item.fragment is None else item.fragment.text.text


def _verdict(said: Sequence[Judgement], case: Case, label: str) -> Verdict | None:
    """What of an answer is believed; None where it says nothing of this statement."""
    if not said:
        return None
    if len({(one.action, one.m) for one in said}) > 1:
        return Verdict(WriteAction.ADD, label, refused=Refused.TWO_ANSWERS)
    decision = said[0]
    if decision.action == "add":
        return Verdict(WriteAction.ADD, label)
    if decision.m is None or not 1 <= decision.m <= len(case.neighbours):
        return Verdict(WriteAction.ADD, label, refused=Refused.UNKNOWN_NEIGHBOUR)
    memory = case.neighbours[decision.m - 1]
    action = WriteAction.REINFORCE if decision.action == "same" else WriteAction.UPDATE
    refused = _refused(action, case.item, memory, decision.quote)
    if refused is not None:
        return Verdict(WriteAction.ADD, label, memory.id, memory.version, refused)
    return Verdict(action, label, memory.id, memory.version)


def _refused(action: WriteAction, item: Compared, memory: Memory, quote: str | None) -> Refused | None:
    """Why a merge is not done; None when what was said bears it out."""
    if item.about != memory.about or item.kind is not memory.kind:
        return Refused.OTHER_SUBJECTS
    if _tells(item.kind, item.data.value) != _tells(memory.kind, memory.data):
        return Refused.OTHER_ATTRIBUTE
    if quote is not None and not holds_verbatim(_turn(item), quote):
        return Refused.QUOTE_NOT_SAID
    if action is WriteAction.UPDATE:
        return _not_replaced(item, memory, quote)
    if item.kind is not Kind.SEMANTIC and item.data.value != memory.data:
        return Refused.OTHER_DATA
    difference = difference_of(item.content.text, memory.content)
    return Refused.WORDS_DIFFER if difference and not (quote is not None and difference.is_shown_by(quote)) else None


def _not_replaced(item: Compared, memory: Memory, quote: str | None) -> Refused | None:
    """Why an UPDATE is not done.

    What of its subjects is told must have a name, else one fact of a person takes the place of any other; and the quote must name what is
    over: who is allergic to walnuts may be to peanuts as well.
    """
    if quote is None:
        return Refused.NO_QUOTE
    if _tells(item.kind, item.data.value) is None:
        return Refused.OTHER_ATTRIBUTE
    value = memory.data.get("value") if isinstance(memory.data, dict) else None
    quoted = words_of(quote)
    if isinstance(value, str):
        named = words_of(value) <= quoted
    else:
        named = bool(difference_of(item.content.text, memory.content).sides[1] & quoted)
    return None if named else Refused.FORMER_NOT_NAMED


def _tells(kind: Kind, data: object) -> str | None:
    """What of its subjects a statement tells: an attribute, a procedure, a term."""
    if kind is not Kind.SEMANTIC:
        return named_facet(kind, data)
    attribute = data.get("attribute") if isinstance(data, dict) else None
    return fold(attribute) if isinstance(attribute, str) else None
