"""Entity extraction: one protocol and a rule-based default."""
