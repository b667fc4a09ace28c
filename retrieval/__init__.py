"""The read path: authorise, branches, fuse, filter, evidence, card."""
