"""The settings of the embedded server, from the memory of the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psutil

MIB = 1024 * 1024
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the mount is measured, no file is made
# Building a vector index in parallel takes maintenance_work_mem of it; containers often have 64 MiB.
_SHARED_MEMORY_MIN_BYTES = 1024 * MIB


@dataclass(frozen=True, slots=True)
class Machine:
    """What the settings depend on, in bytes. `shared_memory_bytes` is None where there is no such mount."""

    memory_bytes: int
    shared_memory_bytes: int | None


def read_machine() -> Machine:
    """Measure the machine, or the container if it has a memory limit."""
    limits = [limit for path in _CGROUP_LIMITS if (limit := _limit_in(path)) is not None]
    shared = os.statvfs(_SHARED_MEMORY) if _SHARED_MEMORY.is_dir() else None
    return Machine(
        memory_bytes=min([psutil.virtual_memory().total, *limits]),
        shared_memory_bytes=shared.f_frsize * shared.f_bavail if shared else None,
    )


def make_server_settings(machine: Machine) -> dict[str, str]:
    """Name to value of what differs from the defaults of Postgres; given on the command line, so nothing overrides it.

    Source: a quarter of the memory for shared_buffers and 1.1 for random_page_cost are the advice of the Postgres
    manual (19.4.1, 19.7.2) for a server with a solid-state disk; it shares the machine with the API, hence the caps.
    """
    mib = machine.memory_bytes // MIB
    scarce = machine.shared_memory_bytes is not None and machine.shared_memory_bytes < _SHARED_MEMORY_MIN_BYTES
    return {
        "listen_addresses": "",  # the socket is the only door
        "unix_socket_permissions": "0700",
        "max_connections": "100",
        "shared_buffers": f"{_between(128, mib // 4, 2048)}MB",
        "effective_cache_size": f"{max(256, mib * 6 // 10)}MB",
        "maintenance_work_mem": f"{_between(64, mib // 16, 1024)}MB",
        "work_mem": f"{_between(4, mib // 512, 16)}MB",
        # System V segments do not count against a small /dev/shm.
        "dynamic_shared_memory_type": "sysv" if scarce else "posix",
        "max_wal_size": "2GB",
        "wal_compression": "pglz",
        "checkpoint_timeout": "10min",
        "random_page_cost": "1.1",
        "max_logical_replication_workers": "0",  # nothing subscribes; one process less
        "jit": "off",  # statements here take milliseconds; compiling one costs more than running it
        "max_locks_per_transaction": "256",  # monthly partitions are locked one by one
        "timezone": "UTC",
        "log_timezone": "UTC",
        **_LOG_SETTINGS,
    }


# SECURITY: no statement and no value of a parameter or row reaches the log. Error messages quote values ("invalid
# input syntax for type uuid: …"), so errors of sessions are not logged at all: `log` keeps LOG, FATAL and PANIC. The
# detail line of a crashed backend would show its statement: `terse` drops it.
_LOG_SETTINGS = {
    "logging_collector": "off",
    "log_destination": "stderr",
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_transaction_sample_rate": "0",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_lock_waits": "off",
    "log_temp_files": "-1",
    "log_autovacuum_min_duration": "-1",
}


def _between(low: int, value: int, high: int) -> int:
    return max(low, min(value, high))


def _limit_in(path: Path) -> int | None:
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None  # "max" is no limit
