"""Which kinds a server learns: read once, at start, and refused there."""

from __future__ import annotations

import pytest

from governance.policy.memory_rules import EXTRACTIONS
from memdb.config import load_settings
from memdb.errors import ConfigurationError


@pytest.mark.parametrize(
    ("set_", "learned"),
    [
        ({}, EXTRACTIONS),
        ({"MEMDB_ENABLED_EXTRACTIONS": ""}, ()),
        ({"MEMDB_ENABLED_EXTRACTIONS": " taxonomic, Semantic,"}, ("semantic", "taxonomic")),
    ],
)
def test_kinds_are_listed_by_commas_in_any_order(set_: dict[str, str], learned: tuple[str, ...]) -> None:
    assert load_settings(set_).learned == learned


@pytest.mark.parametrize("wrong", ["semantics", "semantic episodic", "working", "semantic;episodic"])
def test_a_kind_that_there_is_not_is_refused_at_start(wrong: str) -> None:
    with pytest.raises(ConfigurationError, match="MEMDB_ENABLED_EXTRACTIONS"):
        load_settings({"MEMDB_ENABLED_EXTRACTIONS": wrong})
