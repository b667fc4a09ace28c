"""What a language model is told: `turns.N.md` about what it is given, and one file a kind about what to find. N counts up when one changes."""
