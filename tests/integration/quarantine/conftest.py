"""One running product for this folder; each test has an org of its own."""

from __future__ import annotations

import pytest

from tests.support.one_product import ana, anyone, folder_database, product, server
from tests.support.product import Caller

__all__ = ["ana", "anyone", "folder_database", "product", "server"]


@pytest.fixture
def admin(ana: Caller) -> Caller:
    """The administrator of the org."""
    return ana
