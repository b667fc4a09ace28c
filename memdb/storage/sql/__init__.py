"""Statements of the write path and of jobs; each binds its org."""
