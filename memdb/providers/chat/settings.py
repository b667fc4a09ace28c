"""Settings of the language model; `memdb/config.py` builds them from the environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Which model is asked, and where. `model` and `base_url` are required; a change of model changes nothing that is stored."""

    model: str | None = None
    base_url: str | None = None
    """Such as `http://127.0.0.1:11434/v1`; no other address is ever called."""
    api_key: SecretStr | None = None
    """Sent as Bearer token; None sends none, for servers of your own."""
    timeout_s: float = 60.0
    """Of one try; with retries, one question takes at most `timeout_s * (retries + 1)`."""
    retries: int = 2
    """How often a question is repeated after a time-out, a dropped connection, 429 or 5xx."""
    price_in: float = 0.0
    """Of a million tokens that are sent, in any unit of money."""
    price_out: float = 0.0
    """Of a million tokens that come back."""
