"""The dictionary cache: how long it keeps, what makes it forget, how much it holds."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from memdb.storage import directory
from memdb.storage.database import Identity
from memdb.storage.directory import ORGS_MAX, TTL_S, Directory


class Loads:
    def __init__(self) -> None:
        self.count = 0
        self.during: Any = lambda: None

    async def __call__(self, _database: object, identity: Identity) -> dict[str, tuple[UUID, ...]]:
        self.count += 1
        self.during()
        return {"ana": (UUID(int=self.count),)}


class Watch:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Loads:
    found = Loads()
    monkeypatch.setattr(directory, "_load", found)
    return found


async def get(cache: Directory, number: int = 1) -> Any:
    return await cache.get(None, Identity(UUID(int=number)))  # type: ignore[arg-type]  # the fake load needs no database


async def test_it_is_loaded_once_until_it_is_too_old(loads: Loads) -> None:
    watch = Watch()
    cache = Directory(watch)
    first = await get(cache)
    watch.now_s = TTL_S - 0.1
    assert await get(cache) is first
    watch.now_s = TTL_S
    assert await get(cache) is not first
    assert loads.count == 2


async def test_a_change_makes_it_load_again(loads: Loads) -> None:
    cache = Directory(Watch())
    await get(cache)
    cache.invalidate(UUID(int=1))
    await get(cache)
    await get(cache, 2)
    assert loads.count == 3


async def test_a_change_during_the_load_is_not_hidden_by_it(loads: Loads) -> None:
    cache = Directory(Watch())
    loads.during = lambda: cache.invalidate(UUID(int=1))
    await get(cache)
    loads.during = lambda: None
    await get(cache)
    assert loads.count == 2


async def test_it_holds_the_orgs_that_were_asked_for_last(loads: Loads) -> None:
    cache = Directory(Watch())
    for number in range(ORGS_MAX + 1):
        await get(cache, number)
    await get(cache, ORGS_MAX)
    assert loads.count == ORGS_MAX + 1
    await get(cache, 0)
    assert loads.count == ORGS_MAX + 2
