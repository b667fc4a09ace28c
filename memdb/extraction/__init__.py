"""From what was said to what is remembered: each handler reads a transcript by itself and proposes candidates. Nothing here writes."""
