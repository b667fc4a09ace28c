"""What the tools do, one file for each family; `registry.py` ties each to its tool."""
