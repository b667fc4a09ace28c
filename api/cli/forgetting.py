"""The work of `memdb forget` that needs the owner of the database or the root secret: orgs, leftovers, the ledger, receipts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from api.cli.loops import run_async
from api.cli.output import Advance
from api.cli.owning import Owned, open_database, own
from api.cli.secret import open_keyring, read_keyring, secret_path
from governance.errors import InvalidInput
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.embedded.layout import naming_path, write_private
from memdb.lifecycle.erasure import check as checking
from memdb.lifecycle.erasure.ledger_file import ledger_path, write_ledger
from memdb.lifecycle.erasure.orgs import forget_org, look_at_org
from memdb.lifecycle.erasure.receipts import is_genuine
from memdb.storage.checks import check_schema
from memdb.storage.leftovers import list_all_tombstones
from memdb.storage.owner import connect


def look_at(settings: Settings, name: str) -> dict[str, int]:
    """Rows of an org by table. Raises NotFound and as `own`."""

    async def look(owned: Owned) -> dict[str, int]:
        async with open_database(owned) as database:
            return (await look_at_org(database, name)).counts

    with own(settings) as owned:
        return run_async(look(owned))


def forget(settings: Settings, name: str) -> dict[str, Any]:
    """Erase an org; its receipt. Raises NotFound, UnderLegalHold and as `own`."""

    async def erase(owned: Owned) -> dict[str, Any]:
        async with open_database(owned) as database:
            return await forget_org(database, open_keyring(settings, owned.url), name, SystemClock().now())

    with own(settings) as owned:
        receipt = run_async(erase(owned))
        _export(settings, owned)
    return receipt


def check(settings: Settings, strings: Sequence[str], advance: Advance) -> checking.Checked:
    """Look for strings and for what the ledger knows. Raises InvalidInput and as `own`."""
    with own(settings) as owned, connect(owned.url) as conn:
        check_schema(conn)
        return checking.check(conn, read_keyring(settings), strings, advance)


def export_ledger(settings: Settings) -> tuple[Path, int]:
    """Write the ledger of every org beside the secret; where, and how many lines were new. Raises as `own` and `write_ledger`."""
    with own(settings) as owned:
        return ledger_path(settings), _export(settings, owned)


def _export(settings: Settings, owned: Owned) -> int:
    with connect(owned.url) as conn:
        return write_ledger(ledger_path(settings), list_all_tombstones(conn))


def verify(settings: Settings, file: Path) -> tuple[bool, bool, dict[str, Any]]:
    """(genuine, whether it was compared with the root secret, the receipt) of a file.

    Raises:
        InvalidInput: the file holds no receipt.
        WrongSecret: the secret file lacks the root key that signed it.
    """
    problem = InvalidInput(f"{file} holds no receipt of an erasure; give what `memdb forget --json` printed", field="file")
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise problem from None
    receipt = document.get("receipt", document) if isinstance(document, dict) else None
    if not isinstance(receipt, dict) or "signature" not in receipt:
        raise problem
    keyring = read_keyring(settings) if secret_path(settings).exists() else None
    return is_genuine(receipt, keyring), keyring is not None, receipt


def write_receipt(file: Path, receipt: Mapping[str, Any]) -> None:
    """Write a receipt, mode 0600. Raises ConfigurationError: the file cannot be written."""
    with naming_path(file, "write the receipt"):
        write_private(file, json.dumps(receipt, indent=2) + "\n")
