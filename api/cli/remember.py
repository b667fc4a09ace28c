"""`memdb remember`."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import typer

from api.cli.brains import find_id
from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import print_json, stdout
from governance.errors import InvalidInput
from memdb.config import load_settings
from memdb.models.memory import Kind

STDIN = "-"


def remember(
    text: Annotated[str, typer.Argument(help="What to remember, one statement; - reads it from stdin.")],
    kind: Annotated[Kind, typer.Option("--kind", help="What sort of statement it is.")] = Kind.SEMANTIC,
    brain: Annotated[str | None, typer.Option("--brain", help="Where to, by id or name; default: the home of the key's subject.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="A path such as clients/meridian.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Repeat it for several.")] = None,
    about: Annotated[list[UUID] | None, typer.Option("--about", help="Subject whom it is about; repeat it for several.")] = None,
    said_by: Annotated[UUID | None, typer.Option("--said-by", help="Subject who said it.")] = None,
    data: Annotated[str | None, typer.Option("--data", help="A JSON object to keep beside the text.")] = None,
    valid_from: Annotated[datetime | None, typer.Option("--valid-from", help="Since when it is true, UTC.")] = None,
    valid_to: Annotated[datetime | None, typer.Option("--valid-to", help="Until when it is true, UTC.")] = None,
    ttl: Annotated[int | None, typer.Option("--ttl", min=1, help="Seconds to live; working memories need it, no other has it.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Write one memory; personal data in it is redacted before it is stored."""
    body: dict[str, object] = {
        "content": sys.stdin.read().rstrip("\r\n") if text == STDIN else text,
        "kind": kind.value,
        "topic": topic,
        "tags": list(tag or ()),
        "about": [str(subject) for subject in about or ()],
        "said_by": None if said_by is None else str(said_by),
        "data": _parse_data(data),
        "valid_from": moment(valid_from),
        "valid_to": moment(valid_to),
        "ttl_seconds": ttl,
    }
    with Client.of(load_settings(url=url, key=key)) as client:
        body["brain_id"] = None if brain is None else find_id(client, brain)
        receipt = client.post("/v1/memories", {name: value for name, value in body.items() if value not in (None, [], {})})
    if as_json:
        print_json(receipt)
        return
    redacted = ", ".join(sorted({r["entity"] for r in receipt["redactions"]}))
    lines = [f"{receipt['action']} {receipt['id']} version {receipt['version']}, {receipt['status']}"]
    lines += [f"redacted: {redacted}"] if redacted else []
    lines += [f"reasons: {', '.join(receipt['reasons'])}"] if receipt["reasons"] else []
    stdout().out("\n".join(lines), highlight=False)


def moment(value: datetime | None) -> str | None:
    """A time of the command line, which is UTC, as the API takes it."""
    return None if value is None else value.replace(tzinfo=UTC).isoformat()


def _parse_data(text: str | None) -> object:
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        raise InvalidInput("--data must be a JSON object", field="data") from None
    if not isinstance(value, dict):
        raise InvalidInput("--data must be a JSON object", field="data")
    return value
