"""Statements over the whole database, of the catalogue of Postgres and of every org: for start-up checks, migrations and the doctor."""
