"""One form for each use of a text: `clean` to store and show, `canonical` to compare, `fold` to find.

`canonical` keeps accents (the duplicate hash must tell "avó" from "avô"); `fold` drops them ("joao" must find "João").
"""

from __future__ import annotations

import re
import unicodedata

from governance.errors import InvalidInput

_CONTROLS = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")

# Characters that print nothing yet are letters or marks to Unicode: tatweel, fillers, variation selectors, joiners, braille blank.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u0600-\u0605\u061c\u0640\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_WHITESPACE = re.compile(r"\s+")
# Typing variants of one sign; the trade mark signs would become letters of the word before them ("FooTM").
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‛ʼ′´`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "™": " ",
        "℠": " ",
    }
)
# Runs of combining marks make NFKC quadratic, and no script writes more than a few. Source: the stream-safe limit of UAX #15 is 30.
_MARKS = "".join(chr(point) for point in range(0x300, 0x1E950) if unicodedata.combining(chr(point)))
_MARK_RUN = re.compile(f"([{_MARKS}]{{30}})[{_MARKS}]+")
_MARK_SET = frozenset(_MARKS)  # asked first: most text has none, and the run costs thirty times as much to look for
# Marks that readers leave out when they type: Latin and Greek accents, Arabic vowels, Hebrew points. The breve of й and ў stays: it is
# another letter.
_ACCENTS = re.compile("(?<![иу])\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")
# Letters with a stroke do not decompose.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ŀ": "l", "ƶ": "z"}
)
_PASSES_MAX = 6  # a pass can bring two marks together that compose in the next; three were the most seen


LETTER = r"(?:[^\W_][\u0300-\u036f\u200b-\u200d\u2060\ufeff]*)"
"""Pattern of a letter or digit with the accents and the invisible characters behind it, for words in text as it was written: decomposed
letters, and those with something invisible between them, make one word, as `fold` sees it."""


def clean(text: str, field: str) -> str:
    """Make text storable: drop control characters other than tab, line feed and carriage return; keep every other character.

    Args:
        text: as the caller sent it.
        field: path of the input field, for the message.

    Raises:
        InvalidInput: it contains a NUL character or half of a surrogate pair, which Postgres cannot store.
    """
    if "\x00" in text:
        raise InvalidInput(f"{field} contains a NUL character; remove it", field=field)
    if _SURROGATES.search(text):
        raise InvalidInput(f"{field} contains half of a surrogate pair; send valid UTF-8", field=field)
    return _CONTROLS.sub("", text)


def is_blank(text: str) -> bool:
    """Tell whether nothing is said: no letter, digit or pictograph, as in "", " ", a zero-width space or "…".

    >>> is_blank("…"), is_blank("👍"), is_blank("7")
    (True, False, False)
    """
    return not any(_says_something(character) for character in _INVISIBLE.sub("", text))


def visible(text: str) -> str:
    """Bring code points to one form and keep case and accents: NFKC, nothing invisible, one kind of quote and dash, single spaces."""
    if text.isascii():
        return _WHITESPACE.sub(" ", _INVISIBLE.sub("", text.replace("`", "'"))).strip()
    for _ in range(_PASSES_MAX):
        shorter = _INVISIBLE.sub("", text.translate(_SIGNS))
        if not _MARK_SET.isdisjoint(shorter):
            shorter = _MARK_RUN.sub(r"\1", shorter)
        folded = _WHITESPACE.sub(" ", unicodedata.normalize("NFKC", shorter)).strip()
        if folded == text:
            break
        text = folded
    return text


def canonical(text: str) -> str:
    r"""Bring text to the form in which two texts are the same: `visible`, and without case. Idempotent.

    Source: Unicode 3.13 D146 (compatibility caseless match); the dot that İ leaves behind is dropped so that "İzmir" equals "izmir".

    >>> canonical("  CAFÉ\u200b  İzmir ") == canonical("cafe\u0301 izmir")
    True
    """
    if text.isascii():
        return visible(text).lower()
    for _ in range(_PASSES_MAX):
        lowered = visible(visible(text).casefold().replace("i\u0307", "i"))
        if lowered == text:
            break
        text = lowered
    return text


def fold(text: str) -> str:
    """Bring text to the form in which words and names are looked up: `canonical`, without accents, with ASCII digits. Idempotent.

    >>> fold("São João nº ١٢")
    'sao joao no 12'
    """
    if text.isascii() and text.isalnum():
        return text.lower()  # most words; nothing else of the below can change them
    for _ in range(_PASSES_MAX):
        plain = canonical(text)
        if not plain.isascii():
            bare = _ACCENTS.sub("", unicodedata.normalize("NFD", plain)).translate(_LETTERS)
            plain = canonical("".join(map(_ascii_digit, bare)))
        if plain == text:
            break
        text = plain
    return text


def _says_something(character: str) -> bool:
    category = unicodedata.category(character)
    # Pictographs newer than this Python's Unicode tables are unassigned (Cn) to it.
    return category[0] in "LN" or category == "So" or (category == "Cn" and character >= "\U0001f000")


def _ascii_digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if not character.isascii() and character.isdecimal() else character
