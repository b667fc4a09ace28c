"""The only maker of redacted text and redacted JSON. Step 1 of formation, step 0 of a recall.

Redaction repeats on its own output until nothing new is found, so that what is stored would pass the same redactor again unchanged.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from governance.errors import InvalidInput, PersonalDataInIdentifier, RedactionUnavailable
from governance.redaction.canonical import token
from governance.redaction.engine import Analyzer
from governance.redaction.entities import ENTITIES, LOCATION, MASK_VISIBLE, PERSON, is_secret, label_of
from governance.redaction.findings import Action, Finding, JsonRedaction, JsonValue, RedactedJson, RedactedText, Redaction
from governance.redaction.key_context import prefix_under, secret_under
from governance.redaction.names.known import NOBODY, KnownNames
from governance.redaction.names.search import search_names
from governance.redaction.numbering import Numbering
from governance.redaction.overlaps import disjoint
from governance.redaction.recognizers.base import CERTAIN, digits_of
from governance.redaction.rules import DEFAULT_RULES, RedactionRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from governance.redaction.findings import EntityType
    from governance.redaction.names.model import NameModel

ROUNDS_MAX: Final = 32
DEPTH_MAX: Final = 16
INTEGER_LIMIT: Final = 2**63
NUMBER_DIGITS_MIN: Final = 4  # the shortest PIN; without a word for one before it nothing shorter than eight digits is found
KEY_BYTES_MIN: Final = 16


@dataclass(frozen=True, slots=True)
class _Job:
    """What stays the same over all texts of one call."""

    rules: RedactionRules
    key: bytes
    numbering: Numbering
    field: str
    known: KnownNames
    names: frozenset[EntityType]  # of people and places: the types that the rules do not keep
    keeps_lines: bool = False  # what is replaced leaves its line breaks behind


class Redactor:
    """Finds and replaces personal data and secrets. Built once, warm, safe in threads; no network, no state between calls."""

    def __init__(self, analyzer: Analyzer | None = None, *, name_model: NameModel | None = None) -> None:
        self._analyzer = analyzer if analyzer is not None else Analyzer()
        self._name_model = name_model
        # The first use loads the public suffix list and phone metadata; no request should pay for it.
        self._analyzer.find("ana@example.com +55 11 98765-4321 (11) 3333-4444 202-555-0143")

    @staticmethod
    def numbering() -> Numbering:
        """Return fresh label numbers for one memory; hand the same object to all of its fields."""
        return Numbering()

    def redact(
        self, text: str, *, rules: RedactionRules, key: bytes, numbering: Numbering | None = None, field: str, known: KnownNames = NOBODY
    ) -> RedactedText:
        """Return the text with every finding treated as the rules say, the rest byte for byte.

        Args:
            text: any text; labels of earlier redactions in it stay as they are.
            rules: action per entity type.
            key: at least 16 bytes; equal values have equal tokens under one key.
            numbering: shared by all fields of one memory; None numbers this text alone.
            field: path of the input field, for errors.
            known: names that the org has given; looked at only where the rules do not keep people or places.

        Raises:
            RedactionUnavailable: a recognizer failed; nothing of the text is in the error.
        """
        job = self._job(rules, key, numbering, field, known)
        job.numbering.reserve(text)
        return self._redact(text, "", job)

    def redact_lines(self, text: str, *, rules: RedactionRules, key: bytes, field: str) -> str:
        """Return a text of many statements redacted as a whole, line breaks kept, so that each line keeps its number.

        For what is taken apart afterwards: a secret over several lines, or one that only the line above tells of, is none in its parts.
        Names of people and places stay; whoever stores a part redacts it by the full rules. Arguments and errors as of `redact`.
        """
        kept = replace(rules, actions={**rules.actions, PERSON: Action.KEEP, LOCATION: Action.KEEP})
        job = replace(self._job(kept, key, None, field, NOBODY), keeps_lines=True)
        job.numbering.reserve(text)
        return self._redact(text, "", job).text

    def redact_many(
        self,
        texts: Sequence[str],
        *,
        rules: RedactionRules,
        key: bytes,
        numbering: Numbering | None = None,
        field: str,
        known: KnownNames = NOBODY,
    ) -> tuple[RedactedText, ...]:
        """Return the texts of one memory redacted, in their order, with common label numbers.

        Raises:
            RedactionUnavailable: a recognizer failed.
        """
        job = self._job(rules, key, numbering, field, known)
        for text in texts:
            job.numbering.reserve(text)
        return tuple(self._redact(text, "", job) for text in texts)

    def redact_json(
        self,
        value: object,
        *,
        rules: RedactionRules,
        key: bytes,
        numbering: Numbering | None = None,
        field: str,
        known: KnownNames = NOBODY,
    ) -> RedactedJson:
        """Return a JSON value whose strings and long numbers passed the redactor; the key before a value counts as its context.

        A number with a finding is replaced by the label as a string.

        Raises:
            InvalidInput: deeper than 16 levels, not JSON, NaN or infinite, or an integer beyond 64 bits.
            PersonalDataInIdentifier: a key holds personal data or a secret.
            RedactionUnavailable: a recognizer failed.
        """
        job = self._job(rules, key, numbering, field, known)
        _reserve_all(value, job.numbering, 0, field)
        found: list[JsonRedaction] = []
        return RedactedJson(self._walk(value, _Place("", "", 0), job, found), tuple(found))

    def check_identifier(self, text: str, field: str, rules: RedactionRules = DEFAULT_RULES) -> None:
        """Let an identifier pass or refuse it: topics, tags, keys and external ids are never rewritten.

        What the product knows is refused by its default action, whatever `rules` say of it, what an org looks for itself where they do not
        keep it.

        Raises:
            PersonalDataInIdentifier: it holds personal data or a secret.
            RedactionUnavailable: a recognizer failed.
        """
        # Identifiers join their words with signs that are part of a word elsewhere.
        spaced = text.translate(_IDENTIFIER_JOINTS)
        for shown in {text, spaced}:
            found = self._find(shown, field, rules)
            if any(each.entity not in ENTITIES or ENTITIES[each.entity].default is not Action.KEEP for each in found):
                raise PersonalDataInIdentifier(f"{field or 'identifier'} holds personal data or a secret: use an opaque name", field=field)

    @staticmethod
    def _job(rules: RedactionRules, key: bytes, numbering: Numbering | None, field: str, known: KnownNames) -> _Job:
        assert len(key) >= KEY_BYTES_MIN, "redaction key is too short"
        names = frozenset(entity for entity in (PERSON, LOCATION) if rules.action(entity) is not Action.KEEP)
        return _Job(rules, key, Numbering() if numbering is None else numbering, field, known, names)

    def _find(self, text: str, field: str, rules: RedactionRules) -> tuple[Finding, ...]:
        # SECURITY: raised outside the handler, so that the error carries no exception with text in it, not even as context.
        findings = None
        with contextlib.suppress(Exception):  # fail closed whatever the library throws; its reason may quote the text
            findings = self._analyzer.find(text, rules.sought, rules.labels)
        if findings is None:
            raise RedactionUnavailable(field=field)
        return findings

    def _find_for(self, text: str, job: _Job) -> tuple[Finding, ...]:
        """Find everything that the rules of a job ask for; names cost nothing where they are kept."""
        findings = _without_shields(self._find(text, job.field, job.rules), job.rules)
        if not job.names:
            return findings
        names = None
        with contextlib.suppress(Exception):  # as above
            names = search_names(text, findings, known=job.known, model=self._name_model)
        if names is None:
            raise RedactionUnavailable(field=job.field)
        return (*findings, *(name for name in names if name.entity in job.names))

    def _redact(self, text: str, prefix: str, job: _Job, chosen: tuple[Finding, ...] = ()) -> RedactedText:
        """Redact `text` as it would be read behind `prefix`, which is not part of the result; `chosen` is found already."""
        result = _render(text, chosen, job)
        for _ in range(ROUNDS_MAX):
            new = self._new_findings(prefix, result, chosen, job)
            if not new:
                return result
            chosen = disjoint((*chosen, *new))
            result = _render(text, chosen, job)
        raise RedactionUnavailable(field=job.field)

    def _new_findings(self, prefix: str, result: RedactedText, chosen: tuple[Finding, ...], job: _Job) -> list[Finding]:
        """Look at the result of the last round, and return what is new in offsets of the original text."""
        new: list[Finding] = []
        for found in self._find_for(prefix + result.text, job):
            start, end = max(0, found.start - len(prefix)), found.end - len(prefix)
            if end <= 0:
                continue
            origin = _to_original(start, end, result, chosen)
            if origin is not None:
                new.append(Finding(found.entity, *origin, found.score))
        return new

    def _walk(self, value: object, place: _Place, job: _Job, found: list[JsonRedaction]) -> JsonValue:
        if isinstance(value, str):
            redacted = self._redact(value, place.prefix, job, _whole(value, place))
            found.extend(JsonRedaction(place.path, redaction) for redaction in redacted.redactions)
            return redacted.text
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return self._number(value, place, job, found)
        if isinstance(value, list):
            return [self._walk(item, place.item(index), job, found) for index, item in enumerate(value)]
        assert isinstance(value, dict), "refused by _reserve_all"
        for name in value:
            self.check_identifier(name, _join(job.field, place.path), job.rules)
        return {name: self._walk(item, place.member(name, value), job, found) for name, item in value.items()}

    def _number(self, value: float, place: _Place, job: _Job, found: list[JsonRedaction]) -> JsonValue:
        written = str(int(value)) if float(value).is_integer() else repr(value)
        whole = _whole(written, place)
        if not whole and len(digits_of(written)) < NUMBER_DIGITS_MIN:
            return value
        redacted = self._redact(written, place.prefix, job, whole)
        found.extend(JsonRedaction(place.path, redaction) for redaction in redacted.redactions)
        return value if redacted.text == written else redacted.text


_IDENTIFIER_JOINTS: Final = str.maketrans({"_": " ", "/": " ", ":": " ", "=": " ", "|": " ", "~": " "})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a JSON value the walk stands; `prefix` is what the keys above say about the value."""

    path: str
    prefix: str
    depth: int

    def member(self, name: str, siblings: Mapping[str, object]) -> _Place:
        return _Place(f"{self.path}.{name}" if self.path else name, prefix_under(name, self.prefix, siblings), self.depth + 1)

    def item(self, index: int) -> _Place:
        return _Place(f"{self.path}[{index}]", self.prefix, self.depth + 1)


