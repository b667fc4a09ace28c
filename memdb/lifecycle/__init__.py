"""What happens to a memory after it was written."""
