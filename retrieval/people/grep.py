"""Grep in the drawer of a subject: exact text or a regular expression, line by line, newest memory first.

Texts are read in chunks, each in a transaction of its own, and matched on a thread with no connection out. What matched is then read again
with its seal and its holds, and matched once more as it is by then: only that is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from governance.errors import InvalidInput
from governance.redaction.findings import RedactedText
from governance.redaction.names.known import NOBODY
from governance.scopes import readable_by
from memdb.keyring import Purpose
from memdb.models.memory import Memory, Placement
from memdb.runtime import Runtime
from memdb.storage.contents import list_contents
from memdb.storage.database import identity_of
from memdb.text.normalise import clean
from memdb.timing import Stopwatch
from retrieval.engine import Reader
from retrieval.front import list_memory_ids, list_shown
from retrieval.people.folder import CHUNK, MEMORIES_MAX, Folder, Wanted, everything_now, open_folder
from retrieval.people.matching import PATTERN_CHARACTERS_MAX, MatchedLine, Pattern, compile_pattern, find_lines
from retrieval.query import Filters

LIMIT_MAX: Final = 200
SECONDS_MAX: Final = 2.0
"""After which no further memory is looked at; the reply says that it is not complete."""


@dataclass(frozen=True, slots=True)
class GrepRequest:
    """What to look for, as the caller sent it. SECURITY: the pattern is raw; it ends at the redactor.

    `fold`: case and accents are no difference. `placement` None: front and drawer. `limit`: lines at most.
    """

    pattern: str = field(repr=False)
    regex: bool = False
    fold: bool = True
    placement: Placement | None = Placement.DRAWER
    limit: int = 50


@dataclass(frozen=True, slots=True)
class GrepLine:
    """A matching line and the memory that it stands in."""

    memory: Memory
    line: MatchedLine


@dataclass(frozen=True, slots=True)
class Grepped:
    """Lines, newest memory first; `searched`: memories looked at; `truncated`: there may be more, because of the limit or the time."""

    folder: Folder
    lines: tuple[GrepLine, ...]
    searched: int
    truncated: bool


async def grep(runtime: Runtime, reader: Reader, wanted: Wanted, request: GrepRequest) -> Grepped:
    """Look through what is known of a subject, within what the caller and the whole audience may read.

    Raises:
        InvalidInput: the pattern or a list is refused, or the limit is out of range.
        NotFound: the org has no such subject, or `brains` names a brain that the caller may not read.
        RedactionUnavailable: the redactor failed; nothing was looked at.
    """
    wanted.check()
    watch = Stopwatch()
    pattern = await _read_pattern(runtime, reader, wanted, request)
    filters, identity = everything_now(runtime.clock.now()), identity_of(reader.principal)
    async with runtime.database.read(identity) as conn:
        folder = await open_folder(conn, reader, wanted)
        ids = await list_memory_ids(conn, folder.scope, folder.members, filters, request.placement, MEMORIES_MAX + 1)
    looked = _Look(pattern, request.limit, watch)
    truncated = len(ids) > MEMORIES_MAX
    for start in range(0, min(len(ids), MEMORIES_MAX), CHUNK):
        chunk = ids[start : start + CHUNK]
        async with runtime.database.read(identity) as conn:
            texts = await list_contents(conn, folder.scope, chunk)
        if not await asyncio.to_thread(looked.through, chunk, texts):
            truncated = True
            break
    lines = await _read_lines(runtime, reader, folder, looked.found, (pattern, filters))
    return Grepped(folder, tuple(lines[: request.limit]), looked.searched, truncated or len(lines) > request.limit)


@dataclass(slots=True)
class _Look:
    """What was found so far. It goes on until one line more than the limit is known to exist, or the time is over."""

    pattern: Pattern
    limit: int
    watch: Stopwatch
    found: list[UUID] = field(default_factory=list)
    lines: int = 0
    searched: int = 0

    def through(self, ids: Sequence[UUID], texts: Mapping[UUID, str]) -> bool:
        """Look through some memories, in order; False when there is a reason to stop."""
        for memory_id in ids:
            if self.lines > self.limit or self.watch.total_ms > SECONDS_MAX * 1_000:
                return False
            content = texts.get(memory_id)
            if content is None:
                continue
            self.searched += 1
            count = sum(1 for _ in find_lines(content, self.pattern))
            if count:
                self.found.append(memory_id)
                self.lines += count
        return True


async def _read_pattern(runtime: Runtime, reader: Reader, wanted: Wanted, request: GrepRequest) -> Pattern:
    if not 1 <= request.limit <= LIMIT_MAX:
        raise InvalidInput(f"limit must be 1 to {LIMIT_MAX}", field="limit")
    # What no pattern can be is refused before the redactor reads it.
    if len(request.pattern) > PATTERN_CHARACTERS_MAX:
        raise InvalidInput(f"pattern is longer than {PATTERN_CHARACTERS_MAX} characters", field="pattern")
    principal = reader.principal
    # As a question: by the strictest rules of the brains that are asked, with tokens that are stored nowhere.
    rules = reader.redaction.strictest(wanted.brains or readable_by(principal, reader.access).brain_ids)
    known = await runtime.directory.names(runtime.database, identity_of(principal)) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, principal.org_id, context="question")

    def read() -> Pattern:
        text: RedactedText = runtime.redactor.redact(clean(request.pattern, "pattern"), rules=rules, key=key, field="pattern", known=known)
        return compile_pattern(text, regex=request.regex, folded=request.fold)

    return await asyncio.to_thread(read)


async def _read_lines(
    runtime: Runtime, reader: Reader, folder: Folder, ids: Sequence[UUID], looked: tuple[Pattern, Filters]
) -> list[GrepLine]:
    if not ids:
        return []
    pattern, filters = looked
    async with runtime.database.read(identity_of(reader.principal)) as conn:
        shown = [row.memory for row in await list_shown(conn, folder.scope, ids, filters, runtime.keyring)]
    return await asyncio.to_thread(lambda: [GrepLine(memory, line) for memory in shown for line in find_lines(memory.content, pattern)])
