"""A checked key as the rest of the product takes it, the same for every door: writer, reader, voter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.errors import ServiceError
from memdb.formation.pipeline import Writer
from memdb.lifecycle.feedback import Voter
from retrieval.engine import Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from api.metrics import Metrics
    from memdb.directory.authentication import Authenticated
    from memdb.formation.stages import Receipt
    from retrieval.engine import Recall

HTTP = "http"
MCP = "mcp"
IMPORT = "import"


def writer_of(who: Authenticated, channel: str) -> Writer:
    """The caller as one who writes; `channel` is the door: HTTP, MCP or IMPORT."""
    return Writer(
        who.principal,
        who.access,
        who.home_brain_id,
        channel,
        who.redaction,
        who.request_id,
        who.policy.memory,
        screening=who.policy.screening,
        legal_hold=who.policy.legal_hold,
    )


def reader_of(who: Authenticated) -> Reader:
    """The caller as one who asks."""
    return Reader(who.principal, who.access, who.redaction, who.request_id, who.policy.memory, who.policy.reads_audited)


def voter_of(who: Authenticated) -> Voter:
    """The caller as one who judges."""
    return Voter(who.principal, who.access, who.redaction, who.request_id)


def only(outcomes: Sequence[Receipt | ServiceError]) -> Receipt:
    """The receipt of a write of one memory.

    Raises:
        ServiceError: whichever refused it.
    """
    (outcome,) = outcomes
    if isinstance(outcome, ServiceError):
        raise outcome
    return outcome


def count_recall(metrics: Metrics, answer: Recall) -> None:
    """Put a recall into the figures."""
    metrics.recalls.inc()
    for entry in answer.degraded:
        metrics.degraded.labels(entry.partition(":")[0]).inc()
