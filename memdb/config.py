"""Settings: read once from the environment at the edge, passed down, never imported as a global.

Every variable begins with `MEMDB_`; an unknown one is an error, so that a mistyped name cannot be silently ignored. `docs/configuration.md`
has a row for each.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from governance.policy.memory_rules import EXTRACTIONS
from memdb.errors import ConfigurationError
from memdb.providers.chat.settings import ChatSettings
from memdb.providers.embedding.settings import EmbeddingSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "MEMDB_"


class Settings(BaseSettings):
    """All settings of a process; changing one needs a restart."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", hide_input_in_errors=True)

    # database
    database_url: SecretStr | None = Field(None, description="Postgres that the server uses, as role memdb_app; unset: the embedded one")
    owner_url: SecretStr | None = Field(None, description="the same database as its owner, for migrate, backup, restore, org and key")
    data_dir: Path = Field(Path(".memdb"), description="folder of the embedded Postgres and, beside it, of the secret")
    secret_file: Path | None = Field(None, description="root secret; default: secret.key in the folder of data_dir's server")
    audit_heads: Path | None = Field(None, description="folder of the signed heads of the audit; default: heads in data_dir")
    erasure_ledger_file: Path | None = Field(None, description="tombstones of what was erased; default: erasures.jsonl beside the secret")
    pool_size: int = Field(10, ge=1, le=200, description="connections of one server process")
    statement_timeout_ms: int = Field(5_000, ge=100, le=600_000, description="bound on one statement of a request")

    # server
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8765, ge=0, le=65_535, description="port to listen on; 0 picks a free one")
    admin_key: SecretStr | None = Field(None, description="presets the first admin key of `memdb up`, form memdb_<org>_<id>_<secret>")
    request_bytes_max: int = Field(4_194_304, ge=65_536, le=67_108_864, description="bound on a request body")
    request_timeout_s: float = Field(30.0, gt=0, le=600, description="bound on one request")
    key_requests_per_minute: int = Field(12_000, ge=0, description="requests of a key that has no number of its own; 0: no bound")
    org_requests_per_minute: int = Field(60_000, ge=0, description="requests of all keys of an org together; 0: no bound")
    keys_rotate_themselves: bool = Field(True, description="a key may make its own successor, without an administrator")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="lowest level that is logged")
    log_format: Literal["json", "console"] = Field("json", description="one JSON object a line, or text for people")

    # retrieval
    branch_deadline_ms: int = Field(1_000, ge=10, le=60_000, description="bound on one search branch; a later one is named in degraded")

    # embedding
    name_model: str | None = Field(None, description="package with a spaCy pipeline that finds names, for policies that replace them")

    embedding_provider: str = Field("local", description="local, openai-compatible, sentence-transformers or hashing")
    embedding_model: str | None = Field(None, description="model name, where the provider has several")
    embedding_base_url: str | None = Field(None, description="OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1")
    embedding_api_key: SecretStr | None = Field(None, description="key of that endpoint")
    embedding_dimension: int | None = Field(None, ge=1, description="dimension of the space; part of the schema")
    embedding_timeout_s: float = Field(10.0, gt=0, le=300, description="bound on one call to the provider")
    embedding_retries: int = Field(2, ge=0, le=10, description="further tries after a failed call")

    # extraction
    enabled_extractions: str = Field(
        "semantic,episodic,procedural,taxonomic",
        description="kinds learned from turns where the policy says nothing",
    )
    extraction_model: str | None = Field(None, pattern=r"\S", description="language model that reads what was said; unset: rules do")
    extraction_base_url: str | None = Field(
        None, validate_default=True, description="OpenAI-compatible endpoint of that model, such as http://127.0.0.1:11434/v1"
    )
    extraction_api_key: SecretStr | None = Field(None, description="key of that endpoint")
    extraction_timeout_s: float = Field(60.0, gt=0, le=600, description="bound on one try of one question to the model")
    extraction_price_in: float = Field(0.0, ge=0, le=1e6, description="price of a million tokens sent, for the cost of an extraction")
    extraction_price_out: float = Field(0.0, ge=0, le=1e6, description="price of a million tokens that come back")
    extraction_tokens_per_day: int = Field(
        0, ge=0, description="tokens of an org in 24 hours above which its extractions wait; 0: no bound"
    )

    # command line
    url: str = Field("http://127.0.0.1:8765", description="server that `memdb remember`, `recall`, `import` and `export` talk to")
    key: SecretStr | None = Field(None, description="API key of those commands")

    @field_validator("enabled_extractions")
    @classmethod
    def _lists_what_is_learned(cls, value: str) -> str:
        # At start as well: a worker would find out with the first snapshot.
        if not set(_listed(value)) <= set(EXTRACTIONS):
            raise ValueError("lists kinds of " + ", ".join(EXTRACTIONS) + ", separated by commas")
        return value

    @field_validator("extraction_base_url")
    @classmethod
    def _is_there_with_a_model(cls, value: str | None, found: ValidationInfo) -> str | None:
        # At start, because the worker beside a server makes the model later, when nobody looks.
        if found.data.get("extraction_model") is not None and not (value or "").startswith(("http://", "https://")):
            raise ValueError("a language model needs an address that starts with http:// or https://")
        return value

    @property
    def embedding(self) -> EmbeddingSettings:
        """The settings of the embedding provider."""
        return EmbeddingSettings(
            provider=self.embedding_provider,
            model=self.embedding_model,
            base_url=self.embedding_base_url,
            api_key=self.embedding_api_key,
            dimension=self.embedding_dimension,
            timeout_s=self.embedding_timeout_s,
            retries=self.embedding_retries,
        )

    @property
    def heads(self) -> Path:
        """Where signed heads of the audit are written: never where a restore of the database brings them back."""
        return (self.data_dir / "heads" if self.audit_heads is None else self.audit_heads).expanduser().resolve()

    @property
    def learned(self) -> tuple[str, ...]:
        """Kinds that are learned from turns where the policy says nothing, in the order of EXTRACTIONS."""
        listed = _listed(self.enabled_extractions)
        return tuple(kind for kind in EXTRACTIONS if kind in listed)

    @property
    def extraction(self) -> ChatSettings | None:
        """The settings of the language model that reads what was said; None: rules do."""
        if self.extraction_model is None:
            return None
        return ChatSettings(
            model=self.extraction_model,
            base_url=self.extraction_base_url,
            api_key=self.extraction_api_key,
            timeout_s=self.extraction_timeout_s,
            price_in=self.extraction_price_in,
            price_out=self.extraction_price_out,
        )


