"""Every door, and random callers who knock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdb.ids import make_id
from tests.scope.asking import Request, told
from tests.scope.directory_doors import (
    change_keys,
    change_members,
    change_subject,
    list_brains,
    list_keys,
    list_subjects,
    look_up,
    make_brain,
    merge,
    read_brain,
    read_subject,
    resolve,
)
from tests.scope.memory_doors import (
    delete_memory,
    edit_memory,
    give_feedback,
    list_memories,
    read_memory,
    search,
    write_batch,
    write_memory,
)
from tests.scope.model import Caller
from tests.scope.people_doors import open_folder
from tests.scope.session_doors import ask_in_session, begin_session, cut_session, list_sessions, read_session, say, see_learning
from tests.scope.shared_doors import browse_topics, list_open, query_topic, read_unit, report_conflict, settle, share, write_unit
from tests.scope.world import World

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random

    Visit = Callable[["Request"], Awaitable[None]]


DOORS: tuple[Visit, ...] = (
    read_memory, edit_memory, delete_memory, write_memory, write_batch, list_memories, search, list_brains, read_brain, change_members, make_brain,
    list_subjects, read_subject, look_up, change_subject, list_keys, change_keys, give_feedback, resolve, merge, open_folder,
    browse_topics, query_topic, read_unit, write_unit, report_conflict, settle, share, list_open,
    begin_session, say, read_session, list_sessions, cut_session, ask_in_session, see_learning,
)  # fmt: skip
WEIGHTS = (3, 2, 1, 2, 1, 3, 8, 1, 2, 2, 1, 1, 2, 1, 1, 1, 1, 3, 2, 1, 4, 1, 3, 2, 2, 2, 1, 1, 1, 3, 2, 2, 1, 1, 4, 1)
assert len(DOORS) == len(WEIGHTS), "each door has its weight"


async def visit(world: World, rng: Random, visits: int) -> list[str]:
    """Random callers at random doors; what they did, for the message of a failure."""
    log: list[str] = []
    for _ in range(visits):
        caller = rng.choice(world.callers)
        rights = world.oracle.rights(caller)
        if isinstance(rights, int):
            await _refused(world, rng, caller, rights)
            continue
        door = rng.choices(DOORS, WEIGHTS)[0]
        at = Request(world, rng, caller, rights, exact=world.stage.mode != "policies", log=log)
        await door(at)
    return log


async def _refused(world: World, rng: Random, caller: Caller, status: int) -> None:
    """A dead key is like an unknown one, and one that may not act for somebody does not learn whether there is such a somebody."""
    path = rng.choice(
        (
            "/v1/memories",
            "/v1/brains",
            f"/v1/memories/{rng.choice([m.id for m in world.oracle.memories.values() if m.org_id in world.admins])}",
        )
    )
    reply = await world.call(caller, "GET", path)
    assert reply.status_code == status, (caller, path, reply.text)
    if status == 401:
        head, _, secret = caller.key_text.rpartition("_")
        other = Caller(f"{head.rpartition('_')[0]}_zzzz2222yyyy_{secret}", "zzzz2222yyyy", caller.org_id)
    else:
        other = Caller(caller.key_text, caller.key_id, caller.org_id, make_id())
    assert told(reply) == told(await world.call(other, "GET", path))
