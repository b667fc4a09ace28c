"""The one list of branches, in the order in which they run: each sees what those before it found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retrieval.branches.base import Branch
from retrieval.branches.entity import EntityBranch
from retrieval.branches.exact import ExactBranch
from retrieval.branches.feedback import FeedbackBranch
from retrieval.branches.graph import GraphBranch
from retrieval.branches.lexical import LexicalBranch
from retrieval.branches.vector import EF_SEARCH, SCAN_TUPLES_MAX, VectorBranch

BRANCHES: tuple[Branch, ...] = (LexicalBranch(), VectorBranch(), EntityBranch(), FeedbackBranch(), GraphBranch())
EXACT_BRANCH: Branch = ExactBranch()

SETTINGS: Final[Mapping[str, str | int]] = {
    "hnsw__ef_search": EF_SEARCH,
    "hnsw__iterative_scan": "relaxed_order",
    "hnsw__max_scan_tuples": SCAN_TUPLES_MAX,
}
"""What they want of a transaction."""
