"""Keeps text free of personal data and secrets before anything else sees it."""
