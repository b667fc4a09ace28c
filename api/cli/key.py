"""`memdb key`: API keys, as the owner of the database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json, Org
from api.cli.output import make_table, print_json, remark, stdout
from governance.principals import Capability, Role
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import administering
else:
    administering = Lazy("api.cli.administering")

app = typer.Typer(help="Make, list, rotate and revoke API keys, as the owner of the database.", no_args_is_help=True)
FIRST_ORG = "main"
_COLUMNS = (
    "id",
    "writer_label",
    "max_role",
    "capabilities",
    "trust",
    "last_used_at",
    "expires_at",
    "revoked_at",
    "replaced_by",
)
# --json has the rest
_MINUTES = len("2026-01-31T09:30")
_TRUSTS = ("web", "imported", "tool", "agent", "member", "admin")


@app.command("create")
def create(
    label: Annotated[str, typer.Option("--label", help="Which writer this is, such as support-bot; no personal data.")],
    org: Org = FIRST_ORG,
    subject: Annotated[UUID | None, typer.Option("--subject", help="Whose key it is; default: the org's first person.")] = None,
    role: Annotated[Role, typer.Option("--role", help="The most that it may do in any brain.")] = Role.WRITER,
    trust: Annotated[str, typer.Option("--trust", help=f"How far its writes are believed: {', '.join(_TRUSTS)}.")] = "member",
    capability: Annotated[list[Capability] | None, typer.Option("--capability", help="What it may do in the org; repeat it.")] = None,
    brain: Annotated[list[UUID] | None, typer.Option("--brain", help="Only these brains of the subject; repeat it.")] = None,
    act_as_subject: Annotated[list[UUID] | None, typer.Option("--act-as-subject", help="Whom it may speak for; repeat it.")] = None,
    act_as_brain: Annotated[list[UUID] | None, typer.Option("--act-as-brain", help="In whose brain it may speak for others.")] = None,
    expires: Annotated[datetime | None, typer.Option("--expires", help="When it ends, UTC, such as 2027-01-31.")] = None,
    requests: Annotated[int | None, typer.Option("--requests-per-minute", help="How many; default: as the server is set.")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make a key; it is shown this once."""
    grant = administering.Wanted(
        subject_id=subject,
        label=label,
        role=role,
        trust=trust,
        capabilities=tuple(capability or ()),
        brains=None if not brain else tuple(brain),
        act_as_subjects=tuple(act_as_subject or ()),
        act_as_brains=tuple(act_as_brain or ()),
        expires_at=None if expires is None else expires.replace(tzinfo=UTC),
        requests_per_minute=requests,
    )
    made = administering.create_key(load_settings(data_dir=data_dir), org, grant)
    if as_json:
        print_json(made)
        return
    stdout().out(made["key"], highlight=False)
    remark("this key is shown this once; keep it")


@app.command("list")
def list_(org: Org = FIRST_ORG, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Show the keys of an org, without their secrets; revoked ones too."""
    keys = administering.list_keys(load_settings(data_dir=data_dir), org)
    if as_json:
        print_json(keys)
        return
    stdout().print(make_table(None, _COLUMNS, [[_line(column, key[column]) for column in _COLUMNS] for key in keys], first_whole=True))


@app.command("rotate")
def rotate(
    key_id: Annotated[str, typer.Argument(help="The id, as `memdb key list` shows it; the third part of the key.")],
    org: Org = FIRST_ORG,
    grace_hours: Annotated[float, typer.Option("--grace-hours", help="How long the former key goes on; at most 720.")] = 24.0,
    expires: Annotated[datetime | None, typer.Option("--expires", help="When the new key ends, UTC; default: as the former.")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make the successor of a key, with the same rights; it is shown this once."""
    ends = None if expires is None else expires.replace(tzinfo=UTC)
    made = administering.rotate_key(load_settings(data_dir=data_dir), org, key_id, grace_s=round(grace_hours * 3_600), expires_at=ends)
    if as_json:
        print_json(made)
        return
    stdout().out(made["key"], highlight=False)
    remark("this key is shown this once; keep it")
    remark(f"{key_id} goes on for {grace_hours:g} hours at most" if grace_hours > 0 else f"{key_id} has ended")


@app.command("revoke")
def revoke(
    key_id: Annotated[str, typer.Argument(help="The id, as `memdb key list` shows it; the third part of the key.")],
    org: Org = FIRST_ORG,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """End a key at once and for good."""
    administering.revoke_key(load_settings(data_dir=data_dir), org, key_id)
    if as_json:
        print_json({"id": key_id, "revoked": True})
        return
    stdout().out(f"{key_id} is revoked", highlight=False)


def _line(column: str, value: object) -> object:
    if column.endswith("_at") and isinstance(value, str):
        return value[:_MINUTES].replace("T", " ")
    return ", ".join(str(one) for one in value) if isinstance(value, list) else value
