"""In which words two statements differ, and whether somebody's own words show that they mean the same all the same. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from memdb.text.meaning import meaning_of, statement_of
from memdb.text.normalise import canonical

_STOPS = ".,;:!?()[]\"'…"


@dataclass(frozen=True, slots=True)
class Difference:
    """`sides`: the words that one of two statements has and the other has not. `reordered`: what both say stands in another order."""

    sides: tuple[frozenset[str], frozenset[str]] = field(repr=False)
    reordered: bool

    def __bool__(self) -> bool:
        """True when they differ at all."""
        return self.reordered or any(self.sides)

    def is_shown_by(self, quote: str) -> bool:
        """True when a quote holds every word that differs, of both sides: that one stands for the other.

        A word that only one side has ("not", "almost") stands for nothing, and no quote shows that an order means nothing.

        >>> difference_of("Bob is allergic to nuts", "Robert is allergic to nuts").is_shown_by("Robert, everybody calls him Bob")
        True
        """
        quoted = words_of(quote)
        return not self.reordered and all(side and side <= quoted for side in self.sides)


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as they are written and as `meaning_of` rewrites them."""
    written = (word.strip(_STOPS) for word in canonical(text).split())
    return frozenset({*written, *meaning_of(text)[1:]} - {""})


def difference_of(one: str, other: str) -> Difference:
    """In what two statements differ, beside what `meaning_of` lets be: spelling, contractions, written-out numbers.

    >>> [sorted(side) for side in difference_of("Ana isn't allergic to peanuts.", "Ana is allergic to walnuts").sides]
    [['not', 'peanuts'], ['walnuts']]
    """
    (language, *first), (twin, *second) = meaning_of(one), meaning_of(other)
    if not language or language != twin:
        # Code, what something is called, and what one language rewrites and the other does not, are compared as they are written.
        first, second = statement_of(one).split(), statement_of(other).split()
    counted, counted_twin = Counter(first), Counter(second)
    sides = frozenset(counted - counted_twin), frozenset(counted_twin - counted)
    shared = counted.keys() & counted_twin.keys() - sides[0] - sides[1]
    return Difference(sides, [word for word in first if word in shared] != [word for word in second if word in shared])


def holds_verbatim(text: str, quote: str) -> bool:
    """True when a quote stands in a text word for word, but for case, code points and blanks, and says something."""
    return any(map(str.isalnum, quote)) and canonical(quote) in canonical(text)
