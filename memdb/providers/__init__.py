"""Model providers: what turns text into vectors and finds entities, behind protocols."""
