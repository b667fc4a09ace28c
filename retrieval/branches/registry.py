"""The one list of branches."""

from __future__ import annotations

from retrieval.branches.base import Branch
from retrieval.branches.lexical import LexicalBranch
from retrieval.branches.vector import VectorBranch

BRANCHES: tuple[Branch, ...] = (VectorBranch(), LexicalBranch())
