"""Ways of finding memories; they never import each other."""
