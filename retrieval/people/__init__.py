"""Cards, drawers and whole folders of subjects."""
