"""One running product for this folder, on a port as well, and a terminal whose commands reach it; each world is an org of its own."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest

from memdb.config import Settings
from memdb.keyring import write_new
from tests.integration.doors.walking import Terminal
from tests.support.database import FreshDatabase
from tests.support.forking import Commands
from tests.support.one_product import folder_database, product, server
from tests.support.product import Product
from tests.support.served import Served

__all__ = ["folder_database", "product", "server"]

_FILES = {
    "lines.jsonl": '{"content": "a harmless line", "kind": "episodic"}\n',
    "notebook.md": "- a harmless note\n",
    "project-config.yaml": "memory:\n  extraction:\n    enabled: [semantic]\n",
    "policy.yaml": "audit:\n  reads: required\n",
}


@pytest.fixture(scope="session")
async def terminal(
    server: Product, folder_database: FreshDatabase, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Terminal]:
    folder = tmp_path_factory.mktemp("terminal")
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    write_new(folder / "secret.key", server.runtime.keyring.keys[0])
    environment = {
        "PATH": os.environ["PATH"],
        "COLUMNS": "2000",  # no word is cut in two
        "MEMDB_OWNER_URL": folder_database.owner_url,
        "MEMDB_DATABASE_URL": folder_database.app_url,
        "MEMDB_SECRET_FILE": str(folder / "secret.key"),
        "MEMDB_AUDIT_HEADS": str(settings.heads),
        "MEMDB_EMBEDDING_PROVIDER": "hashing",
        "MEMDB_LOG_LEVEL": "debug",
    }
    served = Served(server.runtime)
    async with Commands.opened(folder) as commands:
        await served.start()
        yield Terminal(commands, served, environment)
        await served.stop()
