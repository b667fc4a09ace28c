"""Bodies of `/healthz` and `/readyz`."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from api.schemas.base import Reply


class Health(Reply):
    """The process answers."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "ok"}]})

    status: Literal["ok"]


class ReadinessDetails(Reply):
    """Shown to keys and to this machine itself. `pending_embeddings` counts memories of the key's org; null without a key."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "database": "ok",
                    "postgres": "18.1",
                    "schema_version": 1,
                    "space": "m3_0a1b2c_512",
                    "extensions": {"vector": "0.8.1", "pg_trgm": None},
                    "pending_embeddings": 0,
                }
            ]
        }
    )

    database: Literal["ok", "unavailable"]
    postgres: str | None
    schema_version: int | None
    space: str
    extensions: dict[str, str | None]
    pending_embeddings: int | None


class Readiness(Reply):
    """Whether requests can be answered now."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "ready", "details": None}]})

    status: Literal["ready", "unavailable"]
    details: ReadinessDetails | None = None
