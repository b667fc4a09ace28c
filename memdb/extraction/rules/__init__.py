"""Extraction without a model: rules for English and Portuguese, one handler for each kind. Silent where they are not sure; pure."""
