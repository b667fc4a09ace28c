"""Private keys: PEM and PuTTY blocks, also with escaped line breaks, quoted line by line, cut off at either end, or without their frame."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import PRIVATE_KEY
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import CHECKED

if TYPE_CHECKING:
    from collections.abc import Iterator

_FRAME: Final = (
    r"-{{3,5}} ?{word} (?:[A-Z0-9]{{1,12}} ){{0,3}}PRIVATE KEY(?: BLOCK)? ?-{{3,5}}"
    r"|(?:{putty})[^\n\uffff]{{0,80}}"
)
_BEGIN: Final = re.compile(_FRAME.format(word="BEGIN", putty=r"Private-Lines:"))
_END: Final = re.compile(_FRAME.format(word="END", putty=r"Private-MAC:"))

# What stands between two runs of key material: line breaks, also escaped once or twice, indentation, quote and diff marks, string joins.
_BETWEEN: Final = r"(?:[\s>|+,\"'#*]|\\{1,4}[nrt]|<br ?/?>){1,32}"
_RUN: Final = r"[A-Za-z0-9+/=]{16,}"
_FIELD: Final = r"[A-Za-z][A-Za-z-]{2,30}: [^\n\\\uffff]{1,160}"
_BODY: Final = re.compile(rf"(?:{_BETWEEN}(?:{_RUN}|{_FIELD}(?=\s|\\{{1,4}}[nr])))+")
_TAIL: Final = re.compile(rf"{_BETWEEN}(?P<run>[A-Za-z0-9+/]{{1,15}}={{0,2}})(?![A-Za-z0-9+/=])")
_PROSE: Final = re.compile(r"[a-z]{2,} [a-z]{2,}")
_KEY_RUN: Final = re.compile(_RUN)

# The first bytes of PKCS#1, PKCS#8, EC and OpenSSH keys in base64: material that lost its frame.
_BARE: Final = re.compile(
    r"(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{2,3}(?:IBAAKC|QIBADAN|IBADAN)|MHcCAQEE|MIGHAgEAMBMG|MC4CAQAwBQYDK2Vw|b3BlbnNzaC1rZXktdjE)"
    r"[A-Za-z0-9+/=]{16,}"
)
_OTHERS: Final = re.compile(r"(?<![A-Za-z0-9])AGE-SECRET-KEY-1[0-9A-Z]{20,}")
_NEEDS: Final = ("PRIVATE KEY", "Private-Lines", "Private-MAC", "MII", "MHcCAQEE", "MIGHAgEA", "MC4CAQAw", "b3BlbnNz", "AGE-SECRET")
_LINES_MAX: Final = 400
MATERIAL_CHARACTERS_MIN: Final = 8


class PemRecognizer:
    """From the first marker to its end marker; where one of them is missing, as far as what looks like key material."""

    name = "pem"
    entities: tuple[EntityType, ...] = (PRIVATE_KEY,)

    def find(self, text: str) -> Iterator[Finding]:
        if not any(need in text for need in _NEEDS):
            return
        for start, end in self._spans(text):
            yield Finding(PRIVATE_KEY, start, end, CHECKED)

    @staticmethod
    def _spans(text: str) -> Iterator[tuple[int, int]]:
        begins = [match.span() for match in _BEGIN.finditer(text)]
        ends = [match.span() for match in _END.finditer(text)]
        yield from _framed(text, begins, ends)
        yield from _headless(text, begins, ends)
        floor = 0
        for match in _BARE.finditer(text):
            if match.start() >= floor:  # a block that begins inside another is part of it
                floor = _body_end(text, match.end(), len(text))
                yield match.start(), floor
        for match in _OTHERS.finditer(text):
            yield match.span()


RECOGNIZER: Final = PemRecognizer()


def _framed(text: str, begins: list[tuple[int, int]], ends: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A begin marker with its end marker, if no other begin marker stands between; else with its body."""
    index = 0
    for position, (start, behind) in enumerate(begins):
        limit = begins[position + 1][0] if position + 1 < len(begins) else len(text)
        while index < len(ends) and ends[index][0] < behind:
            index += 1
        if index < len(ends) and ends[index][0] < limit and _is_material(text[behind : ends[index][0]]):
            yield start, ends[index][1]
        elif (end := _body_end(text, behind, limit)) > behind:
            # Markers without material are somebody's talk about keys.
            yield start, end


def _is_material(between: str) -> bool:
    """Tell key material, in lines of any length, from prose that names both markers and from an ellipsis."""
    if _KEY_RUN.search(between):
        return True
    return sum(char.isalnum() for char in between) >= MATERIAL_CHARACTERS_MIN and _PROSE.search(between) is None


def _headless(text: str, begins: list[tuple[int, int]], ends: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """An end marker whose beginning was cut off: the lines of material above it."""
    floor = 0
    starts = iter(begins)
    begin = next(starts, None)
    for start, end in ends:
        has_begin = False
        while begin is not None and begin[0] < start:
            has_begin, begin = True, next(starts, None)
        first = start if has_begin else _lines_start(text, floor, start)
        if first < start:
            yield first, end
        floor = end


def _lines_start(text: str, floor: int, start: int) -> int:
    """Go up line by line as long as lines are base64; the line above the marker may be short, as the last one of a key is."""
    first = start
    for number, line in enumerate(reversed(text[max(floor, start - 32_000) : start].splitlines(keepends=True)[-_LINES_MAX:])):
        bare = line.strip(" \t\r\n>|+\"',")
        if bare and not (_KEY_RUN.fullmatch(bare) or (number == 0 and bare.isascii() and " " not in bare)):
            break
        first -= len(line)
    return first


def _body_end(text: str, start: int, limit: int) -> int:
    """Return where key material that begins here ends, at `limit` at the latest; `start` if there is none."""
    body = _BODY.match(text, start, limit)
    end = start if body is None else body.end()
    tail = _TAIL.match(text, end, limit)
    return tail.end() if tail is not None and _ends_a_key(tail["run"]) else end


def _ends_a_key(run: str) -> bool:
    """The last line of a key is short; a word of prose behind it has neither digits nor capitals inside."""
    return run.endswith("=") or any(char.isdigit() for char in run) or not (run.islower() or run.istitle() or run.isupper())
