"""What a language model is told: `turns.N.md` of what it is given, one file a kind of what to find. N counts up when one changes."""
