"""Verdicts over writes: pure rules, the strictest wins."""
