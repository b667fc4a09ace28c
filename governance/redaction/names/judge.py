# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Is a capitalised run a person, a place, or neither?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import LOCATION, PERSON
from governance.redaction.names import context
from governance.redaction.names.folding import folded
from governance.redaction.names.given_names import GIVEN_NAMES
from governance.redaction.names.ordinary_words import CALENDAR, ENGLISH, INSTITUTIONS, LANGUAGES, LAW, ORDINARY, PORTUGUESE, STREETS
from governance.redaction.names.runs import PARTICLES, Run, cut
from governance.redaction.names.surnames import SUFFIXES, SURNAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from governance.redaction.findings import EntityType
    from governance.redaction.names.runs import Word

NAME_WORDS_MAX: Final = 7
ACRONYM_CHARACTERS_MAX: Final = 6
TITLES: Final = frozenset(
    """
    mr mrs ms miss dr dra sr sra srta dona prof profa sir lady lord doutor doutora senhor senhora senhorita tio tia aunt uncle grandma grandpa
    des min rel
    """.split()  # noqa: SIM905 - as a line of words
)
_LINE_ABOVE: Final = re.compile(r"(?:^|\n)(?P<line>[^\n]+)\n[ \t?>*-]*$")
_COMPANY_BEHIND: Final = re.compile(
    r",?[ ](?:(?:- ?)?(?:inc|ltd|ltda|llc|corp|gmbh|plc|eireli|s/a|s\.a|me|epp|mei|ei)\b|(?:e|&|and|y) (?:filhos|cia|irm[ãa]os|associados|advogados|sons|co|partners|associates|brothers|bros)\b)",
    re.IGNORECASE,
)
_ABSTRACT: Final = (
    "cao",
    "coes",
    "mento",
    "mentos",
    "dade",
    "dades",
    "encia",
    "encias",
    "ancia",
    "ismo",
    "agem",
    "torio",
    "toria",
    "tivo",
    "tiva",
    "ario",
    "aria",
    "mente",
    "adores",
)
_ENGLISH_ABSTRACT: Final = ("ing", "tion", "tions", "ness", "ment", "ments", "ities", "ship", "ships")
"""Ends of Portuguese abstract nouns and adjectives, which legal prose and headings write with capitals."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The text around a run: `before` in small letters without accents, `after` as it stands."""

    before: str
    after: str
    shown_before: str

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Setting:
        before = text[max(0, start - context.BEFORE_CHARACTERS) : start]
        return cls(folded(before), text[end : end + context.AFTER_CHARACTERS], before)

    @property
    def in_code(self) -> bool:
        return context.CODE_BEFORE.search(self.shown_before) is not None or context.CODE_AFTER.match(self.after) is not None

    @property
    def at_start(self) -> bool:
        return context.SENTENCE_END.search(self.shown_before) is not None

    def is_inside_institution(self, *, portuguese: bool) -> bool:
        """Tell whether the run ends the name of an institution: `Tribunal de Justiça do` before it."""
        words = self.shown_before.split()
        if not portuguese or not words or words[-1].lower() not in {"do", "da", "de"}:
            return False
        for word in reversed(words[:-1]):
            if folded(word) in _INSTITUTION_HEADS:
                return True
            if not word[0].isupper() and word.lower() not in {"do", "da", "de", "dos", "das", "e"}:
                return False
        return False

    def is_part_of_name(self) -> bool:
        """Tell whether a capitalised word touches the run, so that it is a longer name: `Paris Hilton`, `Jordan Smith`."""
        words = self.after.split()
        follows = self.after[:1] == " " and bool(words) and folded(words[0].strip(".,;:!?'")) in SURNAMES and words[0][:1].isupper()
        previous = self.shown_before.split()
        leads = self.shown_before[-1:] == " " and bool(previous) and folded(previous[-1]) in GIVEN_NAMES and previous[-1][:1].isupper()
        return follows or leads


_INSTITUTION_HEADS: Final = frozenset(
    """
    tribunal justica camara ministerio secretaria universidade banco procuradoria defensoria policia assembleia superintendencia regional
    federal lei constituicao codigo procuradoria-geral procuradorgeral defensoria-geral advocacia-geral conselho engenharia fundacao instituto companhia conselho corregedoria seccional sindicato associacao federacao faculdade constituicao
    """.split()  # noqa: SIM905 - as a line of words
)


def is_portuguese(words: Sequence[Word]) -> bool:
    """Tell whether more function words of a text are Portuguese than English."""
    portuguese = sum(word.plain in PORTUGUESE and word.plain not in ENGLISH for word in words)
    return portuguese > sum(word.plain in ENGLISH and word.plain not in PORTUGUESE for word in words)


