"""`memdb recall`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.panel import Panel
from rich.text import Text

from api.cli.brains import find_id
from api.cli.client import Client
from api.cli.explaining import explain_all
from api.cli.options import Json, Key, Url
from api.cli.output import make_evidence_table, plain, print_json, remark, stdout
from api.cli.remember import moment
from memdb.config import load_settings
from memdb.models.memory import Kind


def recall(
    query: Annotated[str, typer.Argument(help="A question, or words.")],
    kind: Annotated[list[Kind] | None, typer.Option("--kind", help="Only these kinds; repeat it for several.")] = None,
    brain: Annotated[list[str] | None, typer.Option("--brain", help="Only these brains, by id or name; repeat it for several.")] = None,
    about: Annotated[list[UUID] | None, typer.Option("--about", help="Only memories about these subjects; repeat it.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="This topic and those below it.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Memories that have all of these tags; repeat it.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100, help="The most memories to show.")] = 5,
    token_budget: Annotated[int | None, typer.Option("--token-budget", min=1, help="Also a card of at most so many tokens.")] = None,
    as_of: Annotated[datetime | None, typer.Option("--as-of", help="What was known then, UTC.")] = None,
    valid_at: Annotated[datetime | None, typer.Option("--valid-at", help="What was true then, UTC.")] = None,
    explained: Annotated[bool, typer.Option("--explain", help="Show each memory with its reasons as a tree.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Ask; shows the evidence, where each memory comes from and which branches found it."""
    body: dict[str, object] = {
        "query": query,
        "kinds": [k.value for k in kind or ()],
        "about": [str(a) for a in about or ()],
        "topic": topic,
        "tags": list(tag or ()),
        "limit": limit,
        "token_budget": token_budget,
        "as_of": moment(as_of),
        "valid_at": moment(valid_at),
        "explain": True,
    }
    with Client.of(load_settings(url=url, key=key)) as client:
        body["brains"] = [find_id(client, one) for one in brain or ()]
        reply = client.post("/v1/memories/search", {name: value for name, value in body.items() if value not in (None, [])})
    if as_json:
        print_json(reply)
    else:
        show_reply(reply, explained=explained)


def show_reply(reply: Mapping[str, Any], title: str | None = None, *, explained: bool = False) -> None:
    """The evidence as a table or as trees, the card as a panel, and what went wrong in between on stderr."""
    console = stdout()
    if reply["evidence"] and explained:
        for tree in explain_all(reply["evidence"]):
            console.print(tree)
    elif reply["evidence"]:
        console.print(make_evidence_table(reply, title))
    else:
        console.out(f"{title + ': ' if title else ''}no evidence", highlight=False)
    card = reply.get("card")
    if isinstance(card, dict) and card["text"]:
        text = Text("\n".join(plain(line) for line in str(card["text"]).splitlines()))
        console.print(Panel(text, title=f"card, {card['tokens']} of {card['token_budget']} tokens", title_align="left"))
    degraded = reply.get("degraded")
    for entry in degraded if isinstance(degraded, list) else []:
        remark(f"degraded: {entry}")
