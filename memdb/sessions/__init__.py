"""Short-term memory: conversations, the turns of each, and the snapshots that they are cut into."""
