"""Orgs, subjects, brains and keys: who there is, what they may reach, and how it changes."""
