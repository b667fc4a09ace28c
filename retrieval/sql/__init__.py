"""Statements that run as memdb_search. Each binds the org and the brains in scope."""
