"""Transport and composition: HTTP, command line and what starts them."""
