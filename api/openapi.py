"""The description of the API: what FastAPI derives, with our errors and credentials in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

from api.access import ROUTES, Door
from api.auth import ACT_AS_HEADER
from api.schemas.base import Body, Reply
from api.schemas.problems import ProblemReply

if TYPE_CHECKING:
    from fastapi import FastAPI
    from pydantic import BaseModel

_REF = "#/components/schemas/{model}"
_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "memdb_<org>_<key id>_<secret>"},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
_ACT_AS = {
    "name": ACT_AS_HEADER,
    "in": "header",
    "required": False,
    "description": "Subject that the request is made for: its id, or platform:external id. The key must list it, or a brain of it.",
    "schema": {"type": "string"},
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an application."""
    schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    schemas = schema.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    _restore_examples(schemas)
    problem = ProblemReply.model_json_schema(ref_template=_REF)
    schemas.update(problem.pop("$defs", {}))
    schemas["ProblemReply"] = problem
    schema["components"]["securitySchemes"] = _SCHEMES
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            _complete(operation, ROUTES[method.upper(), path].door)
    return schema


def _restore_examples(schemas: dict[str, Any]) -> None:
    """FastAPI leaves null out of the document, also inside examples, where it is a value that readers need to see."""
    waiting: list[type[BaseModel]] = [Body, Reply]
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        extra = model.model_config.get("json_schema_extra")
        if model.__name__ in schemas and isinstance(extra, dict) and "examples" in extra:
            schemas[model.__name__]["examples"] = extra["examples"]


def _complete(operation: dict[str, Any], door: Door) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    content = {"application/problem+json": {"schema": {"$ref": _REF.format(model="ProblemReply")}}}
    responses["4XX"] = {"description": "Refused; the code says why", "content": content}
    responses["5XX"] = {"description": "Failed; the code says whether to try again", "content": content}
    if door is not Door.PUBLIC:
        operation["security"] = [{"bearer": []}, {"key": []}]
        operation.setdefault("parameters", []).append(_ACT_AS)
