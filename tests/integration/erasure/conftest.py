"""One running product for this folder; each test has an org of its own. The ledger is written where the tests may look."""

from __future__ import annotations

from tests.support.one_product import ana, anyone, folder_database, product, server

__all__ = ["ana", "anyone", "folder_database", "product", "server"]
