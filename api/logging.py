"""Logs: one line of JSON for each event on stderr, made of names that this file lists.

SECURITY: an event has the keys below and no other, so that memory text, a query, a URL or a header cannot get into a log by accident.
Libraries log what they please, so of their records only origin, level and exception type are kept.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Literal

import structlog

if TYPE_CHECKING:
    from collections.abc import MutableMapping

EVENT_KEYS = frozenset(
    [
        "event",
        "level",
        "timestamp",
        "logger",
        "request_id",
        "route",
        "method",
        "status",
        "duration_ms",
        "key_id",
        "code",
        "error_type",
        "error_types",
        "places",
        "provider",
        "advice",
        "space",
        "model",
        "dimension",
        "version",
        "count",
        "counts",
        "seconds",
        "host",
        "port",
        "pid",
        "data_dir",
        "recall_id",
        "branch",
        "branches",
        "late",
        "sqlstate",
        "memory_id",
        "brain_id",
        "action",
        "reason",
        "attempt",
        "attempts",
        "took_ms",
        "place",
        "handler",
        "job_id",
        "snapshot_id",
    ]
)
_SPOKEN_LIBRARIES = ("uvicorn.error",)  # its messages are about start and stop, with addresses and process ids
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure(level: Literal["debug", "info", "warning", "error"], log_format: Literal["json", "console"]) -> None:
    """Set logging up for this process; a second call replaces the first."""
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer() if log_format == "json" else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level if log_format == "console" else structlog.processors.add_log_level,
            keep_listed,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=_stderr_logger,
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [LibraryHandler()]
    # What libraries say below a warning has lost its values here and tells nobody anything.
    root.setLevel(max(_LEVELS[level], logging.WARNING))
    # Our own line of a request has the route; the server's has the URL.
    access = logging.getLogger("uvicorn.access")
    access.handlers, access.propagate = [logging.NullHandler()], False
    for name in ("uvicorn", "uvicorn.error"):
        library = logging.getLogger(name)
        library.handlers, library.propagate = [], True
    for name in _SPOKEN_LIBRARIES:
        logging.getLogger(name).setLevel(max(_LEVELS[level], logging.INFO))


def keep_listed(_logger: object, _method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Drop every key that is not listed; say how many."""
    dropped = event.keys() - EVENT_KEYS
    for name in dropped:
        del event[name]
    if dropped:
        event["dropped_keys"] = len(dropped)
    return event


def _stderr_logger(*_arguments: object) -> structlog.PrintLogger:
    # Asked at each line: whoever runs the process may have put another stream there.
    return structlog.PrintLogger(sys.stderr)


class LibraryHandler(logging.Handler):
    """Writes records of libraries without their values."""

    def emit(self, record: logging.LogRecord) -> None:
        error_type = record.exc_info[0].__qualname__ if record.exc_info and record.exc_info[0] else None
        spoken = record.name in _SPOKEN_LIBRARIES and error_type is None
        structlog.get_logger().log(
            record.levelno,
            record.getMessage() if spoken else "library",
            logger=record.name,
            place=f"{record.module}:{record.lineno}",
            error_type=error_type,
        )
