"""A Postgres that memdb starts for itself: nothing else has to be installed. Begin with `cluster.py`."""
