"""Embedding providers: one protocol, one shared preparation of texts, a local default and remote ones."""
