"""Notebook import: one old notebook becomes memories of the people that it names, in the brain of their room.

A statement is filed where its subject is named and means one person there; whatever else it says waits in the brain's queue of unattributed
statements, and no door serves it. Nobody is guessed: two Mikes, a pronoun, or a name that nobody bears leave the statement waiting.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from governance.errors import ContentTooLarge, InvalidInput, ServiceError
from governance.principals import Role
from governance.redaction.names.folding import folded
from governance.redaction.names.given_names import GIVEN_NAMES
from governance.redaction.names.ordinary_words import ORDINARY
from governance.scopes import require_role
from memdb.directory.authentication import Authenticated
from memdb.directory.labels import NAME_CHARACTERS_MAX
from memdb.directory.resolving import Asked, Resolved, resolve
from memdb.formation.check import check_identifier
from memdb.formation.pipeline import Writer, form
from memdb.formation.stages import Receipt
from memdb.keyring import Purpose
from memdb.models.memory import Kind
from memdb.models.submission import CONTENT_BYTES_MAX, Source, SourceKind, Submission
from memdb.providers.entities.base import Mention, MentionKind
from memdb.runtime import Runtime
from memdb.storage.directory import Dictionary
from memdb.text.language import detect
from memdb.text.normalise import clean
from memdb.text.notebook import NotebookStatement, Skipped, read_notebook

NOTEBOOK_BYTES_MAX: Final = 1_048_576
STATEMENTS_MAX: Final = 500
"""They are stored in one request, which takes some 15 ms for each."""
NAMES_MAX: Final = 300
"""Distinct names that are looked up."""
BATCH: Final = 100
_PREFIX = re.compile(r"^(?P<name>[^:\n]{1,60}?)\s*(?::|\s[-–—])\s+(?=\S)")
_AND = re.compile(r"\s*(?:,|&|\band\b|\be\b)\s*", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:o|a|os|as|the|dona|seu|dr\.?|dra\.?|mr\.?|mrs\.?|ms\.?)\s+", re.IGNORECASE)
_REPORTS = re.compile(r"\b(?:says?|said|tells?|told|thinks?|thought|claims?|diz|disse|falou|acha|achou|conta|contou)\b", re.IGNORECASE)
"""Who is named first speaks of somebody else."""
_PRONOUNS: Final = frozenset(
    [
        "he",
        "she",
        "they",
        "his",
        "her",
        "their",
        "him",
        "them",
        "ele",
        "ela",
        "eles",
        "elas",
        "dele",
        "dela",
        "deles",
        "delas",
        "seu",
        "sua",
    ]
)
"""A statement that begins with one is about somebody who is not named."""
_MAY_NAME: Final = frozenset({MentionKind.PERSON, MentionKind.SUBJECT})


@dataclass(frozen=True, slots=True)
class Notebook:
    """What is imported. SECURITY: raw text; it ends at the redactor. `name` stands for the notebook as an episode."""

    brain_id: UUID
    name: str
    text: str = field(repr=False)
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Filed:
    """A statement whose subjects are known; `outcome` None in a dry run."""

    line: int
    about: tuple[UUID, ...]
    outcome: Receipt | ServiceError | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A statement that waits for somebody to say whom it is about, with who may be meant."""

    line: int
    candidates: tuple[UUID, ...]
    outcome: Receipt | ServiceError | None


@dataclass(frozen=True, slots=True)
class NotebookReport:
    """What became of every line that says something."""

    filed: list[Filed]
    waiting: list[Waiting]
    skipped: list[Skipped]


@dataclass(frozen=True, slots=True)
class _Attributed:
    """A statement with its subjects, or with none and the names and people that it may be about."""

    statement: NotebookStatement
    about: tuple[UUID, ...] = ()
    named: str | None = None
    candidates: tuple[UUID, ...] = ()


