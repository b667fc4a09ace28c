"""Numbered upgrades of the schema: NNNN_<what>.sql leads from version NNNN - 1 to version NNNN."""
