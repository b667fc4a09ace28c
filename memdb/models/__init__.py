"""Value types of the core: memories, where they come from, what a write answers."""
