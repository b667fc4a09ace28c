"""An old notebook, Markdown or plain text, taken apart into statements with the headings that they stand under. Pure.

Code and markup that a reader would not see are no statements. Lists give one statement for each item, prose one for each sentence, and a
semicolon separates two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

from memdb.text.sentences import split_sentences

if TYPE_CHECKING:
    from markdown_it.token import Token

_WRAPPED_MIN: Final = 60
"""Characters from which a line that ends without a stop goes on in the next one; shorter lines are notes of their own."""
_ENDS = re.compile(r"[.!?:;…。！？]\s*$")
_PARTS = re.compile(r"\s*;\s+")
_SKIPPED: Final = {"fence": "code", "code_block": "code", "html_block": "markup"}


@dataclass(frozen=True, slots=True)
class NotebookStatement:
    """One statement, where it begins (lines count from 1), and the headings above it, the nearest first. `before`: the statement before it
    in the same paragraph, which says whom a pronoun means.
    """

    line: int
    text: str = field(repr=False)
    headings: tuple[str, ...] = field(default=(), repr=False)
    before: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """What is no statement: `reason` is code or markup."""

    line: int
    reason: str


def read_notebook(text: str) -> tuple[list[NotebookStatement], list[Skipped]]:
    """Statements and what was skipped, in the order of the lines."""
    statements: list[NotebookStatement] = []
    skipped: list[Skipped] = []
    headings: dict[int, str] = {}
    level: int | None = None
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type in _SKIPPED and token.map:
            skipped.append(Skipped(token.map[0] + 1, _SKIPPED[token.type]))
        elif token.type == "inline" and token.map:
            plain = _plain(token)
            if level is not None:
                headings = {depth: title for depth, title in headings.items() if depth < level} | {level: plain.strip()}
                level = None
            else:
                above = tuple(title for _, title in sorted(headings.items(), reverse=True) if title)
                statements += _statements(plain, token.map[0] + 1, above)
    return statements, skipped


def _plain(token: Token) -> str:
    """What a reader sees of a piece of text; line breaks stay."""
    parts = []
    for child in token.children or []:
        if child.type in {"softbreak", "hardbreak"}:
            parts.append("\n")
        elif child.type in {"text", "code_inline", "image"}:
            parts.append(child.content)
    return "".join(parts)


def _statements(plain: str, line: int, headings: tuple[str, ...]) -> Iterator[NotebookStatement]:
    before = None
    for offset, paragraph in _joined(plain):
        for start, end in split_sentences(paragraph):
            for part in _PARTS.split(paragraph[start:end]):
                said = part.strip()
                if said.strip("-*_#>|. \t"):
                    yield NotebookStatement(line + offset, said, headings, before)
                    before = said


def _joined(plain: str) -> Iterator[tuple[int, str]]:
    """Lines, with those that were only wrapped put together again; with the place of the first of them."""
    gathered, began = "", 0
    for place, one in enumerate(plain.split("\n")):
        if gathered and len(gathered.rsplit("\n", 1)[-1]) >= _WRAPPED_MIN and not _ENDS.search(gathered) and one.strip()[:1].islower():
            gathered += " " + one.strip()
            continue
        if gathered:
            yield began, gathered
        gathered, began = one, place
    if gathered:
        yield began, gathered
