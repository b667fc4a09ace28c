"""No door shows what is held, erased or foreign: every route, tool and command is asked for it, and shows it to whom it may when it is served."""

from __future__ import annotations

import pytest
import typer

from api import access
from api.cli.commands import app
from api.mcp.tools.registry import BY_NAME
from tests.integration.doors.commands import APART, COMMANDS
from tests.integration.doors.routes import ROUTES
from tests.integration.doors.tools import TOOLS
from tests.integration.doors.walking import Terminal, Walk, rows
from tests.integration.doors.world import (
    ROLES,
    delete_all,
    forget_all,
    hold,
    make_held_by_policy,
    make_world,
)
from tests.support.product import Product


def test_every_route_tool_and_command_has_a_row() -> None:
    assert set(ROUTES) == set(access.ROUTES)
    assert set(TOOLS) == set(BY_NAME)
    assert set(COMMANDS) | set(APART) == set(_commands())
    assert set(COMMANDS) & set(APART) == set()


async def test_what_is_served_comes_out_of_each_door_that_reads_and_each_door_answers(product: Product, terminal: Terminal) -> None:
    """Else the tests below would prove nothing."""
    world = await make_world(product)
    walk = Walk(world, world.admin)
    await walk.as_owner(terminal, processes=True)
    await walk.with_key(terminal)
    assert set(walk.replies) == set(rows())
    assert walk.showing(world.canary, world.said) == {door for door, row in rows().items() if row.shows}
    refused = {door: reply for door, reply in walk.replies.items() if not reply.well}
    assert {door: reply for door, reply in refused.items() if reply.status not in rows()[door].refused} == {}
    assert set(refused) == {door for door, row in rows().items() if row.refused}


async def test_what_is_in_quarantine_comes_out_of_no_door_but_for_reviewers(product: Product, terminal: Terminal) -> None:
    world = await make_world(product)
    await hold(world)
    for role in ROLES:
        walk = await Walk(world, world.members[role]).with_key(terminal if role == "admin" else None)
        assert walk.showing(world.canary, world.said) == set(), role
        assert walk.unwell == {}
    reviewer = await Walk(world, world.admin).as_owner(terminal)
    await reviewer.with_key(terminal)
    assert reviewer.showing(world.canary, world.said) == {door for door, row in rows().items() if row.shows_held}
    assert reviewer.unwell == {}


async def test_what_was_held_when_it_was_written_comes_out_of_no_door_but_for_reviewers(product: Product) -> None:
    """Held in the same way, so asked for by who may do most with the brain, and by a reviewer."""
    world = await make_held_by_policy(product)
    member = await Walk(world, world.members["admin"]).with_key()
    assert member.showing(world.canary) == set()
    reviewer = await Walk(world, world.admin).with_key()
    assert reviewer.showing(world.canary) == {door for door, row in rows().items() if row.shows_held and door in reviewer.replies}


@pytest.mark.parametrize("how", ["forgotten", "deleted"])
async def test_what_is_erased_comes_out_of_no_door(product: Product, terminal: Terminal, how: str) -> None:
    world = await make_world(product)
    await (forget_all if how == "forgotten" else delete_all)(world)
    words = (world.canary, world.said) if how == "forgotten" else (world.canary,)
    walk = await Walk(world, world.admin).as_owner(terminal)
    await walk.with_key(terminal)
    assert walk.showing(*words) == set()
    assert walk.unwell == {}


@pytest.mark.parametrize("whose", ["another brain", "another org"])
async def test_what_is_foreign_comes_out_of_no_door(product: Product, terminal: Terminal, whose: str) -> None:
    """Not to who may do everything in the org but read that brain, nor to the administrator of another org."""
    world = await make_world(product)
    if whose == "another org":
        caller = await product.make_caller()
    else:
        caller = await world.admin.make_person("Max", max_role="admin", capabilities=["admin", "auditor", "loader"])
    walk = await Walk(world, caller).with_key(terminal)
    assert walk.showing(world.canary, world.said) == set()
    assert walk.unwell == {}


def _commands() -> list[str]:
    """Names of all that the parser knows; a group that does something without a command of its own is one."""
    found = []
    for name, one in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]  # a group
        inner = getattr(one, "commands", None)
        if inner is None or one.invoke_without_command:
            found.append(name)
        found += [f"{name} {under}" for under in inner or ()]
    return found
