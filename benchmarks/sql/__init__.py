"""Statements that the product is measured against; the product runs none of them."""
