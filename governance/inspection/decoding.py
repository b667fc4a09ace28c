"""What a text says once it is decoded: base64, 32 and 85, hex, bits, escapes, entities, Morse, rot13, spaced letters, leet."""

from __future__ import annotations

import base64
import binascii
import html
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RUNS_MAX: Final = 32  # decoded per text and coding; more is a file, not a memory
RUN_CHARACTERS_MAX: Final = 8192
PRINTABLE_SHARE_MIN: Final = 0.9
ESCAPES_MIN: Final = 3  # a link has one or two

_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_BASE32: Final = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{24,}={0,6}")
_BASE85: Final = re.compile(r"(?<!\S)[!-~]{30,}(?!\S)")
_ASCII85: Final = re.compile(r"<~([!-uz]{10,8192})~>")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{16,}(?![0-9A-Za-z])")
_BITS: Final = re.compile(r"(?<!\d)[01]{8}(?: ?[01]{8}){4,}(?!\d)")
_MORSE: Final = re.compile(r"(?<![.\-])[.\-]{1,6}(?:[ /]{1,3}[.\-]{1,6}){7,}")
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{2,6};")
_TAG: Final = re.compile("[\U000e0020-\U000e007e]{8,}")
_SPACED: Final = re.compile(r"(?<!\w)\w(?:[ .\-_\u200b]\w){3,}(?!\w)(?:\s{2,}\w(?:[ .\-_\u200b]\w)*(?!\w))*")
_LEET_WORD: Final = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*[0134578@$])[a-z0134578@$]{3,}(?!\w)", re.IGNORECASE)
_LEET_SIGN: Final = re.compile(r"[a-zA-Z][0134578@$]|[0134578@$][a-zA-Z]")
_LEET: Final = str.maketrans("0134578@$", "oieastbas")
_LEET_WORDS_MIN: Final = 2
_ROT13_NAMED: Final = re.compile(r"\brot-?13\b", re.IGNORECASE)
_ROT13: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)
_MORSE_LETTERS: Final = dict(
    zip(
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split(" "),  # noqa: SIM905 - a table of 26 strings says less
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)


def decodings(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and content of every run that decodes to text; of codings of single letters the text as a whole."""
    for hint, pattern, decode in _RUNS:
        if hint and hint not in text:
            continue
        for count, match in enumerate(pattern.finditer(text)):
            if count >= RUNS_MAX:
                break
            content = decode(match[0][:RUN_CHARACTERS_MAX])
            if content is not None:
                yield match.start(), match.end(), content
    for content in _wholly(text):
        yield 0, len(text), content


def _wholly(text: str) -> Iterator[str]:
    if _ESCAPE.search(text) and len(_ESCAPE.findall(text)) >= ESCAPES_MIN:
        yield _ESCAPE.sub(_escaped, text)
    if _SPACED.search(text):
        yield _SPACED.sub(
            lambda match: re.sub(r"(?<=\w)[ .\-_\u200b](?=\w)", "", re.sub(r"\s{2,}", "\n", match[0])).replace("\n", " "), text
        )
    if _LEET_SIGN.search(text) and len(_LEET_WORD.findall(text)) >= _LEET_WORDS_MIN:
        yield _LEET_WORD.sub(lambda match: match[0].translate(_LEET), text)
    if _ROT13_NAMED.search(text):
        yield text.translate(_ROT13)


def _escaped(match: re.Match[str]) -> str:
    escape = match[0]
    if escape.startswith("&"):
        return html.unescape(escape)
    return chr(int(escape.lstrip("%\\ux"), 16) if escape.lstrip("%\\ux") else 0)


def _text(content: bytes) -> str | None:
    decoded = content.decode("utf-8", "replace")
    printable = sum(char.isprintable() or char.isspace() for char in decoded if char != "\ufffd")
    return decoded if decoded and printable / len(decoded) >= PRINTABLE_SHARE_MIN else None


def _base64(run: str) -> str | None:
    usable = run.rstrip("=").replace("-", "+").replace("_", "/")
    usable = usable[: len(usable) // 4 * 4] if len(usable) % 4 == 1 else usable + "=" * (-len(usable) % 4)
    try:
        return _text(base64.b64decode(usable, validate=True))
    except binascii.Error:
        return None


def _base32(run: str) -> str | None:
    usable = run.rstrip("=")
    try:
        return _text(base64.b32decode(usable[: len(usable) // 8 * 8]))
    except binascii.Error:
        return None


def _base85(run: str) -> str | None:
    if run.isalnum():
        return None
    try:
        return _text(base64.b85decode(run))
    except ValueError:
        return None


def _ascii85(run: str) -> str | None:
    try:
        return _text(base64.a85decode(run, adobe=True))
    except ValueError:
        return None


def _hex(run: str) -> str | None:
    return _text(bytes.fromhex(run[: len(run) // 2 * 2]))


def _bits(run: str) -> str | None:
    plain = run.replace(" ", "")
    return _text(bytes(int(plain[at : at + 8], 2) for at in range(0, len(plain), 8)))


def _morse(run: str) -> str | None:
    words = [[_MORSE_LETTERS.get(letter, "") for letter in word.split()] for word in run.split("/")]
    return " ".join("".join(word) for word in words) or None


def _tags(run: str) -> str | None:
    return run.translate({code: code - 0xE0000 for code in range(0xE0020, 0xE007F)})


# What stands in every run of a coding, to look for first; "" where there is no such thing.
_RUNS: Final[tuple[tuple[str, re.Pattern[str], Callable[[str], str | None]], ...]] = (
    ("", _BASE64, _base64),
    ("", _BASE32, _base32),
    ("<~", _ASCII85, _ascii85),
    ("", _BASE85, _base85),
    ("", _HEX, _hex),
    ("00", _BITS, _bits),
    ("..", _MORSE, _morse),
    ("", _TAG, _tags),
)
