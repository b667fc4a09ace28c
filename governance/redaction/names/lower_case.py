# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Names in small letters, as chats have them: behind what introduces a person, and only where the given name is a known one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import PERSON
from governance.redaction.findings import Finding
from governance.redaction.names.context import alternatives as _words
from governance.redaction.names.folding import folded
from governance.redaction.names.given_names import GIVEN_NAMES
from governance.redaction.names.ordinary_words import INSTITUTIONS, ORDINARY
from governance.redaction.names.surnames import SURNAMES
from governance.redaction.recognizers.base import SHAPED

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTRODUCTIONS: Final = _words(
    r"""
    name(?:'s|_is|:) named called i_am i'm this_is speak_(?:to|with) talk_to follow_up_with add ask tell contact meet
    (?:my|his|her)_(?:wife|husband|son|daughter|brother|sister|mother|father|mom|dad|boss|friend|partner)(?:_is)?
    meu_nome_(?:é|e) me_chamo nome: (?:em|no)_nome_d[aeo] sou_[oa] falar_com(?:_[oa])? fala_com(?:_[oa])?
    (?:meu|minha)_(?:mãe|mae|pai|esposa|esposo|marido|filh[oa]|irmã|irma|irmão|irmao|chefe|amig[oa]|namorad[oa])(?:_[ée]|,)?
    [oa](?=[_\t]+[a-zà-ÿ]+[_\t]+(?:disse|falou|pediu|mandou|ligou|mora|trabalha))
    """
)
_INTRODUCED: Final = re.compile(
    rf"(?<![\w])(?:{_INTRODUCTIONS})[ \t]+(?P<first>[a-zà-ÿ]{{2,20}})(?:[ \t]+(?P<second>[a-zà-ÿ'’-]{{3,24}}))?(?![\w])", re.IGNORECASE
)
_STATED: Final = re.compile(
    r"(?<![\w])(?:(?:my|his|her) (?:full |first |last )?name(?:'s| is)|(?:everyone|people|friends) calls? me|meu nome (?:é|e)|me chamo|ele se chama|ela se chama)"
    r"[ \t]+(?P<name>[a-zà-ÿ]{3,24}(?:[ \t][a-zà-ÿ'’-]{3,24}){0,2})(?=[ \t]*(?:$|[.,;!?\n]|and\b|e\b|but\b|mas\b))"
)
_PAIR: Final = re.compile(r"(?<![\w.@/-])(?P<first>[a-zà-ÿ]{3,20})[ \t](?=(?P<last>[a-zà-ÿ]{3,24})(?![\w@-]))")
_TITLED: Final = re.compile(
    r"(?<![\w])(?:mr|mrs|dr|dra|sr|sra|srta|prof|profa|dona|ms(?=\.))\.?[ \t](?P<first>[a-zà-ÿ]{3,24})(?:[ \t](?P<second>[a-zà-ÿ'’-]{3,24}))?(?![\w])"
)
_ACTING: Final = re.compile(
    r"(?<![\w@.-])(?P<first>[a-zà-ÿ]{3,20})(?:['’]s\b|[ \t](?:said|says|told|asked|lives|lived|works|worked|called|wrote|moved|wants|thinks|is my|and i"
    r"|disse|falou|mora|trabalha|ligou|pediu|mandou|contou|respondeu)\b)"
)
_ALONE: Final = re.compile(
    r"(?:^|\n)[ \t?>*-]*(?P<first>[a-zà-ÿ]{3,20})[ \t](?P<second>[a-zà-ÿ.'’-]{2,24}(?:[ \t][a-zà-ÿ'’-]{3,24})?)[ \t]*(?=\n)"
)
_VOCATIVE: Final = re.compile(
    r"(?:^|\n|[.!?][ ]|\b(?:hi|hey|hello|oi|olá|ola|thanks|obrigad[oa]|valeu),? )(?P<first>[a-zà-ÿ]{3,20}),[ ]", re.IGNORECASE
)


def _is_word(word: str) -> bool:
    return folded(word) in ORDINARY or folded(word) in INSTITUTIONS


def _is_given(word: str) -> bool:
    return folded(word) in GIVEN_NAMES and not _is_word(word)


def lower_case_names(text: str) -> Iterator[Finding]:
    """Return people whose given name the list knows, or who are introduced by title or as somebody's name; they may overlap."""
    for start, end in (*_introduced(text), *_stated(text), *_listed(text)):
        yield Finding(PERSON, start, end, SHAPED)


def _introduced(text: str) -> Iterator[tuple[int, int]]:
    """The word behind a known given name is a surname if it is known as one or as no word at all."""
    for match in _INTRODUCED.finditer(text):
        second = match["second"]
        if _is_given(match["first"]):
            surname = second is not None and (folded(second) in SURNAMES or not _is_word(second)) and not second[:1].isupper()
            yield match.start("first"), match.end("second" if surname else "first")


def _stated(text: str) -> Iterator[tuple[int, int]]:
    for match in _STATED.finditer(text):
        if not any(_is_word(word) for word in match["name"].split()):
            yield match.span("name")
    for match in _TITLED.finditer(text):
        if not _is_word(match["first"]):
            second = match["second"] is not None and not _is_word(match["second"])
            yield match.start("first"), match.end("second" if second else "first")


def _listed(text: str) -> Iterator[tuple[int, int]]:
    for match in _ALONE.finditer(text):
        if _is_given(match["first"]):
            yield match.start("first"), match.end("second")
    for match in _PAIR.finditer(text):
        if _is_given(match["first"]) and folded(match["last"]) in SURNAMES | GIVEN_NAMES and not _is_word(match["last"]):
            yield match.start("first"), match.end("last")
    for pattern in (_ACTING, _VOCATIVE):
        for match in pattern.finditer(text):
            if _is_given(match["first"]):
                yield match.span("first")
