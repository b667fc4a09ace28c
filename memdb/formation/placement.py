"""Where a memory is offered a place on its subjects' cards: the front for what must be kept in mind always, the drawer for the rest. Pure.

Front: allergies and health, safety, accessibility, diet, form of address, tone, hours of contact, and rules that protect people or money.
Both languages are looked for in every text: short texts are easily taken for the other one, and rooms mix them. Words of a rule have to
stand in a clause that says so of somebody; a word alone ("Allergy Conference") is a detail. What is denied, asked, over, or of these days
only is one as well. A writer who names a placement is never overruled.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from memdb.formation.placement_words import HINTS, PATTERNS
from memdb.models.memory import Kind, Placement
from memdb.text.normalise import fold

DETAIL: Final = "detail"
GIVEN: Final = "given"
KEPT: Final = "kept"
FRONT_FULL: Final = "front_full"
"""Reasons that are no rule's: nothing speaks for the front; the writer said so; the memory stays where it was; no room at the front."""

LASTING: Final = frozenset({"allergy", "medical", "safety"})
"""Reasons that hold on a given day as well: "allergic, so nothing with nuts today"."""

CHARACTERS_MAX: Final = 600
"""A longer text is a detail: it would take half of a front, and cost more to read than a write should."""

_FRONT_KINDS: Final = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL, Kind.TAXONOMIC})
_CLAUSE_END: Final = re.compile(r"[.!?;:,()\n]|\b(?:but|because|so|mas|porem|porque|entao)\b")
_DENIED: Final = re.compile(
    r"\b(?:not|never|isn't|aren't|wasn't|doesn't|no longer|without|whether|used to|stopped|quit|anymore"
    r"|nao|nunca|jamais|deixou|parou|ja foi|sem|se)\b"
)
_PLANNED: Final = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|will|going to|booked|scheduled|meeting|trip|visit(?:s|ed)?|appointment|conference|went|bought|deadline"
    r"|planeja|pretende|vai|marcou|agendou|reuniao|viagem|consulta|congresso|evento|comprou|foi|prazo)\b|\b\d{1,2}/\d{1,2}\b|\b20\d\d\b"
)
_NONE: Final = re.compile(r"\b(?:has|have|having|with|tem|tenho|com) (?:no|nenhuma|zero)\b")
_PASSING: Final = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|last (?:week|month|night|year)|(?:this|next) (?:week|weekend|month|morning|afternoon|evening)"
    r"|hoje|amanha|ontem|(?:esta|essa|nesta|nessa|proxima) (?:semana|noite|tarde)|(?:este|esse|neste|nesse|proximo) mes|semana que vem"
    r"|mes que vem|semana passada)\b"
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Where, and the code of the rule that says so."""

    placement: Placement
    reason: str


def propose(kind: Kind, text: str, topic: str | None, tags: Collection[str], *, about: bool) -> Proposal:
    """Where a memory belongs whose writer did not say.

    Args:
        kind: events and working notes are details.
        text: redacted.
        topic: a path; a last part such as `allergies` speaks for the front, as a tag does.
        tags: as written.
        about: whether it is about a subject; only then there is a card.

    >>> propose(Kind.SEMANTIC, "Ana is allergic to peanuts", None, (), about=True).reason
    'allergy'
    >>> propose(Kind.SEMANTIC, "Ana is planning a trip to the Allergy Conference", None, (), about=True).reason
    'detail'
    """
    if not about or kind not in _FRONT_KINDS or len(text) > CHARACTERS_MAX:
        return Proposal(Placement.DRAWER, DETAIL)
    folded = fold(text)
    passing = _PASSING.search(folded) is not None
    hints = {fold(tag) for tag in tags} | ({fold(topic).rpartition("/")[2]} if topic else set())
    for reason, pattern in PATTERNS:
        if passing and reason not in LASTING:
            continue
        if any(_is_said(folded, match) for match in pattern.finditer(folded)):
            return Proposal(Placement.FRONT, reason)
    hinted = sorted(HINTS[hint] for hint in hints & HINTS.keys())
    # The writer files it there, but a plan under `allergies` is a plan.
    if hinted and not passing and not folded.endswith("?") and _PLANNED.search(folded) is None:
        return Proposal(Placement.FRONT, hinted[0])
    return Proposal(Placement.DRAWER, DETAIL)


def _is_said(folded: str, match: re.Match[str]) -> bool:
    """True when the clause says it, and neither denies nor asks it. A rule that begins with a denial has it inside its own match."""
    start = max((end.end() for end in _CLAUSE_END.finditer(folded, 0, match.start())), default=0)
    if _DENIED.search(folded, start, match.start()) is not None:
        return False
    if _NONE.search(match[0]) is not None:
        return False
    end = _CLAUSE_END.search(folded, match.end())
    return end is None or end[0] != "?"
