"""The work of `memdb doctor`."""

from __future__ import annotations

from api.cli.loops import run_async
from api.cli.owning import own
from api.cli.secret import read_keyring
from api.cli.spaces import find_space
from governance.errors import ServiceError
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.providers.embedding.registry import open_embedder
from memdb.storage.checks import Finding, diagnose

QUESTION = "ready"


def run(settings: Settings) -> list[Finding]:
    """Findings about the secret file, the embedding provider and the database, in this order.

    Raises:
        ConfigurationError: there is no database to look at, or the settings of the embedding provider are wrong.
    """
    findings, key_ids = _secret_file(settings)
    findings.append(_embedding(settings))
    space = run_async(find_space(settings))
    if settings.owner_url is None and settings.database_url is not None:
        url = settings.database_url.get_secret_value()
        return findings + diagnose(url, space=space, known_key_ids=key_ids, clock=SystemClock())
    with own(settings) as owned:
        return findings + diagnose(owned.url, space=space, known_key_ids=key_ids, clock=SystemClock(), data_dir=owned.data_dir)


def _secret_file(settings: Settings) -> tuple[list[Finding], frozenset[str]]:
    try:
        keyring = read_keyring(settings)
    except ServiceError as error:
        what, _, fix = error.message.partition("; ")
        return [Finding("secret file", False, what, fix or what)], frozenset()
    return [Finding("secret file", True, f"root key {keyring.current_id} seals new rows")], keyring.key_ids


def _embedding(settings: Settings) -> Finding:
    async def ask() -> str:
        embedder = await open_embedder(settings.embedding)
        try:
            await embedder.embed_queries([QUESTION])
            return embedder.space.name
        finally:
            await embedder.aclose()

    try:
        return Finding("embedding", True, f"{settings.embedding_provider} answers in space {run_async(ask())}")
    except ServiceError as error:
        what, _, fix = error.message.partition("; ")
        return Finding("embedding", False, what, fix or "look at MEMDB_EMBEDDING_PROVIDER and the settings beside it")
