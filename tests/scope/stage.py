"""The product under test: an application over a clone, its clock, and what is taken away from it."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import httpx
import psycopg
from psycopg import sql
from sqlalchemy import Select, TextClause, event, text, true
from sqlalchemy.sql import visitors
from sqlalchemy.sql.elements import BinaryExpression, BindParameter, ClauseElement
from sqlalchemy.sql.operators import eq, in_op
from sqlalchemy.sql.selectable import CompoundSelect

from api.app import create_app
from api.lockout import Lockout, Pair
from governance import scopes
from governance.principals import Role
from memdb.directory import brains as brains_service
from memdb.formation import authorise as formation_authorise
from memdb.lifecycle import confirm, conflicts, notebook, share, unattributed, units
from memdb.lifecycle import delete as lifecycle_delete
from memdb.lifecycle import edit as lifecycle_edit
from memdb.providers.embedding.registry import open_embedder
from memdb.providers.entities.registry import make_extractor
from memdb.runtime import Runtime
from memdb.storage.database import Database
from memdb.storage.directory import Directory
from memdb.storage.statements import load

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    import pytest

    from governance.redaction.redactor import Redactor
    from memdb.config import Settings
    from memdb.keyring import Keyring
    from tests.support.database import FreshDatabase

Mode = Literal["full", "policies", "predicates"]
MODES: tuple[Mode, ...] = ("full", "policies", "predicates")
"""The full stack; row-level security alone; predicates alone."""


class ManualClock:
    """Stands still until a test moves it, so that two runs of a request agree."""

    def __init__(self) -> None:
        self._now = datetime.now(UTC)

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += by


@dataclass(slots=True, repr=False)
class Stage:
    """`owner` looks past row-level security: what there really is."""

    mode: Mode
    runtime: Runtime
    clock: ManualClock
    client: httpx.AsyncClient
    owner: psycopg.Connection
    owner_database: Database
    stripped: StrippedPredicates | None

    def __repr__(self) -> str:
        return f"Stage({self.mode})"

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis would print every field, secrets too


class Patient(Lockout):
    """Lets the same address fail with the same dead key as often as a random life does; lock-out has tests of its own."""

    def _fail(self, pair: Pair) -> None:
        del pair


@asynccontextmanager
async def open_stage(mode: Mode, database: FreshDatabase, settings: Settings, keyring: Keyring, redactor: Redactor) -> AsyncIterator[Stage]:
    clock = ManualClock()
    app_database = Database(database.app_url, pool_size=settings.pool_size, statement_timeout_ms=settings.statement_timeout_ms)
    owner_database = Database(database.owner_url, pool_size=1, statement_timeout_ms=60_000)
    embedder = await open_embedder(settings.embedding)
    runtime = Runtime(settings, clock, keyring, app_database, redactor, embedder, make_extractor("rules"), Directory())
    stripped = StrippedPredicates() if mode == "policies" else None
    if stripped is not None:
        event.listen(app_database._engine.sync_engine, "before_execute", stripped, retval=True)
    application = create_app(runtime)
    application.state.lockout = Patient(clock)
    transport = httpx.ASGITransport(app=application, client=("203.0.113.9", 40_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://memdb.example") as client:
        with psycopg.connect(database.owner_url, autocommit=True) as owner:
            yield Stage(mode, runtime, clock, client, owner, owner_database, stripped)
    await app_database.aclose()
    await owner_database.aclose()
    await embedder.aclose()


def without_policies(database: FreshDatabase) -> None:
    """Switch row-level security off in every table of this database."""
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        guarded = conn.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'mem' AND c.relrowsecurity"
        ).fetchall()
        assert len(guarded) > 20
        for (table,) in guarded:
            conn.execute(sql.SQL("ALTER TABLE {} DISABLE ROW LEVEL SECURITY").format(sql.Identifier("mem", table)))


_ORG_OF_TABLE = re.compile(r"\b\w+\.org_id = :org_id")
_QUERIES = {str(text(s.sql)) for s in load("memdb.storage.sql").values() if s.sql.startswith("SELECT")}
"""Queries in files that run as memdb_app; those of the branches are in another package."""


class StrippedPredicates:
    """Takes the scope out of every query that runs as memdb_app: conditions that compare org or brain with a value become true.

    Joins of two columns stay, for they say what belongs together and not who may see it. Statements of the branches are text and stay too:
    they run as memdb_search, which no policy holds back.
    """

    def __init__(self) -> None:
        self.removed = 0

    def __call__(self, _conn: Any, clause: Any, multiparams: Any, params: Any, _options: Any) -> tuple[Any, Any, Any]:
        if isinstance(clause, TextClause) and clause.text in _QUERIES:
            stripped, count = _ORG_OF_TABLE.subn("true", clause.text)
            self.removed += count
            return text(stripped), multiparams, params
        if isinstance(clause, Select | CompoundSelect):
            clause = visitors.replacement_traverse(clause, {}, self._replace)
        return clause, multiparams, params

    def _replace(self, element: ClauseElement, **_: Any) -> ClauseElement | None:
        if isinstance(element, BinaryExpression) and self._is_scope(element):
            self.removed += 1
            return true()
        return None

    @staticmethod
    def _is_scope(condition: BinaryExpression[Any]) -> bool:
        column, value = condition.left, condition.right
        name, table = getattr(column, "name", None), getattr(getattr(column, "table", None), "name", None)
        if condition.operator not in {eq, in_op} or getattr(value, "table", None) is not None:
            return False
        if name == "org_id":
            return True
        # A look-up by one id is what is asked for; a list of brains is the scope.
        scoped = name == "brain_id" or (name == "id" and table == "brains")
        return scoped and (condition.operator is in_op or not isinstance(value, BindParameter))


@contextmanager
def open_doors(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the rules in Python pass everything that a caller may not read or do, so that only the database is left to refuse."""

    def everything(_self: scopes.ScopeFilter, _org_id: object, _brain_id: object) -> bool:
        return True

    def whatever(self: scopes.ScopeFilter, brain_ids: Any) -> scopes.ScopeFilter:
        return replace(self, brain_ids=tuple(sorted(set(brain_ids))))

    def granted(*_: object) -> None:
        return None

    def strongest(*_: object) -> Any:
        return Role.ADMIN

    with monkeypatch.context() as patch:
        patch.setattr(scopes.ScopeFilter, "allows", everything)
        patch.setattr(scopes.ScopeFilter, "narrow", whatever)
        # Not the rule of `retrieval/topics.py`: topics are told as memdb_search found them, whom no policy holds back.
        shared = (confirm, conflicts, notebook, share, unattributed, units)
        for module in (brains_service, formation_authorise, lifecycle_delete, lifecycle_edit, *shared):
            patch.setattr(module, "require_role", granted)
        patch.setattr(brains_service, "effective_role", strongest)
        yield
