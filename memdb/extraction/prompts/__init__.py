"""What a language model is told: `turns.N.md` of what it is given, one file a kind of what to find, `reconcile.N.md` of what is near."""
