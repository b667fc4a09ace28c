"""What clients see of the tools, one file for each family; `registry.py` lists them. Nothing here takes time to import."""