def _listed(kinds: str) -> list[str]:
    return [name for part in kinds.split(",") if (name := part.strip().lower())]


def load_settings(environ: Mapping[str, str] | None = None, **overrides: object) -> Settings:
    """Build the settings from the environment; `overrides` (command-line options) win, None among them is no override.

    Raises:
        ConfigurationError: a variable is unknown or out of range; names and reasons are listed, values never.
    """
    source = os.environ if environ is None else environ
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = sorted(name for name in source if name.upper().startswith(PREFIX) and name.upper() not in known)
    if unknown:
        raise ConfigurationError(f"unknown setting {', '.join(unknown)}; docs/configuration.md lists them")
    values = {name.upper().removeprefix(PREFIX).lower(): value for name, value in source.items() if name.upper() in known}
    chosen = values | {name: value for name, value in overrides.items() if value is not None}
    try:
        return _FromValuesOnly(**chosen)  # type: ignore[arg-type]  # pydantic checks what the environment gives
    except ValidationError as error:
        problems = "; ".join(f"{PREFIX}{str(e['loc'][0]).upper()}: {e['msg']}" for e in error.errors(include_input=False))
        raise ConfigurationError(f"setting out of range: {problems}") from None


class _FromValuesOnly(Settings):
    # The environment is read above, in one place, so that tests give their own.
    @classmethod
    def settings_customise_sources(cls, settings_cls, init_settings, *_args, **_kwargs):  # type: ignore[no-untyped-def]  # noqa: ANN206, ANN001, ANN002, ANN003, ARG003 - signature of the library
        return (init_settings,)
