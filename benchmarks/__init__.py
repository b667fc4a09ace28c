"""Measurements: each prints a table, and JSON with `--json FILE`. Never part of the tests."""
