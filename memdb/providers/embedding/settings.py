"""Settings of the embedding provider; `memdb/config.py` builds them from the environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model makes vectors. A change of provider, model or dimension is another space: re-embed after it."""

    provider: str = "local"
    """`local`, `openai-compatible`, `sentence-transformers` or `hashing` (tests)."""
    model: str | None = None
    """Required by `openai-compatible` and `sentence-transformers`; the others have one model."""
    base_url: str | None = None
    """Required by `openai-compatible`, such as `https://api.openai.com/v1`; no other address is ever called."""
    api_key: SecretStr | None = None
    """Sent as Bearer token; None sends none, for servers of your own."""
    dimension: int | None = None
    """Expected (and, where the model can be cut, requested) dimension, 1..4000; None asks the provider at start."""
    timeout_s: float = 10.0
    """Of one call to the model; with retries, a whole batch takes at most `timeout_s * (retries + 1)`."""
    retries: int = 2
    """How often a remote call is repeated after a time-out, a dropped connection, 429 or 5xx."""
    max_tokens: int | None = None
    """Tokens of one text that the remote model takes; None is 8192. Local models have their own."""
