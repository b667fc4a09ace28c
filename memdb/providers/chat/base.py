"""What a language model is to the rest of the product: messages in, text and what it cost out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from governance.errors import ServiceError


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a question. SECURITY: `text` may hold what people said."""

    role: Literal["system", "user", "assistant"]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens, and money in millionths of the unit of the prices."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0

    def __add__(self, other: Spent) -> Spent:
        """Both."""
        return Spent(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.cost_micros + other.cost_micros)

    @property
    def facts(self) -> dict[str, object]:
        """As an error carries it, so that what a failure cost is counted too."""
        return asdict(self)

    @classmethod
    def of(cls, error: ServiceError) -> Spent:
        """What an error says that was spent; nothing, where it does not say."""
        return cls(**{name: value for name in cls.__dataclass_fields__ if isinstance(value := error.facts.get(name), int)})


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, as it is: it may be anything."""

    text: str = field(repr=False)
    spent: Spent


class ChatModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """Of the model, as configured."""
        ...

    async def ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Reply:
        """One answer, in JSON of this schema where the server can see to that; whoever asks checks it all the same.

        Raises:
            ProviderUnavailable: it cannot be reached, is too late or has too much to do, also after the retries.
            ProviderError: it refuses, or answers what is no answer of a model, or very much.
        """
        ...

    async def aclose(self) -> None:
        """Give back connections."""
        ...