def _whole(value: str, place: _Place) -> tuple[Finding, ...]:
    """A finding over the whole value, where the keys above it say that it is a secret."""
    entity = secret_under(place.prefix, value)
    return () if entity is None else (Finding(entity, 0, len(value), CERTAIN),)


def _join(field: str, path: str) -> str:
    return f"{field}.{path}" if path else field


def _reserve_all(value: object, numbering: Numbering, depth: int, field: str) -> None:
    """Check a JSON value once and reserve the label numbers that stand in it."""
    if depth > DEPTH_MAX:
        raise InvalidInput(f"{field} is nested deeper than {DEPTH_MAX} levels", field=field)
    if isinstance(value, str):
        numbering.reserve(value)
    elif isinstance(value, list):
        for item in value:
            _reserve_all(item, numbering, depth + 1, field)
    elif isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(name, str):
                raise InvalidInput(f"{field} has a key that is not a string", field=field)
            _reserve_all(item, numbering, depth + 1, field)
    else:
        _require_scalar(value, field)


def _require_scalar(value: object, field: str) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int):
        if not -INTEGER_LIMIT <= value < INTEGER_LIMIT:
            raise InvalidInput(f"{field} holds an integer beyond 64 bits; send it as a string", field=field)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{field} holds a number that is not finite", field=field)
    else:
        raise InvalidInput(f"{field} holds a value that is not JSON", field=field)


