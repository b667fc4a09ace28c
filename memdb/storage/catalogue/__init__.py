"""Statements over the catalogue of Postgres, for start-up checks and migrations."""
