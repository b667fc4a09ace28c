"""The board of agmi at rest: three rows, metadata column by column, what the suite does not try, and sequences of two moves."""

from __future__ import annotations

import json
from typing import Any, Final

from benchmarks.scoreboards import at_rest_own as own
from benchmarks.scoreboards.at_rest import COLUMNS, Memories
from benchmarks.scoreboards.at_rest_log import Events, WithEvents
from benchmarks.scoreboards.product import Product
from benchmarks.scoreboards.record import Board, describe
from benchmarks.scoreboards.suites import AGMI, adapter_class, load, require

ROWS: Final[dict[str, type[Memories]]] = {"memories": Memories, "memories and events": WithEvents, "events": Events}
EDITS: Final = 9
REFUSED_ON_READ: Final = frozenset({"tamper", "reorder", "forge", "cross_replay", "rollback_replay", "metadata_tamper"})
NOTICED: Final = frozenset({"REJECTED", "REPORTED"})
Adapters = dict[str, Any]


def run(product: Product, *, composed: bool) -> Board:
    """Everything; with `composed` the search for two moves of which neither alone gets through as well."""
    check, attacks = load("agmi.check"), load("agmi.attacks.at_rest").AT_REST_ATTACKS_WITH_SNAPSHOT
    versions = {attack.name: attack.version for attack in attacks}
    board = Board("agmi", describe(product, product.make_org("agmi-about"), {AGMI: require(AGMI), "attacks": versions}))
    base = load("agmi.adapters.base").MemoryAdapter
    adapters = {name: _staged(product, ours, base) for name, ours in ROWS.items()}
    board.figures["rows"] = {name: _row(board, check, adapter, name) for name, adapter in adapters.items()}
    board.figures["metadata"] = _columns(board, check, attacks, adapters["memories"])
    _own_rows(board, attacks, adapters)
    lawful = own.lawful(adapters["memories"]())
    board.figures["lawful"] = lawful
    board.gate("lawful changes verify", met=not any(lawful.values()), missed={name: why for name, why in lawful.items() if why})
    board.figures["window"] = own.window(adapters["memories"]())
    print(f"window: {board.figures['window']}")
    if composed:
        search_sequences(board, adapters["memories"])
    board.gate("the server was restarted", met=product.restarts >= len(ROWS), missed=product.restarts)
    return board


def search_sequences(board: Board, adapter: Any) -> None:  # noqa: ANN401 - a class
    """Two moves of which neither alone gets through; an edit that gets through alone is in the rows above."""
    _, findings = load("agmi.agent.compose").compose(_fast(adapter), target="memdb")
    board.figures["composed"] = [finding.as_dict() for finding in findings]
    board.gate("no two moves get through together", met=not findings, missed=[finding.sequence for finding in findings])


def _staged(product: Product, ours: type[Memories], base: Any, **more: object) -> Any:  # noqa: ANN401 - classes
    return type(ours.__name__, (adapter_class(ours, base),), {"product": product, **more})


def _fast(adapter: Any) -> Any:  # noqa: ANN401 - a class and a factory
    def make() -> Any:  # noqa: ANN401 - an adapter
        made = adapter()
        made.restarted = True
        return made

    return make


def _row(board: Board, check: Any, adapter: Any, name: str) -> list[dict[str, Any]]:  # noqa: ANN401 - a module and a class
    edits: list[dict[str, Any]] = check.run(adapter())
    print(f"{name}: " + "  ".join(f"T{n} {edit['verdict']}" for n, edit in enumerate(edits, 1)))
    bad = {edit["attack"]: f"{edit['verdict']} {edit['detail']}" for edit in edits if edit["verdict"] not in NOTICED}
    board.gate(f"nine of nine noticed, {name}", met=len(edits) == EDITS and not bad, missed=json.dumps(bad))
    unnamed = [edit["attack"] for edit in edits if edit["verdict"] in NOTICED and "(" not in edit["detail"]]
    board.gate(f"each names its record, {name}", met=not unnamed, missed=unnamed)
    if name == "memories":
        late = [edit["attack"] for edit in edits if edit["attack"] in REFUSED_ON_READ and edit["verdict"] != "REJECTED"]
        board.gate("T1 and T4 to T8 refused on read", met=not late, missed=late)
    return edits


def _columns(board: Board, check: Any, attacks: list[Any], adapter: Any) -> dict[str, dict[str, str]]:  # noqa: ANN401 - as above
    attack = next(one for one in attacks if one.name == "metadata_tamper")
    found = {}
    for column in COLUMNS:
        made = type(adapter.__name__, (adapter,), {"column": column})()
        made.restarted = True
        result = attack().run(made)
        found[column] = {"verdict": check.verdict(result, made), "detail": result.guard or result.error or result.detail}
    bad = {column: one for column, one in found.items() if one["verdict"] != "REJECTED"}
    print(f"T8 by column: {len(found) - len(bad)} of {len(found)} REJECTED")
    board.gate("T8 on every column refused on read", met=not bad, missed=json.dumps(bad))
    return found


def _own_rows(board: Board, attacks: list[Any], adapters: Adapters) -> None:
    rows = {
        "log written anew": own.rechained(adapters["memories and events"], attacks),
        "log written anew, then a genuine write": own.laundered(adapters["memories and events"], attacks),
        "edit, then a genuine write": own.waited(adapters["memories"], attacks),
        "older version": {"same memory": own.older_version(_fast(adapters["memories"])())},
    }
    board.figures["own"] = rows
    for name, row in rows.items():
        print(f"{name}: " + "  ".join(f"{edit} {one['verdict']}" for edit, one in row.items()))
        bad = {edit: one for edit, one in row.items() if one["verdict"] not in NOTICED}
        board.gate(f"noticed: {name}", met=not bad, missed=json.dumps(bad))
