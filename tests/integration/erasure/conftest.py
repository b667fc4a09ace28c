"""One running product for this folder; each test has an org of its own. A request may take as long as this machine needs."""

from __future__ import annotations

import pytest

from memdb.lifecycle.erasure import requests
from tests.support.one_product import ana, anyone, folder_database, product, server

__all__ = ["ana", "anyone", "folder_database", "product", "server"]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "BUDGET_S", 60.0)