def parts_of(run: Run, text: str, occupied: bytearray) -> Iterator[Run]:
    """Return what may be names in a run: without titles, ordinary words, an institution, and the places that `occupied` marks as taken."""
    if any(word.plain in INSTITUTIONS for word in run.words) or _has_institution_behind(run, text):
        return
    boundaries = [
        any(occupied[word.start : word.end]) or word.plain in TITLES or _is_boundary(run, index, text)
        for index, word in enumerate(run.words)
    ]
    yield from cut(run, boundaries)


def _has_institution_behind(run: Run, text: str) -> bool:
    return _COMPANY_BEHIND.match(text, run.end) is not None


def _is_boundary(run: Run, index: int, text: str) -> bool:
    word = run.words[index]
    return (
        word.plain not in PARTICLES
        and not (word.is_initial and text[word.end : word.end + 1] == ".")
        and _is_ordinary(word)
        and not _is_held(run, index)
    )


def _is_ordinary(word: Word) -> bool:
    if word.plain in GIVEN_NAMES or (word.plain in SURNAMES and word.plain not in LAW):
        return word.plain in ORDINARY and word.plain in CALENDAR
    return word.plain in ORDINARY or word.plain.endswith((*_ABSTRACT, *_ENGLISH_ABSTRACT)) or "'" in word.plain


def _is_held(run: Run, index: int) -> bool:
    """Tell whether an ordinary word stands inside a name: `Rosa Weber` and `Dias Toffoli` begin with words, `Maria da Luz` ends with one."""
    word = run.words[index]
    return word.plain in SURNAMES and index > 0 and run.words[index - 1].plain not in LAW


def judge(run: Run, text: str, *, portuguese: bool) -> EntityType | None:
    """Return `PERSON`, `LOCATION` or None."""
    setting = Setting.of(text, run.start, run.end)
    names = run.names
    if not names or len(names) > NAME_WORDS_MAX or setting.in_code or any(word.plain in STREETS for word in names):
        return None
    if context.TITLE.search(setting.before):
        return None if _is_acronym(names) else PERSON
    listed = _is_listed(names)
    if context.NUMBER_BEFORE.search(setting.before) or (context.NUMBER_AFTER.match(setting.after) and not listed):
        return None
    if _is_under_address(setting) or (context.PLACE_BEFORE.search(setting.before) and not listed):
        return LOCATION
    return PERSON if listed else _judge_unlisted(setting, names, portuguese=portuguese)


def _judge_unlisted(setting: Setting, names: Sequence[Word], *, portuguese: bool) -> EntityType | None:
    introduced = _is_introduced(setting)
    if any(word.upper for word in names):
        # Headings and abbreviations are in capitals as well: only what introduces a person tells them apart.
        return PERSON if len(names) > 1 and introduced and not portuguese else None
    if introduced or (len(names) > 1 and _stands_alone(setting)):
        return PERSON
    return None if portuguese else _judge_unknown(setting, names)


def _is_listed(names: Sequence[Word]) -> bool:
    """Tell whether the lists know a part of the name that says enough."""
    if names[0].plain in GIVEN_NAMES:
        return True
    if len(names) == 1:
        return False
    ends_as_name = names[-1].plain in SURNAMES or (names[-1].plain in SUFFIXES and names[0].plain not in SUFFIXES)
    return ends_as_name or any(name.plain in GIVEN_NAMES for name in names[1:])


def _is_acronym(names: Sequence[Word]) -> bool:
    """Tell whether a run is one short word in capitals, as parties before a court are that are no people."""
    return len(names) == 1 and names[0].upper and names[0].end - names[0].start <= ACRONYM_CHARACTERS_MAX and not _is_listed(names)


def _is_introduced(setting: Setting) -> bool:
    return context.PERSON_BEFORE.search(setting.before) is not None or (
        context.PERSON_AFTER.match(folded(setting.after)) is not None and context.ARTICLE.search(setting.before) is None
    )


def _is_under_address(setting: Setting) -> bool:
    """Tell whether a run has a line to itself, as a town has, under a line with a number."""
    above = _LINE_ABOVE.search(setting.shown_before)
    return above is not None and any(char.isdigit() for char in above["line"]) and context.ALONE_AFTER.match(setting.after) is not None


def _stands_alone(setting: Setting) -> bool:
    return context.ALONE_BEFORE.search(setting.shown_before) is not None and context.ALONE_AFTER.match(setting.after) is not None


def _judge_unknown(setting: Setting, names: Sequence[Word]) -> EntityType | None:
    """English prose writes hardly anything but names with a capital inside a sentence; behind an article it is a thing."""
    if context.ARTICLE.search(setting.before) or any(word.plain in LANGUAGES for word in names):
        return None
    if len(names) == 1 and setting.at_start:
        return PERSON if setting.after.startswith((", can", ", could", ", please", ", are you", ": ", ':"', ", I")) else None
    return LOCATION if context.BARE_IN.search(setting.before) and not setting.before.endswith((" to ", " of ")) else PERSON
