"""Turns overlapping findings into disjoint ones, so that labels never cut into each other."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from governance.redaction.entities import is_secret
from governance.redaction.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable


def _rank(finding: Finding) -> tuple[bool, int, float, str]:
    return is_secret(finding.entity), finding.end - finding.start, finding.score, finding.entity


def disjoint(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return disjoint findings in order of place.

    A secret wins over personal data. Within one class the longest wins, then the higher score, and it grows over the others that it
    overlaps: a part of a number that only a weaker recognizer saw must not be left standing.
    """
    everything = list(findings)
    secrets = _merge(finding for finding in everything if is_secret(finding.entity))
    personal = _merge(finding for finding in everything if not is_secret(finding.entity))
    starts = [secret.start for secret in secrets]
    free = [finding for finding in personal if not _touches(finding, secrets, starts)]
    return tuple(sorted((*secrets, *free), key=lambda finding: finding.start))


def _touches(finding: Finding, others: list[Finding], starts: list[int]) -> bool:
    """Tell whether a finding overlaps one of the others, which are disjoint and in order of place."""
    before = bisect_left(starts, finding.end) - 1
    return before >= 0 and others[before].end > finding.start


def _merge(findings: Iterable[Finding]) -> list[Finding]:
    """Merge every chain of overlapping findings into its strongest member, stretched over all of the chain."""
    merged: list[Finding] = []
    best: Finding | None = None
    end = start = 0
    for finding in sorted(findings, key=lambda item: (item.start, -item.end)):
        if best is not None and finding.start < end:
            end = max(end, finding.end)
            best = max(best, finding, key=_rank)
            continue
        if best is not None:
            merged.append(Finding(best.entity, start, end, best.score))
        best, start, end = finding, finding.start, finding.end
    if best is not None:
        merged.append(Finding(best.entity, start, end, best.score))
    return merged