def _render(text: str, chosen: Iterable[Finding], job: _Job) -> RedactedText:
    """Put the findings' replacements into the text; `chosen` is disjoint and in order of place."""
    pieces: list[str] = []
    redactions: list[Redaction] = []
    position = length = 0
    for finding in chosen:
        pieces.append(text[position : finding.start])
        length += finding.start - position
        value = text[finding.start : finding.end]
        action, shown, linked = _treat(value, finding, job)
        if job.keeps_lines and action is not Action.KEEP:
            shown += "\n" * value.count("\n")
        pieces.append(shown)
        redactions.append(Redaction(finding.entity, action, length, length + len(shown), linked))
        length += len(shown)
        position = finding.end
    pieces.append(text[position:])
    return RedactedText("".join(pieces), tuple(redactions))


def _treat(value: str, finding: Finding, job: _Job) -> tuple[Action, str, str | None]:
    """Return the action, what stands in the text afterwards, and the linkable token."""
    label = label_of(finding.entity)
    # SECURITY: secrets are replaced even by rules that were not made through `RedactionRules`.
    action = Action.REPLACE if is_secret(finding.entity) else job.rules.action(finding.entity)
    if action is Action.KEEP:
        return action, value, None
    if action is Action.REPLACE:
        return action, f"[{label}]", None
    linked = token(job.key, finding.entity, value)
    if action is Action.PSEUDONYMISE:
        return action, job.numbering.label(finding.entity, linked), linked
    visible = MASK_VISIBLE.get(finding.entity, 0)
    return action, f"[{label} ****{digits_of(value)[-visible:] if visible else ''}]", linked


def _without_shields(findings: tuple[Finding, ...], rules: RedactionRules) -> tuple[Finding, ...]:
    """Leave out what is kept and overlaps what the org itself looks for: a longer finding would keep both."""
    own = [found for found in findings if found.entity not in ENTITIES]
    if not own:
        return findings
    return tuple(
        found
        for found in findings
        if found.entity not in ENTITIES
        or is_secret(found.entity)
        or rules.action(found.entity) is not Action.KEEP
        or not any(each.start < found.end and found.start < each.end for each in own)
    )


def _to_original(start: int, end: int, result: RedactedText, chosen: tuple[Finding, ...]) -> tuple[int, int] | None:
    """Map a span of the redacted text to the original; None if it touches what is treated already."""
    shift = 0
    for redaction, finding in zip(result.redactions, chosen, strict=True):
        if start < redaction.end and redaction.start < end:
            return None
        if redaction.end <= start:
            shift = finding.end - redaction.end
    return start + shift, end + shift
