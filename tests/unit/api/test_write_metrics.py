"""Writes as Prometheus reads them."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from api.write_metrics import Writes
from memdb.tally import Tally, Written


def test_writes_are_told_as_they_are_now() -> None:
    tally, registry = Tally(), CollectorRegistry()
    registry.register(Writes(tally))
    learned, told = Written("extraction", "semantic", "ADD", "active"), Written("http", "semantic", "ADD", "held")
    for written in (learned, learned, told):
        tally.add(written)

    def value(written: Written) -> float | None:
        labels = {"door": written.door, "kind": written.kind, "action": written.action, "status": written.status}
        return registry.get_sample_value("memdb_writes_total", labels)

    assert (value(learned), value(told), value(Written("mcp", "semantic", "ADD", "active"))) == (2, 1, None)
    tally.add(told)
    assert value(told) == 2
