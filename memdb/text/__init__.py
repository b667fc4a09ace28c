"""Text analysis: canonical forms, language, words for search, tokens, sentences and times; pure and deterministic."""
