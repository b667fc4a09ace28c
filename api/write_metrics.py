"""Memories written, for Prometheus: what the tally of the process says when it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdb.tally import Tally


class Writes(Collector):
    """`memdb_writes_total` by door, kind, action and status."""

    def __init__(self, tally: Tally) -> None:
        """Take what counts them."""
        self._tally = tally

    def collect(self) -> Iterator[CounterMetricFamily]:
        """The counts of now, in a fixed order."""
        family = CounterMetricFamily("memdb_writes", "Memories written, by door and outcome.", labels=("door", "kind", "action", "status"))
        for written, count in sorted(self._tally.counts().items()):
            family.add_metric((written.door, written.kind, written.action, written.status), count)
        yield family
