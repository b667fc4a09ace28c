"""One running product for this folder; each test has an org of its own."""

from tests.support.one_product import ana, anyone, folder_database, product, server

__all__ = ["ana", "anyone", "folder_database", "product", "server"]
