"""Language models that answer in JSON, behind a protocol."""
