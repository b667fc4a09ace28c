"""`memdb people card`, `grep`, `notes` and `export`: what is known of somebody, as an agent is told and as a folder to keep."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final
from uuid import UUID

import typer

from api.cli.brains import find_id
from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, plain, print_json, progress, remark, stdout
from api.cli.people import list_people
from governance.errors import InvalidInput, NotFound
from memdb.config import load_settings
from memdb.embedded.layout import naming_path, write_private
from memdb.text.normalise import fold

NAME_CHARACTERS_MAX: Final = 60
FIRST_LINE: Final = re.compile(r"<!-- memdb notes of (?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}), memories: (?P<count>\d+) -->")
"""How the server begins each folder; a file that begins otherwise is not ours to replace."""
_COLUMNS = ("memory", "line", "topic", "text")

Subject = Annotated[str, typer.Argument(help="Id of a subject, or a name that means one alone.")]
Brain = Annotated[str | None, typer.Option("--brain", help="Only what this brain holds, by id or name.")]
Audience = Annotated[
    list[UUID] | None, typer.Option("--audience", help="Subject who will see it; only what all of them may read. Repeatable.")
]


def card(subject: Subject, brain: Brain = None, audience: Audience = None, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show the card: what is always to be kept in mind, and what else there is."""
    with Client.of(load_settings(url=url, key=key)) as client:
        reply = client.get(f"/v1/subjects/{find_subject(client, subject)}/card", _query(client, brain, audience))
    if as_json:
        print_json(reply)
    elif reply["text"]:
        _print_lines(reply["text"])
    else:
        remark("nothing is known that this key may read")


def grep(
    subject: Subject,
    pattern: Annotated[str, typer.Argument(help="Text, or with --regex an expression.")],
    regex: Annotated[bool, typer.Option("--regex", help="PATTERN is an expression in the syntax of RE2.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Case and accents count.")] = False,
    everywhere: Annotated[bool, typer.Option("--all", help="Look through the front as well.")] = False,
    limit: Annotated[int, typer.Option("--limit", help="Lines at most, 1 to 200.")] = 50,
    brain: Brain = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the lines in the drawer of a subject that hold a text or match an expression, newest first."""
    body: dict[str, object] = {"pattern": pattern, "regex": regex, "fold": not exact, "limit": limit}
    body["placement"] = "all" if everywhere else "drawer"
    with Client.of(load_settings(url=url, key=key)) as client:
        if brain is not None:
            body["brains"] = [find_id(client, brain)]
        reply = client.post(f"/v1/subjects/{find_subject(client, subject)}/drawer:grep", body)
    if as_json:
        print_json(reply)
        return
    if reply["lines"]:
        rows = [(line["memory_id"], line["line"], line["topic"], line["text"]) for line in reply["lines"]]
        stdout().print(make_table(None, _COLUMNS, rows, first_whole=True))
    more = ", and there may be more" if reply["truncated"] else ""
    remark(f"{reply['matches']} lines in {reply['searched']} memories{more}")


def notes(subject: Subject, brain: Brain = None, audience: Audience = None, url: Url = None, key: Key = None) -> None:
    """Print the whole folder of a subject as Markdown."""
    with Client.of(load_settings(url=url, key=key)) as client:
        _print_lines(client.get(f"/v1/subjects/{find_subject(client, subject)}/notes.md", _query(client, brain, audience)))


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to; made if it is missing.", file_okay=False)],
    brain: Brain = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Write one Markdown file for each subject of whom anything is known. A second run replaces its own files and no other."""
    with naming_path(folder, "make the folder"):
        folder.mkdir(parents=True, exist_ok=True)
    with Client.of(load_settings(url=url, key=key)) as client:
        people = list_people(client)
        query = _query(client, brain, None)
        with progress("exporting", len(people)) as advance:
            files, memories = [], 0
            for subject in people:
                text = client.get(f"/v1/subjects/{subject['id']}/notes.md", query)
                count = _count_own(text, subject["id"])
                if count:
                    files.append(write_folder(folder, subject["id"], subject["name"], text))
                    memories += count
                advance(1)
    if as_json:
        print_json({"files": [str(file) for file in files], "memories": memories})
    else:
        remark(f"{len(files)} files with {memories} memories written")


def register(app: typer.Typer) -> None:
    """Add the commands to `memdb people`."""
    for command in (card, grep, notes, export):
        app.command(command.__name__)(command)


def find_subject(client: Client, given: str) -> str:
    """The id of a subject that the user gave by id or by name; an id is not looked up, the server says what it thinks of it.

    Raises:
        NotFound: nobody has this name.
        InvalidInput: it may mean several.
        Refused: the server did not answer.
    """
    try:
        return str(UUID(given))
    except ValueError:
        reply = client.post("/v1/subjects:resolve", {"name": given})
    if reply["subject"] is not None:
        return str(reply["subject"]["id"])
    if reply["candidates"]:
        raise InvalidInput("this name may mean several; `memdb people resolve` shows whom, give an id", field="subject")
    raise NotFound("nobody is known by this name; `memdb people list` shows whom there is", field="subject")


def write_folder(folder: Path, subject_id: str, name: str | None, text: str) -> Path:
    """Write the folder of a subject into a file of its own, readable by its owner alone; its path.

    Raises:
        InvalidInput: a file of that name is there that is no folder of this subject.
        ConfigurationError: the operating system refused.
    """
    path = folder / file_name(subject_id, name)
    with naming_path(path, "write"):
        if (path.exists() or path.is_symlink()) and not _is_own(path, subject_id):
            raise InvalidInput(f"{path} is no file of this command; move it away, or export into another folder", field="dir")
        write_private(path, text)
    return path


def file_name(subject_id: str, name: str | None) -> str:
    """A name that is safe on every file system, and one for each subject, whatever it is called.

    >>> file_name("01980000-0000-7000-8000-0000000000c1", "../São João?")
    'sao-joao-01980000-0000-7000-8000-0000000000c1.md'
    """
    words = re.sub(r"[^a-z0-9]+", "-", fold(name or ""))[:NAME_CHARACTERS_MAX].strip("-")
    return f"{words}-{UUID(subject_id)}.md" if words else f"{UUID(subject_id)}.md"


def _is_own(path: Path, subject_id: str) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        found = FIRST_LINE.match(file.readline(200).decode("utf-8", "replace"))
    return found is not None and found["id"] == subject_id


def _count_own(text: str, subject_id: str) -> int:
    """Memories in a folder; none in that of somebody who was merged into another one, whose folder has them."""
    found = FIRST_LINE.match(text)
    return int(found["count"]) if found is not None and found["id"] == subject_id else 0


def _query(client: Client, brain: str | None, audience: list[UUID] | None) -> dict[str, Any]:
    query: dict[str, Any] = {} if brain is None else {"brain_id": find_id(client, brain)}
    return query | ({"audience": [str(one) for one in audience]} if audience else {})


def _print_lines(text: str) -> None:
    out = stdout()
    for line in text.splitlines():
        out.out(plain(line), highlight=False)
