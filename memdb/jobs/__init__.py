"""Work that nobody waits for, kept in the same database: deferred in the transaction that causes it, done at least once."""
