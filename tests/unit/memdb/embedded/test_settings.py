from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.embedded.settings import MIB, Machine, make_server_settings, read_machine


@pytest.mark.parametrize(("memory_mib", "shared_buffers"), [(256, "128MB"), (4096, "1024MB"), (65536, "2048MB")])
def test_shared_buffers_are_a_quarter_within_bounds(memory_mib: int, shared_buffers: str) -> None:
    assert make_server_settings(Machine(memory_mib * MIB, None))["shared_buffers"] == shared_buffers


def test_small_shared_memory_is_avoided() -> None:
    assert make_server_settings(Machine(4096 * MIB, 64 * MIB))["dynamic_shared_memory_type"] == "sysv"
    assert make_server_settings(Machine(4096 * MIB, 4096 * MIB))["dynamic_shared_memory_type"] == "posix"


@given(st.integers(min_value=128, max_value=2**22))
def test_no_memory_setting_is_larger_than_the_machine_or_below_the_floor_of_postgres(memory_mib: int) -> None:
    settings = make_server_settings(Machine(memory_mib * MIB, None))
    for name, floor in (("shared_buffers", 1), ("maintenance_work_mem", 1), ("work_mem", 1)):
        assert floor <= int(settings[name].removesuffix("MB")) <= memory_mib


def test_nothing_listens_and_nothing_is_logged_from_statements() -> None:
    settings = make_server_settings(read_machine())
    assert settings["listen_addresses"] == ""
    assert settings["log_statement"] == "none"
    assert settings["log_min_messages"] == "log"
