"""What an org adds to the rules over writes: lower thresholds, rules of its own, and what becomes of little trusted writes into the brain
of a person.

Everything here only makes decisions stricter than the base thresholds do; those alone may be raised, and never beyond THRESHOLD_MAX.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from governance.errors import InvalidInput
from governance.inspection.signals import SignalCode
from governance.policy.decision import Effect, Verdict, WriteRequest
from governance.policy.rules import RULES
from governance.policy.thresholds import DEFAULT_THRESHOLDS, Thresholds
from governance.trust import Trust

if TYPE_CHECKING:
    from governance.policy.rules import Rule

THRESHOLD_MIN: Final = 0.05
THRESHOLD_MAX: Final = 0.9
REVIEW_RULES_MAX: Final = 100
RULE_NAME: Final = re.compile(r"[a-z][a-z_]{1,38}[a-z]")
KINDS: Final = ("semantic", "episodic", "procedural", "taxonomic", "working")
PERSONAL: Final = "personal"
BRAIN_KINDS: Final = (PERSONAL, "agent", "team", "room", "org")
EFFECTS: Final = ("flag", "hold", "reject")
PERSONAL_HOLDS: Final = Trust.TOOL
LOW_TRUST: Final = "low_trust_in_personal_brain"
"""Reason code of what tools, web pages and imports say in the brain of a person."""


@dataclass(frozen=True, slots=True)
class ReviewRule:
    """A rule of an org. What a condition leaves out matches everything; None of both `findings` and `score`: also a write without findings.

    `trust`: this level and those below. `score`: of the finding; None: from the moderate threshold on.
    """

    name: str
    effect: Effect
    findings: frozenset[str] | None = None
    score: float | None = None
    trust: Trust | None = None
    kinds: frozenset[str] | None = None
    brains: frozenset[str] | None = None

    def __call__(self, request: WriteRequest) -> Verdict | None:
        if self.trust is not None and request.trust > self.trust:
            return None
        if self.kinds is not None and request.kind not in self.kinds:
            return None
        if self.brains is not None and request.brain_kind not in self.brains:
            return None
        if not self._finds(request):
            return None
        return Verdict(self.effect, f"policy_{self.name}", f"the rule {self.name} of this org's policy says {self.effect.label}")

    def _finds(self, request: WriteRequest) -> bool:
        if self.findings is None and self.score is None:
            return True
        least = request.thresholds.moderate if self.score is None else self.score
        return any(s.score >= least and (self.findings is None or s.code in self.findings) for s in request.signals)


@dataclass(frozen=True, slots=True)
class HoldLowTrust:
    """What a tool, a web page or an import says is no fact about a person until somebody has looked: recalled in the person's own brain it
    would be taken for one. What the person brings along is theirs to judge.
    """

    up_to: Trust

    def __call__(self, request: WriteRequest) -> Verdict | None:
        if request.brain_kind != PERSONAL or request.trust > self.up_to or request.vouched:
            return None
        detail = f"a source of trust {request.trust.label} writes into the brain of a person; a reviewer of the org may release it"
        return Verdict(Effect.HOLD, LOW_TRUST, detail)


@dataclass(frozen=True, slots=True)
class Screening:
    """Compiled. `by_trust` holds for a level and those below it, `by_kind` for a kind of memory; of several the lowest counts.

    `personal_holds`: writes of this trust or less into a person's brain are held; None: they are served.
    """

    thresholds: Thresholds = DEFAULT_THRESHOLDS
    by_trust: Mapping[Trust, Thresholds] = field(default_factory=lambda: MappingProxyType({}))
    by_kind: Mapping[str, Thresholds] = field(default_factory=lambda: MappingProxyType({}))
    review: tuple[ReviewRule, ...] = ()
    personal_holds: Trust | None = PERSONAL_HOLDS

    def thresholds_for(self, trust: Trust, kind: str) -> Thresholds:
        """Less trust never raises them."""
        found = self.thresholds
        for level, lower in self.by_trust.items():
            if trust <= level:
                found = found.strictest(lower)
        return found.strictest(self.by_kind.get(kind, found))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Those of the product and those of the org."""
        personal = () if self.personal_holds is None else (HoldLowTrust(self.personal_holds),)
        return (*RULES, *personal, *self.review)

    def asks_for_brain(self, trust: Trust) -> bool:
        """True when the decision on a write of this trust depends on the kind of its brain."""
        low = self.personal_holds is not None and trust <= self.personal_holds
        return low or any(rule.brains is not None and (rule.trust is None or trust <= rule.trust) for rule in self.review)