async def import_notebook(runtime: Runtime, who: Authenticated, writer: Writer, notebook: Notebook) -> NotebookReport:
    """Read a notebook and file what it says. A second import of the same notebook reinforces what the first one stored.

    Raises:
        NotFound: the brain is unknown or not readable.
        AccessDenied: the caller may read it but not write.
        ContentTooLarge: more than 1 MiB or 500 statements; split it.
        InvalidInput: there is nothing in it, or the name is refused.
        RedactionUnavailable: the redactor failed; nothing was stored.
        StorageUnavailable: an earlier part may have been stored; import it again.
    """
    require_role(writer.principal, writer.access, notebook.brain_id, Role.WRITER)
    name = check_identifier(notebook.name, "name")
    runtime.redactor.check_identifier(name, "name", writer.redaction.rules_for(notebook.brain_id))
    statements, skipped = await asyncio.to_thread(_read, runtime, writer, notebook)
    attributed = await _attribute_all(runtime, who, notebook.brain_id, statements)
    outcomes: list[Receipt | ServiceError | None] = [None] * len(attributed)
    if not notebook.dry_run:
        for start in range(0, len(attributed), BATCH):
            part = [_submission(notebook, name, start + place, a) for place, a in enumerate(attributed[start : start + BATCH])]
            outcomes[start : start + BATCH] = (await form(runtime, writer, part)).outcomes
    report = NotebookReport([], [], skipped)
    for each, outcome in zip(attributed, outcomes, strict=True):
        if each.about:
            report.filed.append(Filed(each.statement.line, each.about, outcome))
        else:
            report.waiting.append(Waiting(each.statement.line, each.candidates, outcome))
    return report


def _read(runtime: Runtime, writer: Writer, notebook: Notebook) -> tuple[list[NotebookStatement], list[Skipped]]:
    cleaned = clean(notebook.text, "text")
    if len(cleaned.encode()) > NOTEBOOK_BYTES_MAX:
        raise ContentTooLarge(f"the notebook is longer than {NOTEBOOK_BYTES_MAX} bytes; split it", field="text")
    # SECURITY: as a whole first. Taken apart, a key over several lines is none, nor is a number that the line above says the meaning of.
    rules = writer.redaction.rules_for(notebook.brain_id)
    key = runtime.keyring.derive(Purpose.PSEUDONYM, writer.principal.org_id, context=str(notebook.brain_id))
    statements, skipped = read_notebook(runtime.redactor.redact_lines(cleaned, rules=rules, key=key, field="text"))
    long = [s for s in statements if len(s.text.encode()) > CONTENT_BYTES_MAX]
    skipped = sorted([*skipped, *(Skipped(s.line, "too_long") for s in long)], key=lambda s: s.line)
    statements = [s for s in statements if s not in long]
    if not statements:
        raise InvalidInput("the notebook holds no statement", field="text")
    if len(statements) > STATEMENTS_MAX:
        raise ContentTooLarge(f"the notebook holds more than {STATEMENTS_MAX} statements; split it", field="text")
    return statements, skipped


def _submission(notebook: Notebook, name: str, position: int, each: _Attributed) -> Submission:
    return Submission(
        content=each.statement.text,
        kind=Kind.SEMANTIC,
        brain_id=notebook.brain_id,
        about=each.about,
        # Whom it may be about is looked up again when somebody decides: the directory changes.
        data={} if each.about or each.named is None else {"named": each.named},
        source=Source(kind=SourceKind.IMPORTED, episode=f"notebook {name}", position=position),
        attributed=bool(each.about),
    )


# ------------------------------------------------------------------------------------------------------------- attribution
async def _attribute_all(
    runtime: Runtime, who: Authenticated, brain_id: UUID, statements: Sequence[NotebookStatement]
) -> list[_Attributed]:
    dictionary = await runtime.directory.get(runtime.database, who.identity)
    people = _People(runtime, who, brain_id, dictionary)
    return [await _attribute(people, statement) for statement in statements]


class _People:
    """Whom names mean in one room; each name is looked up once."""

    def __init__(self, runtime: Runtime, who: Authenticated, brain_id: UUID, dictionary: Dictionary) -> None:
        self._runtime, self._who, self._brain_id, self._dictionary = runtime, who, brain_id, dictionary
        self._known: dict[str, Resolved] = {}

    async def find(self, name: str) -> Resolved:
        """One subject or candidates; nobody once too many names were looked up."""
        bare = name.strip(" *_\"'()[]")
        if not bare or len(bare) > NAME_CHARACTERS_MAX:
            return Resolved(None)
        if bare not in self._known:
            if len(self._known) >= NAMES_MAX:
                return Resolved(None)
            self._known[bare] = await resolve(self._runtime, self._who, Asked(bare, brain_id=self._brain_id))
        return self._known[bare]

    def mentions(self, text: str) -> list[Mention]:
        """What a text mentions, in its order."""
        return self._runtime.extractor.extract(text, detect(text), self._dictionary)


