"""Figures of cards and answers of rooms. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

FIRST: Final = 5


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card of the gold and the names at the front that a server shows, in its order."""

    card_id: str
    gold: frozenset[str]
    not_front: frozenset[str]
    shown: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """The same memories, each once."""
        return sorted(self.shown) == sorted(self.gold)


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and the names of what answered it, best first; `front`: what its card holds of the subjects in play."""

    question_id: str
    category: str
    answerable: bool
    for_audience: bool
    expected: frozenset[str]
    stale: frozenset[str]
    shown: tuple[str, ...]
    front: frozenset[str] = frozenset()

    @property
    def rank(self) -> int | None:
        """Place of the first expected memory, from 1."""
        return next((place for place, name in enumerate(self.shown, 1) if name in self.expected), None)

    @property
    def stale_first(self) -> bool:
        """A memory that does not hold any more stands above the expected ones, or alone."""
        stale = next((place for place, name in enumerate(self.shown, 1) if name in self.stale), None)
        return stale is not None and (self.rank is None or stale < self.rank)


def front_figures(cards: Sequence[CardSeen], small: Collection[str] = ()) -> dict[str, Any]:
    """Precision and recall of the fronts over all cards; what is in `small` is neither rewarded nor punished."""
    both = sum(len({*card.shown} & card.gold - {*small}) for card in cards)
    shown = sum(len({*card.shown} - {*small}) for card in cards)
    gold = sum(len(card.gold - {*small}) for card in cards)
    return {
        "cards": len(cards),
        "fronts_exact": _share(sum(card.exact for card in cards), len(cards)),
        "precision": _share(both, shown),
        "recall": _share(both, gold),
        "entries_shown": shown,
        "entries_gold": gold,
        "outdated_at_front": sum(len({*card.shown} & card.not_front) for card in cards),
        "deviations": [_deviation(card) for card in cards if not card.exact],
    }


def answer_figures(answers: Sequence[Answered]) -> dict[str, Any]:
    """Figures of all categories, of each of them, and of *who* and *audience* together."""
    categories = {name: _hits([a for a in answers if a.category == name]) for name in sorted({a.category for a in answers})}
    unanswerable = [a for a in answers if not a.answerable]
    return {
        "who_and_audience": _hits([a for a in answers if a.category in {"who", "audience"}]),
        "all": _hits(answers),
        "categories": categories,
        "stale_above_expected": [a.question_id for a in answers if a.stale_first],
        "unanswerable": len(unanswerable),
        "unanswerable_with_evidence": sum(bool(a.shown) for a in unanswerable),
        "unanswerable_for_the_audience_with_evidence": sum(bool(a.shown) for a in unanswerable if a.for_audience),
        "missed": {a.question_id: a.rank for a in answers if a.expected and not _within(a.rank)},
    }


def _hits(answers: Sequence[Answered]) -> dict[str, Any]:
    expecting = [a for a in answers if a.expected]
    whole = sum(a.expected <= {*a.shown[:FIRST]} for a in expecting)
    return {
        "asked": len(answers),
        "expecting": len(expecting),
        "hit@5": _share(sum(_within(a.rank) for a in expecting), len(expecting)),
        "all@5": _share(whole, len(expecting)),
        "hit@5_or_front": _share(sum(_within(a.rank) or bool(a.expected & a.front) for a in expecting), len(expecting)),
    }


def _within(rank: int | None) -> bool:
    return rank is not None and rank <= FIRST


def _deviation(card: CardSeen) -> Mapping[str, Any]:
    missing, extra = sorted(card.gold - {*card.shown}), sorted({*card.shown} - card.gold)
    return {"card": card.card_id, "missing": missing, "extra": extra}


def _share(part: int, whole: int) -> float | None:
    """None of nothing."""
    return round(part / whole, 4) if whole else None
