"""`memdb review`: memories under review, for whoever decides on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import typer

from api.cli.client import Client
from api.cli.exits import Exit
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, plain, print_json, remark, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

app = typer.Typer(
    help="Decide on memories that are held, or that somebody asked to look at; needs a key with the capability reviewer.",
    no_args_is_help=True,
)
_PAGE: Final = 200
_MARKS: Final = {"same": "", "added": "+", "removed": "-"}
Memory = Annotated[UUID, typer.Argument(help="Id of a memory under review.")]
Memories = Annotated[list[UUID], typer.Argument(help="Ids of memories under review.")]


@app.command("list")
def list_(
    brain: Annotated[UUID | None, typer.Option("--brain", help="Only of this brain.")] = None,
    action: Annotated[UUID | None, typer.Option("--action", help="Only what this quarantine holds.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the oldest memories under review, and why they are."""
    asked: dict[str, Any] = {"limit": _PAGE}
    asked |= {name: str(value) for name, value in (("brain_id", brain), ("action_id", action)) if value is not None}
    with Client.of(load_settings(url=url, key=key)) as client:
        page = client.get("/v1/admin/reviews", asked)
    if as_json:
        print_json(page["items"])
        return
    rows = [(one["memory"]["id"], one["memory"]["kind"], _why(one), one["memory"]["content"]) for one in page["items"]]
    stdout().print(make_table(None, ("id", "kind", "why", "content"), rows, first_whole=True))
    if page["next_cursor"] is not None:
        remark(f"there are more than these {len(rows)}: narrow them with --brain or --action")


@app.command("show")
def show(memory: Memory, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show a memory under review with its reasons, sources, similar memories, and what became of its former version."""
    with Client.of(load_settings(url=url, key=key)) as client:
        review = client.get(f"/v1/admin/reviews/{memory}")
    if as_json:
        print_json(review)
        return
    for line in _lines(review):
        stdout().out(plain(line), highlight=False)


@app.command("release")
def release(
    memories: Memories,
    edit: Annotated[str | None, typer.Option("--edit", help="Of one memory: what it is to say instead.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Let memories be served, one of them corrected first. Exit code 1 when one could not be."""
    with Client.of(load_settings(url=url, key=key)) as client:
        if edit is None:
            _decide(client, "release", memories, as_json=as_json)
            return
        if len(memories) != 1:
            raise typer.BadParameter("--edit takes one memory")
        done = client.post(f"/v1/admin/reviews/{memories[0]}:release", {"edit": {"content": edit}})
    if as_json:
        print_json(done)
    else:
        stdout().out(f"{done['memory_id']} is served, version {done['receipt']['version']}", highlight=False)


@app.command("purge")
def purge(
    memories: Memories,
    yes: Annotated[bool, typer.Option("--yes", help="Without it you are asked.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Delete memories under review with all their versions. There is no way back but a backup. Exit code 1 when one could not be."""
    if not yes:
        typer.confirm(f"This deletes {len(memories)} memories for good. Go on?", abort=True, err=True)
    with Client.of(load_settings(url=url, key=key)) as client:
        _decide(client, "purge", memories, as_json=as_json)


def _decide(client: Client, decision: str, memories: Sequence[UUID], *, as_json: bool) -> None:
    results: list[dict[str, Any]] = []
    for start in range(0, len(memories), _PAGE):
        ids = [str(one) for one in memories[start : start + _PAGE]]
        results += client.post("/v1/admin/reviews:decide", {"decision": decision, "memory_ids": ids})["results"]
    if as_json:
        print_json(results)
    else:
        for one in results:
            said = "done" if one["done"] else f"{one['error']['detail']} [{one['error']['code']}]"
            stdout().out(f"{one['memory_id']}  {said}", highlight=False)
    if not all(one["done"] for one in results):
        raise typer.Exit(Exit.FAILED)


def _why(review: Mapping[str, Any]) -> str:
    held = [f"held by {one['kind']}: {one['reason'] or ', '.join(one['reasons'])}" for one in review["actions"]]
    asked = [": ".join(filter(None, (f"{one['cause']} ×{one['times']}", ", ".join(one["reasons"])))) for one in review["requests"]]
    return "; ".join((*held, *asked))


def _lines(review: Mapping[str, Any]) -> list[str]:
    memory = review["memory"]
    lines = [
        memory["content"],
        f"{memory['kind']}, version {memory['version']}, trust {memory['trust']}",
        f"written by {memory['written_by']} ({memory['writer_label']})",
        _why(review),
    ]
    if not review["intact"]:
        lines.append("its row was changed behind the product's back: a release is refused")
    changed = " ".join(f"{_MARKS[one['what']]}[{one['text']}]" if _MARKS[one["what"]] else one["text"] for one in review["difference"])
    lines += [f"since version {review['former']['version']}: {changed}"] if review["former"] else []
    lines += [f"source: {one['episode'] or one['episode_id']}: {one['fragment']}" for one in review["sources"]]
    lines += [f"similar: {one['id']} {one['content']}" for one in review["similar"]]
    return lines