async def _attribute(people: _People, statement: NotebookStatement) -> _Attributed:
    if statement.text.startswith("|"):  # a row of a table, whose subject stands in one of its cells
        return await _waiting(people, statement, [m.surface for m in _named(people, statement.text)])
    lead = _lead(people, statement.text)
    if lead and _REPORTS.search(statement.text) and len(_named(people, statement.text)) > len(lead):
        return await _waiting(people, statement, [m.surface for m in _named(people, statement.text)])
    if lead:
        return await _of_names(people, statement, lead)
    words = statement.text.split(maxsplit=1)
    if folded(words[0].strip(",.:;")) in _PRONOUNS:
        before = _lead(people, statement.before or "")
        return await _waiting(people, statement, before or [m.surface for m in _named(people, " ".join(statement.headings[:1]))])
    for heading in statement.headings:
        found = await _of_heading(people, heading)
        if found:
            return await _of_names(people, statement, found)
        if _names_a_thing(people, heading):
            break
    return await _waiting(people, statement, [m.surface for m in _named(people, statement.text)])


def _lead(people: _People, text: str) -> list[str]:
    """The names that a statement begins with: before a colon or dash, or as its grammatical subject."""
    prefix = _PREFIX.match(text)
    if prefix is not None:
        names = [name for name in _AND.split(_ARTICLE.sub("", prefix["name"])) if name]
        if names and all(_may_be_name(people, name) for name in names):
            return names
    mentions = people.mentions(text)
    lead: list[str] = []
    end = 0
    for mention in mentions:
        between = text[end : mention.start]
        joined = not between.strip() or (_AND.fullmatch(between) if lead else _ARTICLE.fullmatch(between.lstrip()))
        if not joined or not (mention.kind in _MAY_NAME or _may_be_name(people, mention.surface)):
            break
        lead.append(mention.surface)
        end = mention.end
    return lead


def _may_be_name(people: _People, name: str) -> bool:
    """True for what the org knows, and for capitalised words that are not ordinary ones."""
    if any(m.kind in _MAY_NAME and m.start == 0 and m.end == len(name) for m in people.mentions(name)):
        return True
    words = [folded(word) for word in name.split() if word[:1].isupper()]
    if len(words) == 1:
        # The first word of any sentence has a capital; a name alone is one that people have.
        return words[0] in GIVEN_NAMES
    return len(words) == len(name.split()) <= 4 and bool(words) and not ORDINARY.intersection(words)


def _named(people: _People, text: str) -> list[Mention]:
    return [m for m in people.mentions(text) if m.kind in _MAY_NAME]


async def _of_heading(people: _People, heading: str) -> list[str]:
    """The people that a heading is about: its whole text, the names that it joins, or the one person whom it names. None for a thing."""
    whole = await people.find(heading)
    if whole.subject is not None or any(c.match != "near" for c in whole.candidates):
        return [heading]
    parts = [part for part in _AND.split(heading) if part]
    if len(parts) > 1 and all(_may_be_name(people, part) for part in parts):
        return parts
    mentions = _named(people, heading)
    return [mentions[0].surface] if len(mentions) == 1 else []


def _names_a_thing(people: _People, heading: str) -> bool:
    """True for a heading such as "Project Falcon": what stands below it is about that, whoever the heading above names."""
    return (
        any(m.kind not in _MAY_NAME and m.start > 0 for m in people.mentions(heading))
        or len(_named(people, heading)) > 1
        or any(word[:1].isupper() and folded(word) not in ORDINARY for word in heading.split()[1:])
    )


async def _of_names(people: _People, statement: NotebookStatement, names: Sequence[str]) -> _Attributed:
    found = [await people.find(name) for name in names]
    subjects = [one.subject.row.id for one in found if one.subject is not None]
    if len(subjects) == len(found):
        return _Attributed(statement, about=tuple(sorted(set(subjects))))
    return await _waiting(people, statement, names)


async def _waiting(people: _People, statement: NotebookStatement, names: Sequence[str]) -> _Attributed:
    candidates: list[UUID] = []
    for name in names:
        found = await people.find(name)
        candidates += [found.subject.row.id] if found.subject is not None else [c.row.id for c in found.candidates]
    named = names[0][:NAME_CHARACTERS_MAX] if names else None
    return _Attributed(statement, named=named, candidates=tuple(dict.fromkeys(candidates)))
