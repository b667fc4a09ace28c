"""Bad input gets its status and code, and nothing of it comes back."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.integration.conftest import Org

SECRET = "sk-test-000ana@example.com"
SUBJECT = "00000000-0000-7000-8000-000000000001"


async def post(client: httpx.AsyncClient, org: Org, path: str, body: Any) -> httpx.Response:
    return await client.post(path, headers=org.headers, json=body)


def fields(reply: httpx.Response) -> dict[str, str]:
    return {e["field"]: e["reason"] for e in reply.json()["errors"]}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": SECRET}, "kind"),
        ({"kind": SECRET, "name": "R"}, "kind"),
        ({"kind": "room", "name": 3}, "name"),
        ({"kind": "room", "name": [SECRET]}, "name"),
        ({"kind": "room", "name": ""}, "name"),
        ({"kind": "room", "name": "x" * 201}, "name"),
        ({"kind": "room", "name": "R", "perosn": SECRET}, "perosn"),
        ({"kind": "room", "name": "R", SECRET: 1}, "?"),
        ({"kind": "room", "name": "R", "members": [{"subject_id": SECRET, "role": "reader"}]}, "members[0].subject_id"),
        ({"kind": "room", "name": "R", "members": [{"subject_id": SUBJECT, "role": SECRET}]}, "members[0].role"),
        ({"kind": "room", "name": "R", "members": {"a": SECRET}}, "members"),
        ([SECRET], "body"),
        (SECRET, "body"),
        (None, "body"),
    ],
)
async def test_a_malformed_body_is_422_and_is_not_repeated(client: httpx.AsyncClient, org: Org, body: Any, field: str) -> None:
    reply = await post(client, org, "/v1/brains", body)
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert field in fields(reply)
    for piece in (SECRET, "sk-test", "ana@"):
        assert piece not in reply.text


@pytest.mark.parametrize(
    "content",
    [
        b'{"kind": "room", "name": "sk-test-000',
        b'{"kind": "room", "name": NaN}',
        b'{"kind": "room", "name": "R", "members": [Infinity]}',
        b'{"kind": "room", "name": -Infinity}',
        b"\xff\xfe{}",
        b"sk-test-000",
        b"[" * 100_000,
        b'{"kind": ' + b"9" * 5_000 + b"}",
        b"{} {}",
    ],
)
async def test_a_body_that_is_no_json_is_422(client: httpx.AsyncClient, org: Org, content: bytes) -> None:
    reply = await client.post("/v1/brains", headers={**org.headers, "Content-Type": "application/json"}, content=content)
    assert (reply.status_code, reply.json()["code"]) == (422, "malformed_json")
    assert "sk-test" not in reply.text


@pytest.mark.parametrize("name", ["a\x00b", "\ud800", " ", "\u200b", "…"])
async def test_a_name_that_cannot_be_kept_is_422(client: httpx.AsyncClient, org: Org, name: str) -> None:
    reply = await client.post(
        "/v1/brains",
        headers={**org.headers, "Content-Type": "application/json"},
        content=('{"kind": "room", "name": "' + name.encode("unicode_escape").decode().replace("\\x", "\\u00") + '"}').encode(),
    )
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")


@pytest.mark.parametrize("name", ["Ana", "João 👩‍👩‍👧", "مرحبا", "東京", "กรุงเทพ", "é" * 200, "a' OR '1'='1", "50% _x\\"])
async def test_names_of_every_script_are_kept(client: httpx.AsyncClient, org: Org, name: str) -> None:
    reply = await post(client, org, "/v1/brains", {"kind": "room", "name": name})
    assert reply.status_code == 201
    assert reply.json()["name"] == name


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        ("2030-01-01T00:00:00", "time zone"),
        ("9999-12-31T23:59:59Z", "years"),
        ("9999-12-31T23:59:59-14:00", "years"),
        ("0001-01-01T00:00:00+14:00", "years"),
        ("2030-02-30T00:00:00Z", "exists"),
        ("tomorrow", "RFC 3339"),
        ("1700000000", "RFC 3339"),
        (1_700_000_000, "RFC 3339"),
        (True, "RFC 3339"),
        ("2030-W01-1", "RFC 3339"),
    ],
)
async def test_a_time_without_zone_or_sense_is_422(client: httpx.AsyncClient, org: Org, moment: object, reason: str) -> None:
    body = {"subject_id": str(org.created.subject_id), "writer_label": "x", "max_role": "reader", "trust": "tool", "expires_at": moment}
    reply = await post(client, org, "/v1/admin/keys", body)
    assert reply.status_code == 422
    assert reason in fields(reply)["expires_at"]


async def test_unknown_paths_and_methods(client: httpx.AsyncClient, org: Org) -> None:
    gone = await client.get(f"/v1/{SECRET}", headers=org.headers)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    wrong = await client.put("/v1/brains", headers=org.headers)
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    assert SECRET not in gone.text
    assert (await client.get("/v1/brains/", headers=org.headers)).status_code == 404


@pytest.mark.parametrize("query", ["perosn=x", "kind=nothing", "limit=0", "limit=201", "limit=true", "kind=room&Limit=3"])
async def test_a_mistyped_filter_is_422_and_never_ignored(client: httpx.AsyncClient, org: Org, query: str) -> None:
    reply = await client.get(f"/v1/brains?{query}", headers=org.headers)
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")


async def test_a_cursor_of_another_list_filter_or_org_is_422(client: httpx.AsyncClient, org: Org, other_org: Org) -> None:
    for name in ("A", "B", "C"):
        await post(client, org, "/v1/brains", {"kind": "room", "name": name})
    page = (await client.get("/v1/brains?limit=1", headers=org.headers)).json()
    cursor = page["next_cursor"]
    assert (await client.get(f"/v1/brains?limit=2&cursor={cursor}", headers=org.headers)).status_code == 200
    for path, headers in [
        (f"/v1/brains?kind=room&cursor={cursor}", org.headers),
        (f"/v1/subjects?cursor={cursor}", org.headers),
        (f"/v1/brains?cursor={cursor}", other_org.headers),
        (f"/v1/brains?cursor={cursor[:-4]}", org.headers),
        ("/v1/brains?cursor=%20%20", org.headers),
    ]:
        reply = await client.get(path, headers=headers)
        assert (path, reply.status_code, reply.json()["code"]) == (path, 422, "invalid_cursor")


async def test_pages_neither_repeat_nor_skip(client: httpx.AsyncClient, org: Org) -> None:
    for number in range(7):
        await post(client, org, "/v1/subjects", {"kind": "person", "name": f"Person {number}"})
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/v1/subjects?kind=person&limit=3{cursor}", headers=org.headers)).json()
        seen += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert len(seen) == len(set(seen)) == 8
    assert seen == sorted(seen)


async def test_the_description_has_an_example_for_every_body_and_no_default_422(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    assert "HTTPValidationError" not in schemas
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert "4XX" in operation["responses"]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body and "$ref" in body["schema"]:
                assert schemas[body["schema"]["$ref"].rsplit("/", 1)[1]]["examples"], path
