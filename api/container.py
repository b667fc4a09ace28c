"""The only place that chooses implementations: settings in, a checked and warm runtime out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from api.learning_metrics import Watched
from api.mcp.door import warm as warm_connector
from governance.errors import InvalidInput
from governance.redaction.names.model import load_spacy_model
from governance.redaction.redactor import Redactor
from memdb.clock import SystemClock
from memdb.errors import ConfigurationError, ProviderError
from memdb.extraction.by_model import ByModel
from memdb.extraction.by_rules import ByRules
from memdb.providers.chat.registry import make_chat
from memdb.providers.embedding.registry import make_embedder, open_embedder
from memdb.providers.entities.registry import make_extractor
from memdb.runtime import Runtime
from memdb.storage.checks import check_role, check_schema, check_secret, check_space, check_vector_version
from memdb.storage.database import Database
from memdb.storage.directory import Directory
from memdb.storage.orgs import record_root_key
from memdb.storage.owner import connect
from memdb.storage.queue_schema import check_queue
from memdb.storage.upkeep import ensure_partitions
from memdb.text.language import detect
from memdb.text.tokens import count_tokens
from retrieval.spread import warm as warm_graph

if TYPE_CHECKING:
    from memdb.clock import Clock
    from memdb.config import Settings
    from memdb.extraction.extractor import Extractor
    from memdb.keyring import Keyring
    from memdb.providers.embedding.base import EmbeddingSpace

ENTITY_EXTRACTOR = "rules"
LOCAL = "local"


async def build_runtime(settings: Settings, *, app_url: str, keyring: Keyring, clock: Clock | None = None) -> Runtime:
    """Check the database, load models, open the pool. What was opened is closed again when a later step fails.

    Args:
        settings: of this process.
        app_url: the database as memdb_app.
        keyring: the root secret.
        clock: None is the machine's.

    Raises:
        ConfigurationError: an embedding setting, the server or pgvector is unusable, the role is unsafe, or the secret is the wrong one.
        SchemaMismatch, DimensionMismatch: the database is not migrated for this release or this embedding space.
        StorageUnavailable, ProviderUnavailable: the database, or an embedding provider of unknown dimension, does not answer.
    """
    clock = clock or SystemClock()
    # A remote provider is asked at once whether its vectors fit the space; the local model loads beside serving, see `warm`.
    local = settings.embedding_provider == LOCAL
    embedder = make_embedder(settings.embedding) if local else await open_embedder(settings.embedding)
    try:
        await asyncio.to_thread(_check, app_url, embedder.space, keyring)
        redactor = await asyncio.to_thread(_make_redactor, settings)
        database = Database(app_url, pool_size=settings.pool_size, statement_timeout_ms=settings.statement_timeout_ms)
        try:
            async with database.bare() as conn:
                await record_root_key(conn, keyring.current_id, clock.now())
                await ensure_partitions(conn, clock.now())
        except BaseException:
            await database.aclose()
            raise
    except BaseException:
        await embedder.aclose()
        raise
    return Runtime(
        settings=settings,
        clock=clock,
        keyring=keyring,
        database=database,
        redactor=redactor,
        embedder=embedder,
        extractor=make_extractor(ENTITY_EXTRACTOR),
        directory=Directory(),
    )


def _make_redactor(settings: Settings) -> Redactor:
    if settings.name_model is None:
        return Redactor()
    try:
        return Redactor(name_model=load_spacy_model(settings.name_model))
    except InvalidInput as error:
        raise ConfigurationError(f"MEMDB_NAME_MODEL: {error.message}") from None


def make_learner(settings: Settings) -> Extractor:
    """Who reads what was said in sessions: the language model that is configured, else the rules. `close_learner` closes it."""
    chosen = settings.extraction
    return ByRules() if chosen is None else ByModel(make_chat(chosen))


async def close_learner(learner: Extractor) -> None:
    """Give back the connections to a language model."""
    if isinstance(learner, ByModel | Watched):
        await learner.aclose()


async def warm(runtime: Runtime) -> None:
    """Load the models that are not loaded yet. Requests are answered meanwhile; one that needs a model waits for it."""
    with contextlib.suppress(ProviderError):  # the request that needs it reports it
        await runtime.embedder.warm()
    await asyncio.to_thread(_warm_text)
    await asyncio.to_thread(warm_graph)
    await asyncio.to_thread(warm_connector)


def _warm_text() -> None:
    detect("which language is this?")
    count_tokens("how many tokens?")


async def close_runtime(runtime: Runtime) -> None:
    """Give back connections, threads and models."""
    await runtime.database.aclose()
    await runtime.embedder.aclose()


def _check(app_url: str, space: EmbeddingSpace, keyring: Keyring) -> None:
    with connect(app_url) as conn:
        check_vector_version(conn)
        check_role(conn)
        check_schema(conn)
        check_queue(conn)
        check_space(conn, space)
        check_secret(conn, keyring.key_ids)
