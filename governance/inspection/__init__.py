"""Looks for stored instructions in text that will be read back to an agent."""
