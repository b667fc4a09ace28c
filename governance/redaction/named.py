"""Two kinds of recognizer for numbers that a word names: by check digits and layout, and by form behind the word alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from governance.redaction.digits import Window, stands_apart, windows
from governance.redaction.findings import EntityType, Finding
from governance.redaction.nearby import Named, naming
from governance.redaction.reading import Reading, read
from governance.redaction.recognizers.base import CERTAIN, CHECKED, LABELLED, SHAPED
from governance.redaction.vocabulary import OTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PRICE_BEFORE: Final = re.compile(r"(?:[$€£¥]|\b(?:R\$|USD|BRL|EUR)) ?\Z")
_DATE: Final = re.compile(
    r"(?<![0-9])(?:[0-9]{1,2}([/.-])[0-9]{1,2}\1(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}([/.-])[0-9]{2}\2[0-9]{2})(?![0-9])"
)
DOCUMENTS: Final = frozenset({"cpf", "cnpj", "rg", "cnh", "nis", "cns", "voter", "account", "card", "cc"})


@dataclass(frozen=True, slots=True)
class CheckedNumber:
    """A number of `total` digits with check digits.

    Where they hold, one of the `layouts` (digits per group) is proof enough, as is a bare run if `bare` or a run that white space alone
    splits. Behind one of its words any layout counts, and a typing error does not make the number less personal.
    """

    name: str
    entity: EntityType
    kind: str
    total: int
    valid: Callable[[str], bool] = field(repr=False)
    layouts: frozenset[tuple[int, ...]] = frozenset()
    bare: bool = False
    unlikely: re.Pattern[str] | None = None

    @property
    def entities(self) -> tuple[EntityType, ...]:
        return (self.entity,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for window in windows(reading, self.total):
            if len(set(window.digits)) > 1:  # all the same digit is a placeholder
                score = self._score(reading, window)
                if score:
                    yield Finding(self.entity, window.start, window.end, score)

    def _score(self, text: Reading, window: Window) -> float:
        valid = self.valid(window.digits)
        proven = valid and self._proves(text, window)
        named = naming(text, window.start, window.end)
        if named is not None and named.kind == self.kind:
            return (CERTAIN if valid else LABELLED) if proven or is_written_as_one(text, window) else 0
        if not proven:
            # "The CPF in the contract is 123.456.789-00": the nearest word is another, and the form is its own.
            claimed = named is not None and named.further == self.kind and window.lengths in self.layouts
            return LABELLED if claimed else 0
        # Another document's word claims it, but it must not stay because that one's recognizer sees no form of its own in it.
        return SHAPED if named is not None and named.kind in DOCUMENTS | {"phone", "call"} else CHECKED

    def _proves(self, text: str, window: Window) -> bool:
        if window.lengths in self.layouts:
            return True
        if not self.bare or (self.unlikely is not None and self.unlikely.match(window.digits)):
            return False
        if len(window.lengths) == 1:
            return stands_apart(text, window.start, window.end) and not is_price(text, window.start)
        return window.alone and all(separator.isspace() for separator in window.separators)


def is_written_as_one(text: str, window: Window) -> bool:
    """Tell whether the groups may be parts of one number: no comma between them, and no date among them."""
    return not any("," in separator for separator in window.separators) and _DATE.search(text, window.start, window.end) is None


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A form that counts behind one of the words for it. The finding is the whole match, or its group `value` if it has one.

    `check` gets the text, the span and what names it, and refuses by False; prices are always refused.
    """

    name: str
    entity: EntityType
    kinds: frozenset[str]
    regex: re.Pattern[str]
    check: Callable[[str, int, int, Named], bool] | None = field(default=None, repr=False)

    @property
    def entities(self) -> tuple[EntityType, ...]:
        return (self.entity,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        if not reading.has_digits or not any(phrase.kind in self.kinds for phrase in reading.phrases):
            return
        for match in self.regex.finditer(reading):
            start, end = match.span("value" if "value" in self.regex.groupindex else 0)
            named = naming(reading, start, end)
            if named is None or named.kind not in self.kinds or is_price(text, start):
                continue
            if self.check is None or self.check(text, start, end, named):
                yield Finding(self.entity, start, end, LABELLED)


def is_price(text: str, start: int) -> bool:
    """Tell whether a sign of a currency stands before a number."""
    return _PRICE_BEFORE.search(text, max(0, start - 4), start) is not None


def is_others(text: Reading, start: int, end: int) -> bool:
    """Tell whether a word names the number as something that is nobody's, such as an order."""
    named = naming(text, start, end)
    return named is not None and named.kind == OTHER
