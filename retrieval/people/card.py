"""The card of a subject: its front, and as the last line what the drawer holds and the call that opens it. For a prompt as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from governance.errors import InvalidInput
from governance.policy.memory_rules import MemoryRules
from memdb.runtime import Runtime
from memdb.storage.database import identity_of
from memdb.text.tokens import count_tokens
from retrieval.card import FRONT, INDENT, drawer_line
from retrieval.engine import Reader
from retrieval.front import Drawer, Known, list_shown, read_known
from retrieval.people.folder import Folder, Wanted, everything_now, open_folder
from retrieval.query import TOKEN_BUDGET_MAX
from retrieval.standing import Entry, remarks_of, stand


@dataclass(frozen=True, slots=True)
class SubjectCard:
    """Entries newest first, within the caps of the org over all brains together. The drawer counts what found no room as well, and is None
    when there is nothing more than what is shown. `tokens` of the text (o200k), at most `token_budget` if one was given.
    """

    folder: Folder
    entries: tuple[Entry, ...]
    drawer: Drawer | None
    text: str = field(repr=False)
    tokens: int
    token_budget: int | None


async def read_card(runtime: Runtime, reader: Reader, wanted: Wanted, token_budget: int | None = None) -> SubjectCard:
    """The card of a subject, of what the caller and the whole audience may read.

    Raises:
        InvalidInput: a list is empty or too long, or the budget is out of range.
        NotFound: the org has no such subject, or `brains` names a brain that the caller may not read.
    """
    if token_budget is not None and not 1 <= token_budget <= TOKEN_BUDGET_MAX:
        raise InvalidInput(f"token_budget must be 1 to {TOKEN_BUDGET_MAX}", field="token_budget")
    filters = everything_now(runtime.clock.now())
    async with runtime.database.read(identity_of(reader.principal)) as conn:
        folder = await open_folder(conn, reader, wanted)
        groups = {folder.subject_id: folder.members}
        known = (await read_known(conn, folder.scope, groups, filters, reader.memory.front_entries))[folder.subject_id]
        rows = await list_shown(conn, folder.scope, known.front, filters, runtime.keyring)
        shown = await stand(conn, folder.scope, rows, filters, reader.memory, runtime.keyring)
    return compose_card(folder, known, shown, reader.memory, token_budget)


def compose_card(folder: Folder, known: Known, shown: Sequence[Entry], rules: MemoryRules, token_budget: int | None) -> SubjectCard:
    """Fill the front, newest first, until a cap is reached; whatever of it finds no room is counted in the drawer's line.

    Args:
        folder: whose.
        known: what the index knows within the scope.
        shown: of `known.front` those that may be shown, in that order.
        rules: the caps.
        token_budget: of the text; the drawer's line goes before the last entries.
    """
    entries: list[Entry] = []
    characters = 0
    for entry in shown[: rules.front_entries]:
        if characters + len(entry.memory.content) <= rules.front_characters:
            entries.append(entry)
            characters += len(entry.memory.content)
    # Rows that the index counts and no door may show, because their seal is broken, are no overflow.
    most = known.front_count - (len(known.front) - len(shown))
    while True:
        drawer = _drawer(folder, known, most - len(entries))
        text = _render(folder, entries, drawer)
        tokens = count_tokens(text) if text else 0
        if token_budget is None or tokens <= token_budget:
            return SubjectCard(folder, tuple(entries), drawer, text, tokens, token_budget)
        if not entries:
            return SubjectCard(folder, (), drawer, "", 0, token_budget)
        entries.pop()


def _drawer(folder: Folder, known: Known, overflow: int) -> Drawer | None:
    inside, changed_at = known.drawer, known.front_changed_at
    if overflow and changed_at is not None:
        inside = inside or Drawer(folder.subject_id, None, 0, (), changed_at, folder.members)
        inside = replace(inside, count=inside.count + overflow, overflow=overflow, changed_at=max(inside.changed_at, changed_at))
    return None if inside is None else replace(inside, label=folder.name)


def _render(folder: Folder, entries: Sequence[Entry], drawer: Drawer | None) -> str:
    lines = [f"{FRONT} about {_one_line(folder.title)}:"] if entries else []
    lines += [_line(entry) for entry in entries]
    return "\n".join([*lines, _one_line(drawer_line(drawer))] if drawer is not None else lines)


def _line(entry: Entry) -> str:
    # What somebody wrote over several lines stays under its own dash.
    text = INDENT.join(entry.memory.content.splitlines())
    remarks = remarks_of(entry.freshness, entry.conflict)
    return f"- {text}" + (f" ({', '.join(remarks)})" if remarks else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())
