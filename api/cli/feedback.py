"""`memdb feedback`."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import print_json, stdout
from memdb.config import load_settings
from memdb.models.outcome import Outcome


def feedback(
    recall: Annotated[UUID, typer.Argument(help="Id of the recall.")],
    memory: Annotated[UUID, typer.Argument(help="Id of a memory that it returned.")],
    outcome: Annotated[Outcome, typer.Argument(help="What became of it.")],
    note: Annotated[str | None, typer.Option("--note", help="A remark; kept redacted.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Say what became of a recalled memory."""
    body = {"recall_id": str(recall), "memory_id": str(memory), "outcome": outcome.value} | ({} if note is None else {"note": note})
    with Client.of(load_settings(url=url, key=key)) as client:
        reply = client.post("/v1/feedback", body)
    if as_json:
        print_json(reply)
    else:
        stdout().out(f"{outcome.value}{', in the place of what was said before' if reply['replaced'] else ''}", highlight=False)
