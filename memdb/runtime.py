"""What a process holds for its life. Built once by `api/container.py`, passed down, never a global."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # many modules name the type, and a command that redacts nothing need not wait for the redactor to load
    from governance.redaction.redactor import Redactor
    from memdb.clock import Clock
    from memdb.config import Settings
    from memdb.keyring import Keyring
    from memdb.providers.embedding.base import Embedder
    from memdb.providers.entities.base import EntityExtractor
    from memdb.storage.database import Database
    from memdb.storage.directory import Directory


@dataclass(frozen=True, slots=True)
class Runtime:
    """Settings, time, secrets, connections and models of this process."""

    settings: Settings
    clock: Clock
    keyring: Keyring
    database: Database
    redactor: Redactor
    embedder: Embedder
    extractor: EntityExtractor
    directory: Directory
