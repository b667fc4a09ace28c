"""One recognizer per file; `registry.py` is the one list."""
