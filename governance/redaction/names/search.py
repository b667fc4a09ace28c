"""Looks for names in a text of which the rest was found already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.redaction.findings import Finding
from governance.redaction.names.finder import find_names
from governance.redaction.names.known import NOBODY, KnownNames
from governance.redaction.normalise import analysis_text
from governance.redaction.recognizers.base import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from governance.redaction.names.model import NameModel
    from governance.redaction.normalise import AnalysisText


def search_names(
    text: str, found: Iterable[Finding] = (), *, known: KnownNames = NOBODY, model: NameModel | None = None
) -> tuple[Finding, ...]:
    """Return people and places in code-point offsets of `text`; none touches a label or one of the findings in `found`.

    The rules and the model may overlap each other.
    """
    shown = analysis_text(text)
    blanked = _blanked(shown, len(text), found)
    names = find_names(blanked, known) + (() if model is None else tuple(model.find(blanked)))
    return tuple(
        Finding(name.entity, *shown.original_span(name.start, name.end), name.score)
        for name in names
        if BLANK not in blanked[name.start : name.end]
    )


def _blanked(shown: AnalysisText, length: int, found: Iterable[Finding]) -> str:
    """Blank the findings, whose offsets are those of the original text, in the analysis text."""
    covered = bytearray(length)
    for finding in found:
        covered[finding.start : finding.end] = b"\x01" * (finding.end - finding.start)
    if not any(covered):
        return shown.text
    origins = range(length) if shown.origins is None else shown.origins
    return "".join(BLANK if covered[origin] else char for char, origin in zip(shown.text, origins, strict=True))
