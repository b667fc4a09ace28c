"""Core: models, the formation pipeline (the write path), storage and providers."""
