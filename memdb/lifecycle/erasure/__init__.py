"""Forgetting for good: a subject, a memory, a conversation or a source, in every table, with a receipt."""