@dataclass(frozen=True, slots=True)
class ScreeningDocument:
    """The same as it is set and stored: only what differs from the defaults. Levels, kinds and effects by their labels.

    thresholds: `moderate` and `high`. by_trust, by_kind: label -> the same. review: mappings with `name`, `effect` and the conditions.
    personal_holds: a level, `none`, or None for as by default.
    """

    thresholds: Mapping[str, float] = field(default_factory=dict)
    by_trust: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    by_kind: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    review: tuple[Mapping[str, Any], ...] = ()
    personal_holds: str | None = None

    def check(self) -> None:
        """Raise InvalidInput for what is unknown or out of range."""
        _check_thresholds(self.thresholds, DEFAULT_THRESHOLDS, "screening.thresholds")
        base = _thresholds(self.thresholds, DEFAULT_THRESHOLDS)
        for name, levels, known in (("by_trust", self.by_trust, _LEVELS), ("by_kind", self.by_kind, KINDS)):
            for label, values in levels.items():
                if label not in known:
                    raise InvalidInput(f"{name} names one of " + ", ".join(known), field=f"screening.{name}")
                _check_thresholds(values, base, f"screening.{name}.{label}")
        if len(self.review) > REVIEW_RULES_MAX:
            raise InvalidInput(f"more than {REVIEW_RULES_MAX} rules", field="screening.review")
        names = [rule["name"] for rule in self.review]
        for place, rule in enumerate(self.review):
            _check_rule(rule, f"screening.review[{place}]")
            if names.index(rule["name"]) != place:
                raise InvalidInput("an earlier rule has this name", field=f"screening.review[{place}].name")
        if self.personal_holds not in {None, "none", *_LEVELS}:
            raise InvalidInput("use none, " + ", ".join(_LEVELS), field="trust.personal_brains_hold")

    def compile(self) -> Screening:
        """What a document of an earlier release says and this one does not know is passed over."""
        base = _thresholds(self.thresholds, DEFAULT_THRESHOLDS)
        holds = PERSONAL_HOLDS if self.personal_holds is None else None
        return Screening(
            base,
            MappingProxyType({Trust.parse(label): _thresholds(v, base) for label, v in self.by_trust.items() if label in _LEVELS}),
            MappingProxyType({kind: _thresholds(v, base) for kind, v in self.by_kind.items() if kind in KINDS}),
            tuple(_rule(rule) for rule in self.review),
            Trust.parse(self.personal_holds) if self.personal_holds in _LEVELS else holds,
        )

    def to_json(self) -> tuple[dict[str, object], dict[str, object]]:
        """As it is stored: `screening` and `trust`."""
        values = {"thresholds": dict(self.thresholds), "by_trust": _plain(self.by_trust), "by_kind": _plain(self.by_kind)}
        screening: dict[str, object] = {name: value for name, value in values.items() if value}
        if self.review:
            screening["review"] = [dict(rule) for rule in self.review]
        return screening, ({} if self.personal_holds is None else {"personal_brains_hold": self.personal_holds})

    @classmethod
    def from_json(cls, screening: Mapping[str, Any], trust: Mapping[str, Any]) -> ScreeningDocument:
        """The reverse of `to_json`."""
        return cls(
            screening.get("thresholds", {}),
            screening.get("by_trust", {}),
            screening.get("by_kind", {}),
            tuple(screening.get("review", ())),
            trust.get("personal_brains_hold"),
        )


_LEVELS: Final = tuple(level.label for level in Trust)


def _plain(levels: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    return {label: dict(values) for label, values in levels.items()}


def _thresholds(values: Mapping[str, float], base: Thresholds) -> Thresholds:
    return Thresholds(values.get("moderate", base.moderate), values.get("high", base.high))


def _check_thresholds(values: Mapping[str, float], base: Thresholds, path: str) -> None:
    for name, value in values.items():
        if name not in {"moderate", "high"} or not THRESHOLD_MIN <= value <= THRESHOLD_MAX:
            raise InvalidInput(f"moderate and high must be {THRESHOLD_MIN} to {THRESHOLD_MAX}", field=path)
    found = _thresholds(values, base)
    if found.moderate > found.high:
        raise InvalidInput("moderate must not be above high", field=path)


def _check_rule(rule: Mapping[str, Any], path: str) -> None:
    if not RULE_NAME.fullmatch(rule["name"]):
        raise InvalidInput("a rule is named by 3 to 40 of a-z and _, such as web_procedures", field=f"{path}.name")
    if rule["effect"] not in EFFECTS:
        raise InvalidInput("use " + ", ".join(EFFECTS), field=f"{path}.effect")
    for name, known in (("findings", list(SignalCode)), ("kinds", KINDS), ("brains", BRAIN_KINDS)):
        listed = rule.get(name)
        if listed is not None and (not listed or not set(listed) <= set(known)):
            raise InvalidInput(f"{name} lists some of " + ", ".join(known), field=f"{path}.{name}")
    if rule.get("trust") not in {None, *_LEVELS}:
        raise InvalidInput("use " + ", ".join(_LEVELS), field=f"{path}.trust")
    score = rule.get("score")
    if score is not None and not THRESHOLD_MIN <= score <= 1:
        raise InvalidInput(f"score must be {THRESHOLD_MIN} to 1", field=f"{path}.score")


def _rule(rule: Mapping[str, Any]) -> ReviewRule:
    def listed(name: str) -> frozenset[str] | None:
        found = rule.get(name)
        return None if found is None else frozenset(found)

    return ReviewRule(
        rule["name"],
        Effect[rule["effect"].upper()],
        listed("findings"),
        rule.get("score"),
        Trust.parse(rule["trust"]) if rule.get("trust") in _LEVELS else None,
        listed("kinds"),
        listed("brains"),
    )
