"""Run a public suite for the security of agent memory against a memdb of its own, over HTTP, with the policy as shipped.

    python -m benchmarks.scoreboards amsb --out DIR
    python -m benchmarks.scoreboards agmi --out DIR [--no-compose]
    python -m benchmarks.scoreboards agmi-api --out DIR [--mutate] [--filler N]
    python -m benchmarks.scoreboards polite --out DIR --dataset DIR
    python -m benchmarks.scoreboards poison-check --out DIR

Exit code 1 if a gate is missed. docs/benchmarks.md says what each figure means, and what it does not.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Final

from benchmarks.scoreboards import amsb, api_family, at_rest_board, poison_check, polite
from benchmarks.scoreboards.product import Product, thrown_away
from benchmarks.scoreboards.record import Board
from benchmarks.scoreboards.suites import AGMI, AMSB, POISON_CHECK, require

SUITES: Final = {"amsb": AMSB, "agmi": AGMI, "agmi-api": AGMI, "poison-check": POISON_CHECK}
"""Board -> the package that it needs; the others need none."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    boards = parser.add_subparsers(dest="board", required=True, metavar="BOARD")
    parsers = {name: boards.add_parser(name) for name in (*SUITES, "polite")}
    for each in parsers.values():
        each.add_argument("--out", type=Path, required=True, help="folder for the figures as JSON")
    parsers["agmi"].add_argument("--no-compose", action="store_true", help="leave out the search for two moves; it takes minutes")
    parsers["agmi-api"].add_argument("--mutate", action="store_true", help="each planted text also in the suite's disguises")
    parsers["agmi-api"].add_argument("--filler", type=int, default=0, help="so many more memories of the user at each start")
    parsers["polite"].add_argument("--dataset", type=Path, required=True, help="a folder of labelled texts")
    arguments = parser.parse_args()
    if arguments.board in SUITES:
        require(SUITES[arguments.board])  # before a server is started
    started = time.perf_counter()
    with thrown_away() as product:
        board = _run(arguments, product)
    board.figures["seconds"] = round(time.perf_counter() - started, 1)
    print(json.dumps(board.about))
    board.show()
    print(f"{'passed' if board.passed else 'NOT passed'}, {board.figures['seconds']} s; figures in {board.write(arguments.out)}")
    raise SystemExit(not board.passed)


def _run(arguments: argparse.Namespace, product: Product) -> Board:
    if arguments.board == "amsb":
        return amsb.run(product)
    if arguments.board == "agmi":
        return at_rest_board.run(product, composed=not arguments.no_compose)
    if arguments.board == "agmi-api":
        return api_family.run(product, filler=arguments.filler, mutate=arguments.mutate)
    if arguments.board == "polite":
        return polite.run(product, arguments.dataset)
    return poison_check.run(product)


if __name__ == "__main__":
    main()
