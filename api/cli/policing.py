"""What `memdb policy` does with a file before and after it talks to a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from api.cli.output import plain
from api.policy_yaml import BYTES_MAX, PolicyFileInvalid, parse_policy, write_policy
from api.schemas.policy import PolicyRequest
from governance.policy.effective import effective
from governance.policy.sections import SECTIONS
from memdb.errors import ConfigurationError


def read(file: Path) -> tuple[bytes, list[dict[str, object]]]:
    """The content of a file, and what is wrong with it as `line`, `path` and `reason`, in the order of the lines.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(BYTES_MAX + 1)
    except OSError as error:
        raise ConfigurationError(f"{plain(str(file))} cannot be read: {error.strerror or type(error).__name__}") from None
    try:
        parse_policy(content)
    except PolicyFileInvalid as invalid:
        return content, [{"line": each.line, "path": each.path, "reason": each.reason} for each in invalid.problems]
    return content, []


def says_the_same(content: bytes, policy: Mapping[str, Any]) -> bool:
    """True when a file makes the document that a server has."""
    return parse_policy(content).document().to_json() == _request(policy).document().to_json()


def fill(policy: Mapping[str, Any]) -> dict[str, Any]:
    """The policy of a server with everything that it does not name."""
    return {**policy, **effective(_request(policy).document())}


def render(policy: Mapping[str, Any]) -> str:
    """A policy as YAML, with its version as a comment."""
    since = "the defaults" if policy["created_at"] is None else f"set {policy['created_at'][:16].replace('T', ' ')} UTC"
    return write_policy(policy, f"version {policy['version']}, {since}")


def summary(policy: Mapping[str, Any]) -> str:
    """Which sections say something."""
    return ", ".join(name for name in SECTIONS if any(policy[name].values())) or "nothing"


def sentence(found: Mapping[str, Any]) -> str:
    """What a policy would have done otherwise."""
    otherwise = ", ".join(f"{name} {found[name]}" for name in ("held", "flagged", "rejected", "served"))
    said = f"of the last {found['looked_at']} memories, otherwise than by version {found['version']}: {otherwise};"
    said += f" {found['redacted']} more mentions redacted, in {found['memories']} memories"
    return said if found["ids"] is not None else f"{said}; a key with the capability reviewer is shown which"


def _request(policy: Mapping[str, Any]) -> PolicyRequest:
    return PolicyRequest.model_validate({name: policy[name] for name in SECTIONS})
