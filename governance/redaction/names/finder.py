"""Finds people and places by rules: the org's own names, streets, well-known places, and capitalised runs in their context."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import LOCATION, PERSON
from governance.redaction.findings import EntityType, Finding
from governance.redaction.names import context
from governance.redaction.names.addresses import addresses_of
from governance.redaction.names.folding import folded
from governance.redaction.names.given_names import GIVEN_NAMES
from governance.redaction.names.judge import Setting, is_portuguese, judge, parts_of
from governance.redaction.names.known import NOBODY, KnownNames
from governance.redaction.names.lower_case import lower_case_names
from governance.redaction.names.places import ALSO_NAMES, BRAZILIAN_STATES, PLACES
from governance.redaction.names.runs import Run, runs_of, words_of
from governance.redaction.recognizers.base import LABELLED, SHAPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from governance.redaction.names.runs import Word

_UNION: Final = re.compile(r"\b(?:uniao|estados|municipios)\b")
_AGENT: Final = re.compile(r"(?:(?:^|[ ,:.])(?:o|ao|pelo|contra o|entre o|contra|e o)|[:)]|ante|ado) (?:estado d[eo] )?$")
PLACE_WORDS_MAX: Final = 5


@dataclass(frozen=True, slots=True)
class _Judged:
    run: Run
    entity: EntityType | None


def find_names(text: str, known: KnownNames = NOBODY) -> tuple[Finding, ...]:
    """Return people and places, disjoint and in order of place, in code-point offsets.

    Args:
        text: analysis text, in which what was found already is blanked.
        known: the names that the org has given; they go before everything else.
    """
    words = words_of(text)
    occupied = bytearray(len(text))
    portuguese = is_portuguese(words)
    taken = _free(known.find(words), occupied)
    taken += _free((Finding(LOCATION, *span, LABELLED) for span in addresses_of(text)), occupied)
    taken += _free(_places(text, words, portuguese=portuguese), occupied)
    taken += _free(_people_and_more(text, words, occupied, portuguese=portuguese), occupied)
    taken += _free(lower_case_names(text), occupied)
    return tuple(sorted(taken, key=lambda finding: finding.start))


def _free(findings: Iterable[Finding], occupied: bytearray) -> list[Finding]:
    """Return those that touch nothing occupied and nothing of each other, the earlier and longer first, and occupy their places."""
    free: list[Finding] = []
    for finding in sorted(findings, key=lambda item: (item.start, -item.end)):
        if not any(occupied[finding.start : finding.end]):
            occupied[finding.start : finding.end] = b"\x01" * (finding.end - finding.start)
            free.append(finding)
    return free


def _places(text: str, words: Sequence[Word], *, portuguese: bool) -> Iterator[Finding]:
    """Places of the list, with the state behind them; those that are names as well only where something is put there."""
    position = 0
    while position < len(words):
        length = _place_length(words, position) if words[position].capital else 0
        if length == 0:
            position += 1
            continue
        first, last = words[position], words[position + length - 1]
        setting = Setting.of(text, first.start, last.end)
        if _is_place(" ".join(word.plain for word in words[position : position + length]), setting, portuguese=portuguese):
            state = context.STATE_AFTER.match(text, last.end)
            end = state.end() if state is not None and state[0].strip(" ()/-,") in BRAZILIAN_STATES else last.end
            yield Finding(LOCATION, first.start, end, LABELLED)
        position += length
    if portuguese:
        for word in words:
            if word.upper and text[word.start : word.end] in {"DF", "SP", "RJ", "MG"}:
                setting = Setting.of(text, word.start, word.end)
                if setting.before.endswith((" do ", " em ", " no ", " de ")) and not setting.in_code:
                    yield Finding(LOCATION, word.start, word.end, SHAPED)


def _place_length(words: Sequence[Word], position: int) -> int:
    for length in range(min(PLACE_WORDS_MAX, len(words) - position), 0, -1):
        part = words[position : position + length]
        if (
            part[-1].capital
            and " ".join(word.plain for word in part) in PLACES
            and part[-1].end - part[0].start <= sum(word.end - word.start + 1 for word in part)
        ):
            return length
    return 0


def _is_place(name: str, setting: Setting, *, portuguese: bool) -> bool:
    if setting.in_code or context.TITLE.search(setting.before) or setting.is_inside_institution(portuguese=portuguese):
        return False
    if setting.is_part_of_name() or (portuguese and _is_party(name, setting)):
        return False
    if name in ALSO_NAMES or name in GIVEN_NAMES:
        return context.PLACE_BEFORE.search(setting.before) is not None or context.STATE_AFTER.match(setting.after) is not None
    return True


def _is_party(name: str, setting: Setting) -> bool:
    """Tell whether a state acts, sues or is sued: then it is a legal person, not a place."""
    if name != "distrito federal" and not setting.before.endswith((" estado de ", " estado do ", " estado da ")):
        return False
    return _AGENT.search(setting.before) is not None or (
        name == "distrito federal" and _UNION.search(setting.before + folded(setting.after)) is not None
    )


def _people_and_more(text: str, words: Sequence[Word], occupied: bytearray, *, portuguese: bool) -> Iterator[Finding]:
    runs = [part for run in runs_of(text, words) for part in parts_of(run, text, occupied)]
    judged = [_Judged(run, judge(run, text, portuguese=portuguese)) for run in runs]
    known = {word.plain for item in judged if item.entity == PERSON for word in item.run.names}
    judged = [_Judged(item.run, PERSON if item.entity is None and _is_repeated(item.run, known) else item.entity) for item in judged]
    for item in _spread(judged, text):
        if item.entity is not None:
            yield Finding(item.entity, item.run.start, item.run.end, SHAPED)


def _is_repeated(run: Run, known: set[str]) -> bool:
    """Tell whether somebody who was named before is called by a part of the name."""
    return bool(run.names) and all(word.plain in known for word in run.names)


def _spread(judged: list[_Judged], text: str) -> list[_Judged]:
    """What stands in a list with people is a person, forwards and backwards."""
    for items in (judged, judged[::-1]):
        for index in range(1, len(items)):
            before, item = items[index - 1], items[index]
            left, right = sorted((before.run, item.run), key=lambda run: run.start)
            if item.entity is None and before.entity == PERSON and context.LIST_JOINT.fullmatch(folded(text[left.end : right.start])):
                items[index] = _Judged(item.run, PERSON)
        judged = items if items is judged else items[::-1]
    return judged
