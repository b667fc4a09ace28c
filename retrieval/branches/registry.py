"""The one list of branches, in the order in which they run: each sees what those before it found."""

from __future__ import annotations

from retrieval.branches.base import Branch
from retrieval.branches.entity import EntityBranch
from retrieval.branches.feedback import FeedbackBranch
from retrieval.branches.graph import GraphBranch
from retrieval.branches.lexical import LexicalBranch
from retrieval.branches.vector import VectorBranch

BRANCHES: tuple[Branch, ...] = (LexicalBranch(), VectorBranch(), EntityBranch(), FeedbackBranch(), GraphBranch())
