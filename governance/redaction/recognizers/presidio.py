"""Recognizers of presidio and tarja-presidio, run by one loop of ours.

Why not their own `analyze`: it lets a pattern that timed out pass as "nothing found", logs values that it cannot check, and matches with
Unicode boundaries that fail beside CJK letters. Patterns, check digits and context words stay theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import CERTAIN, CHECKED, LABELLED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONTEXT_WINDOW: Final = 50  # characters before a match in which a context word counts; tarja's own figure for most identifiers


@dataclass(frozen=True, slots=True)
class PresidioRecognizer:
    """One pattern recognizer of the library.

    A value whose check digits hold scores `CHECKED`, beside a context word `CERTAIN`; one without check digits keeps the library's score,
    or `LABELLED` beside a context word. `needs_context` refuses everything without a context word. `accept` is a last look at the text
    and the place of the value. A text without `hint` is not looked at.
    """

    name: str
    entity: EntityType
    library: Any  # presidio publishes no types
    patterns: tuple[tuple[re.Pattern[str], float], ...]
    context: re.Pattern[str]
    needs_context: bool = False
    accept: Callable[[str, int, int], bool] | None = field(default=None, repr=False)
    hint: re.Pattern[str] | None = None

    @property
    def entities(self) -> tuple[EntityType, ...]:
        return (self.entity,)

    def find(self, text: str) -> Iterator[Finding]:
        if self.hint is not None and self.hint.search(text) is None:
            return
        seen: set[tuple[int, int]] = set()
        for pattern, base in self.patterns:
            for match in pattern.finditer(text):
                start, end = match.span()
                if start == end or (start, end) in seen:
                    continue
                score = self._score(text, start, end, base)
                if score > 0:
                    seen.add((start, end))
                    yield Finding(self.entity, start, end, score)

    def _score(self, text: str, start: int, end: int, base: float) -> float:
        value = text[start:end]
        valid = self.library.validate_result(value)
        if valid is False or self.library.invalidate_result(value):
            return 0.0
        before = text[max(0, start - CONTEXT_WINDOW) : start]
        near = self.context.search(before) is not None
        if (self.needs_context and not near) or (self.accept is not None and not self.accept(text, start, end)):
            return 0.0
        if valid:
            return CERTAIN if near else CHECKED
        return max(base, LABELLED) if near else base


def adopt(
    library: Any,  # noqa: ANN401 - presidio publishes no types
    entity: EntityType,
    *,
    words: str,
    needs_context: bool = False,
    accept: Callable[[str, int, int], bool] | None = None,
    hint: str | None = None,
) -> PresidioRecognizer:
    """Wrap a recognizer of the library.

    Args:
        library: an instance with `patterns`, `validate_result` and `invalidate_result`.
        entity: what its findings are called here.
        words: alternatives of a regular expression, the context words, without accents where people leave them out.
        needs_context: whether its values mean nothing without a context word.
        accept: gets the text, and start and end of the value.
        hint: a cheap pattern that every text with a value matches.
    """
    ignore_case = re.RegexFlag(int(library.global_regex_flags or 0) & int(re.IGNORECASE))
    patterns = tuple((re.compile(pattern.regex, re.ASCII | ignore_case), float(pattern.score)) for pattern in library.patterns)
    context = re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.IGNORECASE)
    return PresidioRecognizer(library.name, entity, library, patterns, context, needs_context, accept, re.compile(hint) if hint else None)
