"""The log of what happened: chained, its head signed and kept outside the database, and checked against what is stored."""
