"""What is left of what was erased: strings that somebody gives, and whatever the ledger knows, looked for in the whole database."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.errors import InvalidInput
from memdb.storage.erasures import Tombstone
from memdb.storage.ledger import digests
from memdb.storage.leftovers import Leftover, Needles, count_behind_deleted, iterate_ids, list_all_tombstones, search_texts
from memdb.text.lexemes import analyse
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.keyring import Keyring
    from memdb.storage.owner import Connection

_LANGUAGES: Final = ("und", "en", "pt")
_CHARACTERS_MIN: Final = 3
KINDS: Final = ("subject", "identity", "memory", "session", "source", "org")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check looked at and found; never the strings."""

    strings: int
    tombstones: int
    tables: int
    found: tuple[Leftover, ...]

    @property
    def clean(self) -> bool:
        return not self.found


def make_needles(strings: Iterable[str]) -> Needles:
    """What to look for, of one string a line: as written, in lower case, without accents, as JSON writes it, as words of the search index.

    Raises:
        InvalidInput: a string is shorter than three characters; the number of the line is named.
    """
    texts: set[str] = set()
    raw: set[str] = set()
    lexemes: set[tuple[str, ...]] = set()
    for number, string in enumerate(strings, 1):
        kept = string.strip()
        if not kept:
            continue
        if len(kept) < _CHARACTERS_MIN:
            raise InvalidInput(f"line {number} has less than {_CHARACTERS_MIN} characters and would be found everywhere", field="strings")
        raw.add(kept)
        texts |= {kept.lower(), json.dumps(kept)[1:-1].lower(), json.dumps(kept, ensure_ascii=False)[1:-1].lower()}
        texts |= {fold(kept)} if len(fold(kept)) >= _CHARACTERS_MIN else set()
        lexemes |= {tuple(sorted(counts)) for language in _LANGUAGES if (counts := analyse(kept, language).counts)}
    return Needles(tuple(sorted(texts)), tuple(sorted(raw)), tuple(sorted(lexemes)))


def check(conn: Connection, keyring: Keyring, strings: Sequence[str], advance: Callable[[int], None]) -> Checked:
    """Look for strings in every column of every table, and for every id of the ledger among those that there are.

    Args:
        conn: as the owner of the database.
        keyring: the root secret, without which the ledger says nothing.
        strings: at least three characters each; blank ones are passed over.
        advance: called with 1 for each table that is done.

    Raises:
        InvalidInput: a string is too short.
    """
    needles = make_needles(strings)
    found: list[Leftover] = []
    tables = 0
    if needles.texts:
        for _, leftovers in search_texts(conn, needles):
            found += leftovers
            tables += 1
            advance(1)
    tombstones = list_all_tombstones(conn)
    found += [*count_behind_deleted(conn), *find_erased(conn, keyring, tombstones)]
    return Checked(len(needles.raw), len(tombstones), tables, tuple(found))


def find_erased(conn: Connection, keyring: Keyring, tombstones: Sequence[Tombstone]) -> list[Leftover]:
    """Rows whose id has a tombstone, by table."""
    counts: Counter[tuple[str, str]] = Counter()
    for kind in KINDS:
        for _, _, table in match_ledger(conn, keyring, tombstones, kind):
            counts[table, kind] += 1
    return [Leftover(table, f"{kind} in the ledger", number) for (table, kind), number in sorted(counts.items())]


def match_ledger(conn: Connection, keyring: Keyring, tombstones: Sequence[Tombstone], kind: str) -> Iterable[tuple[UUID, bytes, str]]:
    """(org, bytes of the id, table) of what there is of a kind although it has a tombstone."""
    buried = {(one.org_id, one.digest): one.erased_at for one in tombstones if one.kind == kind}
    orgs = {one.org_id for one in tombstones if one.kind == kind}
    if not buried:
        return
    for org_id, value, since, table in iterate_ids(conn, kind):
        if org_id in orgs:
            known = (buried.get((org_id, digest)) for digest in digests(keyring, org_id, kind, [value]))
            if any(erased_at is not None and since <= erased_at for erased_at in known):
                yield org_id, value, table
