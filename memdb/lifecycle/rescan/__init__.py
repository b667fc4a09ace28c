"""`memdb redact scan`: stored texts redacted once more, where they stand."""
