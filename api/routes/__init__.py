"""One file for each family of routes; `registry.py` lists them."""
