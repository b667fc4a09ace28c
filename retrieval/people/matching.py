"""Lines of memories that hold a text or match an expression. Pure; time and memory are bounded whatever the pattern is.

Expressions run in RE2: in time linear in the text, without back references and look-around, and with a program of bounded size. What is
folded differs from what is shown, so that lines are matched folded and shown as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import re2

from governance.errors import InvalidInput
from governance.redaction.findings import RedactedText

PATTERN_CHARACTERS_MAX: Final = 500
PROGRAM_BYTES_MAX: Final = 256 * 1024
"""Of a compiled expression with the states that it keeps: `(a{1,300}){1,300}` does not fit, a list of a thousand words does."""
LINE_CHARACTERS_MAX: Final = 300
"""Of a line that is shown; a longer one is cut around its match."""
CUT: Final = "…"

_MARKS: Final = re.compile("[\u0300-\u036f]")

Find = Callable[[str], tuple[int, int] | None]
"""Where a line matches first, as offsets into the line as it is matched; None where it does not."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is looked for. `line_of` brings a line into the form in which it is matched."""

    find: Find = field(repr=False)
    line_of: Callable[[str], str]
    needle: str | None = field(default=None, repr=False)
    """Of a plain text: a content without it has no line with it."""


@dataclass(frozen=True, slots=True)
class MatchedLine:
    """A line, counted from 1, as it is shown."""

    number: int
    text: str = field(repr=False)


def compile_pattern(text: RedactedText, *, regex: bool, folded: bool) -> Pattern:
    """The pattern of a request, past the redactor: labels that stand for personal data are looked for as they are written.

    Raises:
        InvalidInput: it is empty, longer than a pattern may be, of several lines, or no expression that RE2 takes; it is not repeated.
    """
    source = text.text
    if not source.strip():
        raise InvalidInput("pattern is blank", field="pattern")
    if len(source) > PATTERN_CHARACTERS_MAX:
        raise InvalidInput(f"pattern is longer than {PATTERN_CHARACTERS_MAX} characters", field="pattern")
    if len(source.splitlines()) > 1:
        raise InvalidInput("pattern has several lines; each line is matched by itself", field="pattern")
    line_of = plain if folded else str
    if not regex:
        needle = line_of(source)
        return Pattern(lambda line: _find_text(line, needle), line_of, needle)
    compiled = _compile(_bare(_quoted(text)) if folded else _quoted(text), folded=folded)
    return Pattern(lambda line: _find_match(compiled, line), line_of)


def find_lines(content: str, pattern: Pattern) -> Iterator[MatchedLine]:
    """Matching lines of one memory, in order."""
    if pattern.needle is not None and pattern.needle not in pattern.line_of(content):
        return
    for number, line in enumerate(content.splitlines(), start=1):
        where = pattern.find(pattern.line_of(line))
        if where is not None:
            yield MatchedLine(number, cut_line(line, where, pattern.line_of))


def has_line(content: str, pattern: Pattern) -> bool:
    """True when any line matches."""
    return next(find_lines(content, pattern), None) is not None


def plain(text: str) -> str:
    """Without case and accents, sign for sign: white space stays as it is.

    >>> plain("São  JOÃO")
    'sao  joao'
    """
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFD", text.casefold()))


def cut_line(line: str, where: tuple[int, int], line_of: Callable[[str], str]) -> str:
    """The line, or of a long one at most `LINE_CHARACTERS_MAX` characters around the match, with a mark on each side that was cut."""
    if len(line) <= LINE_CHARACTERS_MAX:
        return line
    begin = _offset(line, where[0], line_of)
    size = min(_offset(line, where[1], line_of) - begin, LINE_CHARACTERS_MAX)
    first = max(0, min(begin - (LINE_CHARACTERS_MAX - size) // 2, len(line) - LINE_CHARACTERS_MAX))
    last = first + LINE_CHARACTERS_MAX
    return (CUT if first else "") + line[first:last] + (CUT if last < len(line) else "")


def _offset(line: str, place: int, line_of: Callable[[str], str]) -> int:
    """Where a place of the line as it is matched lies in the line as it is: the longest start that is not longer when it is matched."""
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(line_of(line[:middle])) <= place else (low, middle - 1)
    return low


def _find_text(line: str, needle: str) -> tuple[int, int] | None:
    place = line.find(needle)
    return None if place < 0 else (place, place + len(needle))


def _find_match(compiled: re2._Regexp, line: str) -> tuple[int, int] | None:
    found = compiled.search(line)
    return None if found is None else found.span()


def _quoted(text: RedactedText) -> str:
    """The expression with each label of the redactor as plain text: its brackets are no class of characters."""
    parts, end = [], 0
    for redaction in sorted(text.redactions, key=lambda r: r.start):
        parts += [text.text[end : redaction.start], re2.escape(text.text[redaction.start : redaction.end])]
        end = redaction.end
    return "".join([*parts, text.text[end:]])


def _bare(source: str) -> str:
    r"""An expression without accents. ASCII stays: `\S` is not `\s`, and case is an option of the expression.

    >>> _bare(r"(São|\S+)")
    '(Sao|\\S+)'
    """
    return source if source.isascii() else _MARKS.sub("", unicodedata.normalize("NFD", source))


def _compile(source: str, *, folded: bool) -> re2._Regexp:
    options = re2.Options()
    options.max_mem = PROGRAM_BYTES_MAX
    options.log_errors = False  # SECURITY: RE2 would write the pattern to stderr
    options.case_sensitive = not folded
    options.never_capture = True
    try:
        compiled = re2.compile(source, options)
    except re2.error:
        raise InvalidInput("pattern is no regular expression that RE2 takes, or too large a one", field="pattern") from None
    finally:
        re2.purge()  # the library would keep what callers look for
    return compiled
