"""Where sentences begin and end in English and Portuguese prose, chat and lists; other scripts by their own full stops."""

from __future__ import annotations

import re

# Words that a full stop belongs to, folded to lower case. After them a sentence ends only at a line break.
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr drs prof sr sra srs sras srta jr st mt gen col capt lt sgt rev hon inc ltd corp co no nos vs etc e.g i.e cf al approx
    dept est fig figs vol ed pp p jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m u.s u.k
    dra profa exmo exma ilmo v.exa av r pç pça trav rod est art arts inc. par n nº tel cel ref obs ex p.ex pág págs cap ed séc apto
    fev abr mai ago set out dez ltda cia s.a d eng arq adv
    """.split()  # noqa: SIM905 - a hundred quoted words are harder to read and to extend
)
# Abbreviations that are words too ("out", "set", "no", "mar"): they bind only when a digit follows.
_BIND_BEFORE_DIGIT = frozenset("no nos mar set out ago n p pp art arts fig figs vol cap est co ed ex inc al jun jul par dec r d".split())  # noqa: SIM905
# INVARIANT: linear on hostile text: a run of stops is tried once, at its first character, and is never given back.
_STOP = re.compile(
    r"(?<![.!?…])(?P<stop>[.!?…]++|[。！？]++)(?P<closing>[\"'”’)\]»」』]*+)(?P<gap>\s++|$|(?<=[。！？」』]))|(?P<line>\n\s*+)"
)
_WORD_BEFORE = re.compile(r"[\w.ºª]+$")
_LOOK_BACK = 24


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Give the sentences as `(start, end)` code-point offsets, end exclusive, in order, without surrounding white space.

    Every character that is not white space lies in exactly one sentence.

    >>> text = "Dr. Silva mora na Av. Paulista. Ela gosta de chá!"
    >>> [text[a:b] for a, b in split_sentences(text)]
    ['Dr. Silva mora na Av. Paulista.', 'Ela gosta de chá!']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _STOP.finditer(text):
        if match["line"] is None and not _ends_sentence(text, match):
            continue
        end = match.start("line") if match["line"] is not None else match.end("closing")
        _add_trimmed(text, start, end, spans)
        start = match.end()
    _add_trimmed(text, start, len(text), spans)
    return spans


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    stop, following = match["stop"], text[match.end() : match.end() + 1]
    if stop[0] in "。！？" or not following:
        return True
    if following.islower():
        return False  # "e.g. this", "wait... what"
    return stop != "." or not is_abbreviated(text, match.start(), following)


def is_abbreviated(text: str, stop: int, following: str) -> bool:
    """Tell whether a full stop belongs to the word before it.

    Args:
        text: in which it stands.
        stop: where.
        following: the character that comes after the space behind it.
    """
    before = _WORD_BEFORE.search(text, max(0, stop - _LOOK_BACK), stop)
    word = before[0].lower().strip(".") if before else ""
    if len(word) == 1 and word.isalpha() and before is not None and before[0][-1].isupper():
        return word != "i"  # an initial, as in "J. Souza"
    if word in _BIND_BEFORE_DIGIT:
        return following.isdigit()
    return word in _ABBREVIATIONS


def _add_trimmed(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + piece.index(stripped[0])
        spans.append((first, first + len(stripped)))
