"""Body of the route on what is learned from conversations."""

from __future__ import annotations

from pydantic import ConfigDict

from api.schemas.base import Moment, Reply
from api.schemas.jobs import LearnedKind
from memdb.sessions.learning import Learning, Origin


class LearningOut(Reply):
    """Which kinds are learned from turns, and where that comes from.

    `policy_version`: the newest version, 0 when none was set. `waiting`: extractions of the org that wait, by kind. `in_force`: no worker
    has a kind in hand that is off. `worker_alive`: without a worker nothing is cut when it is due, and nothing is read.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "enabled": ["semantic", "episodic"],
                    "origin": "policy",
                    "policy_version": 3,
                    "policy_set_at": "2026-01-31T09:30:00Z",
                    "waiting": {"semantic": 2},
                    "in_force": True,
                    "worker_alive": True,
                }
            ]
        }
    )

    enabled: list[LearnedKind]
    origin: Origin
    policy_version: int
    policy_set_at: Moment | None
    waiting: dict[LearnedKind, int]
    in_force: bool
    worker_alive: bool

    @classmethod
    def of(cls, learning: Learning) -> LearningOut:
        return cls(
            enabled=[LearnedKind(kind.value) for kind in learning.enabled],
            origin=learning.origin,
            policy_version=learning.policy.version,
            policy_set_at=learning.policy.created_at,
            waiting={LearnedKind(kind.value): count for kind, count in learning.waiting.items()},
            in_force=learning.in_force,
            worker_alive=learning.worker_alive,
        )
