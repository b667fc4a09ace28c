"""Bodies of requests and replies, one file for each family of routes."""
