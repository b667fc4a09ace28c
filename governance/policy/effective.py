"""A policy with everything that it does not say: the whole document that would make the same policy. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from governance.policy.document import READS, PolicyDocument
from governance.policy.thresholds import Thresholds

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    from governance.redaction.rules import RedactionRules


def effective(document: PolicyDocument) -> dict[str, Any]:
    """The document, each setting of the org named. What is null is as the server is set; of a brain only what differs from the org."""
    policy, said = document.compile(0), document.to_json()
    memory, screening = policy.memory, policy.screening
    return {
        "redaction": {
            "actions": _actions(policy.redaction.rules),
            "brains": said["redaction"]["brains"],
            "recognizers": said["redaction"].get("recognizers", {}),
        },
        "screening": {
            "thresholds": _thresholds(screening.thresholds),
            "by_trust": {level.label: _thresholds(each) for level, each in screening.by_trust.items()},
            "by_kind": {kind: _thresholds(each) for kind, each in screening.by_kind.items()},
            "review": list(said.get("screening", {}).get("review", ())),
        },
        "trust": {"personal_brains_hold": "none" if screening.personal_holds is None else screening.personal_holds.label},
        "memory": {
            "half_life_days": dict(memory.half_life_days),
            "topic_half_life_days": dict(memory.topic_half_life_days),
            "conflict_window_s": memory.conflict_window_s,
            "front_entries": memory.front_entries,
            "front_characters": memory.front_characters,
            "extraction": {
                "enabled": None if memory.extractions is None else list(memory.extractions),
                "tokens_per_day": memory.tokens_per_day,
            },
        },
        "retention": {
            "recalls_days": 0 if policy.retention.recalls is None else policy.retention.recalls.days,
            "memories_days": _days(policy.retention.memories),
        },
        "legal_hold": {
            "subjects": sorted(str(each) for each in policy.legal_hold.subjects),
            "brains": sorted(str(each) for each in policy.legal_hold.brains),
        },
        "audit": {"reads": READS[0] if policy.reads_audited else READS[1]},
    }


def _actions(rules: RedactionRules) -> dict[str, str]:
    own = {each.entity for each in rules.custom}
    return {str(entity): action.value for entity, action in rules.actions.items() if entity not in own or action is not _of(rules, entity)}


def _of(rules: RedactionRules, entity: str) -> object:
    return next(each.action for each in rules.custom if each.entity == entity)


def _thresholds(thresholds: Thresholds) -> dict[str, float]:
    return {"moderate": thresholds.moderate, "high": thresholds.high}


def _days(times: Mapping[str, timedelta]) -> dict[str, int]:
    return {kind: time.days for kind, time in times.items()}
