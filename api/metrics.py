"""Figures for Prometheus. Labels are route templates, methods, statuses, actions and branch names of the product: never anything sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from api.learning_metrics import LearningMetrics, add_gauges

if TYPE_CHECKING:
    from collections.abc import Callable

    from memdb.sessions.learning import Figures

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Metrics:
    """The figures of one application, in a registry of its own."""

    def __init__(self, connections_in_use: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("memdb_requests", "Requests answered.", ("route", "method", "status"), registry=self.registry)
        self.seconds = Histogram("memdb_request_seconds", "Time to answer.", ("route", "method"), buckets=_SECONDS, registry=self.registry)
        self.writes = Counter("memdb_writes", "Memories written, by outcome.", ("action", "status"), registry=self.registry)
        self.turns = Counter("memdb_turns", "Turns recorded.", registry=self.registry)
        self.recalls = Counter("memdb_recalls", "Recalls answered.", registry=self.registry)
        self.degraded = Counter("memdb_degraded_branches", "Branches that failed or were late.", ("branch",), registry=self.registry)
        in_use = Gauge("memdb_connections_in_use", "Database connections out of the pool.", registry=self.registry)
        in_use.set_function(connections_in_use)
        self.unread = Counter("memdb_figures_unread", "Times that the database did not tell its figures in time.", registry=self.registry)
        self.learning = LearningMetrics(self.registry)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route, method).observe(seconds)

    def render(self, figures: Figures | None) -> bytes:
        """The figures in the text format of Prometheus, with those of the database; None: they could not be read, which is counted."""
        if figures is None:
            self.unread.inc()
            return generate_latest(self.registry)
        asked = CollectorRegistry()
        add_gauges(asked, figures)
        return generate_latest(self.registry) + generate_latest(asked)
