"""Every route states the access it needs in `api/access.py`; neither side has a line that the other lacks."""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.routing import APIRoute

from tests.architecture.source import Module, Violation, check, modules, parse, terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERBS = {"get", "post", "put", "patch", "delete", "head", "options", "trace", "api_route", "route", "websocket"}
REGISTRARS = {"add_api_route", "add_route", "add_websocket_route", "add_api_websocket_route", "include_router"}


def served(routers: Iterable[object]) -> list[tuple[str, str]]:
    """(method, path) of each route, duplicates kept. A router inside a router is refused: the registry is the one list."""
    found = []
    for router in routers:
        assert isinstance(router, APIRouter), f"ROUTERS holds {type(router).__name__}, not an APIRouter"
        for route in router.routes:
            assert isinstance(route, APIRoute), f"{type(route).__name__} inside a router; put its router into ROUTERS itself"
            found += [(method, route.path) for method in route.methods or ()]
    return found


def unregistered(module: Module) -> Iterator[Violation]:
    """Routes made on the application itself, or routers included past the registry."""
    if module.path.startswith("api/routes/"):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute) and decorator.func.attr in VERBS:
                    yield Violation(module.path, node.lineno, f"{node.name} is a route outside api/routes/")
        if isinstance(node, ast.Call) and terminal(node.func) in REGISTRARS and not _loops_over_registry(module, node):
            yield Violation(module.path, node.lineno, f"{terminal(node.func)} outside the loop over ROUTERS")


def _loops_over_registry(module: Module, call: ast.Call) -> bool:
    loops = [n for n in ast.walk(module.tree) if isinstance(n, ast.For) and terminal(n.iter) == "ROUTERS"]
    return terminal(call.func) == "include_router" and any(call is n for loop in loops for n in ast.walk(loop))


def test_routes_and_access_table_are_equal() -> None:
    routes = served(import_module("api.routes.registry").ROUTERS)
    access = import_module("api.access")
    assert routes, "no route is registered"
    assert not [route for route, times in Counter(routes).items() if times > 1], "a route is registered twice"
    assert set(routes) - set(access.ROUTES) == set(), "routes without a line in api/access.py"
    assert set(access.ROUTES) - set(routes) == set(), "lines of api/access.py without a route"
    assert all(isinstance(needed, access.Access) for needed in access.ROUTES.values())


def test_routes_stand_in_the_registry_alone() -> None:
    check(unregistered, modules("api"))


def test_planted_faults_are_caught() -> None:
    router = APIRouter(prefix="/v1")
    router.add_api_route("/things", lambda: None, methods=["GET", "POST"])
    assert sorted(served([router])) == [("GET", "/v1/things"), ("POST", "/v1/things")]
    assert list(unregistered(parse("@app.get('/x')\ndef f(): ...", "api/app.py")))
    assert list(unregistered(parse("app.include_router(extra)", "api/app.py")))
    assert not list(unregistered(parse("for r in ROUTERS:\n  app.include_router(r)", "api/app.py")))
