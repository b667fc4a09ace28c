"""The JSON schema of a body that a route reads by hand, with nothing to look up elsewhere."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

_PREFIX = "#/$defs/"


def inlined(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a body whose parts do not contain themselves, each part where it is used."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})

    def resolve(value: Any) -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, list):
            return [resolve(each) for each in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str) and reference.startswith(_PREFIX):
            return resolve(parts[reference.removeprefix(_PREFIX)])
        return {name: resolve(each) for name, each in value.items()}

    resolved: dict[str, Any] = resolve(schema)
    return resolved
