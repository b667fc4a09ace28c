"""The home of SQL for writes and point reads."""
