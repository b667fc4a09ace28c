"""Quarantine: what is held from every door and why, found and followed, held and released in chunks, reviewed."""
