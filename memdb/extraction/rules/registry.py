"""Which handler of the rules reads for which kind. They do not know each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from memdb.extraction.candidates import Candidate
from memdb.extraction.rules.episodic import episodic
from memdb.extraction.rules.procedural import procedural
from memdb.extraction.rules.semantic import semantic
from memdb.extraction.rules.taxonomic import taxonomic
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind

BY_KIND: Final[Mapping[Kind, Callable[[Transcript], list[Candidate]]]] = MappingProxyType(
    {Kind.SEMANTIC: semantic, Kind.EPISODIC: episodic, Kind.PROCEDURAL: procedural, Kind.TAXONOMIC: taxonomic}
)
