"""Bad input through every door of the write and the read path: its documented status and code, and the next request works."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.support.product import Caller, Product

SPOKEN = {
    "right to left": "שלום עולם, مرحبا بالعالم",
    "embedding marks": "\u202egnirts\u202c \u2066mixed\u2069",
    "emoji": "👩‍👩‍👧 🏳️‍🌈 👍🏽",
    "emoji of an unknown version": "\U0001fadd\U0001faff",
    "chinese": "他喜欢在上海喝乌龙茶",
    "japanese": "昨日は東京でラーメンを食べた",
    "thai": "ผู้ใช้ชอบกินข้าวผัด",
    "combining marks": "Z" + "\u0301" * 400 + "algo e\u0301",
    "controls": "a\x07b\x1b[31mc\x85d",
    "private use": "a\ue000b",
    "non-characters": "a\uffffb\U0010ffff",
    "one character": "7",
    "quotes and slashes": "'; DROP TABLE mem.memories; -- \\ \" ` $1 %s {}",
    "markup": "<script>alert(1)</script> {{7*7}} ${7*7}",
    "line breaks": "one\r\ntwo\u2028three\x0bfour",
    "bidi in a name": "Ana\u200f\u200e\u2067 sings",
}
UNSAID = {"empty": "", "blank": " \n\t", "zero width": "\u200b\u200d\ufeff", "ellipsis": "…", "braille blank": "\u2800", "nul": "a\x00b"}


@pytest.mark.parametrize("text", SPOKEN.values(), ids=SPOKEN)
async def test_what_says_something_is_stored_as_it_is_found_and_edited(ana: Caller, text: str) -> None:
    written = await ana.write(text, "episodic", topic=f"t {text[:50]}", tags=[text[:50]], data={"k": text})
    memory = await ana.read(written["id"])
    stored = "".join(c for c in text if c in "\t\n\r" or not (ord(c) < 32 or 127 <= ord(c) < 160))
    assert (memory["content"], memory["data"]) == (stored, {"k": stored})
    assert written["id"] in await ana.found_ids(text)
    assert (await ana.edit(written["id"], content=f"{text} again"))["version"] == 2
    assert (await ana.send("GET", "/v1/memories", expect=200, params={"topic": f"t {text[:50]}".replace("\x00", "")}))["items"]


@pytest.mark.parametrize("text", UNSAID.values(), ids=UNSAID)
async def test_what_says_nothing_is_refused_by_every_door(ana: Caller, text: str) -> None:
    kept = await ana.write("tea at noon")
    problems = [
        await ana.write(text, "episodic", expect=422),
        await ana.edit(kept["id"], content=text, expect=422),
        await ana.search(text, expect=422),
        (await ana.write_batch([{"content": text, "kind": "episodic"}]))["results"][0]["error"],
    ]
    assert {p["code"] for p in problems} == {"invalid_input"}
    assert await ana.list_ids() == [kept["id"]]


ESCAPED = r'"\ud800"'


@pytest.mark.parametrize("value", [ESCAPED, r'"a\udc00b"', r'"\ud83d"', r'"a\u0000b"'])
@pytest.mark.parametrize(
    ("method", "path", "template"),
    [
        ("POST", "/v1/memories", '{"content": %s, "kind": "episodic"}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", "tags": [%s]}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", "topic": %s}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", "data": {"k": %s}}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", "data": {%s: 1}}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", "source": {"text": %s}}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", "source": {"episode": {"external_id": %s}}}'),
        ("POST", "/v1/memories", '{"content": "tea", "kind": "episodic", %s: 1}'),
        ("PATCH", "/v1/memories/{id}", '{"content": %s}'),
        ("PATCH", "/v1/memories/{id}", '{"data": {"k": [%s]}}'),
        ("POST", "/v1/memories/search", '{"query": %s}'),
        ("POST", "/v1/memories/search", '{"query": "tea", "data": {"k": %s}}'),
        ("POST", "/v1/memories/search", '{"query": "tea", "data": {%s: "k"}}'),
        ("POST", "/v1/memories/search", '{"query": "tea", "tags": [%s]}'),
        ("POST", "/v1/memories/search", '{"query": "tea", "topic": %s}'),
        ("POST", "/v1/memories/search", '{"query": "tea", "purpose": %s}'),
    ],
)
async def test_half_a_character_or_a_nul_is_refused_in_every_place(ana: Caller, method: str, path: str, template: str, value: str) -> None:
    if "{id}" in path:
        path = path.format(id=(await ana.write("tea at noon"))["id"])
    body = (template % value).encode()
    problem = await ana.send(method, path, expect=422, content=body, headers={"Content-Type": "application/json"})
    assert problem["code"] in {"invalid_input", "malformed_json"}
    assert (await ana.search("tea"))["degraded"] == []


async def test_a_bad_line_of_a_batch_stops_no_other(ana: Caller) -> None:
    good = [{"content": f"fact {n}", "kind": "episodic"} for n in range(5)]
    bad = [
        r'{"content": "a\u0000b", "kind": "episodic"}',
        r'{"content": "\ud800", "kind": "episodic"}',
        "{",
        "[]",
        "null",
        '{"kind": "episodic"}',
    ]
    lines = [line for pair in zip(good, bad, strict=False) for line in pair] + [bad[-1]]
    results = (await ana.write_batch(lines))["results"]
    assert [r["index"] for r in results] == list(range(len(lines)))
    assert [r["memory"] is not None for r in results] == [isinstance(line, dict) for line in lines]
    assert len(await ana.list_ids()) == 5


MEBIBYTE = "x" * 2**20
WRITE: dict[str, Any] = {"content": "tea at noon", "kind": "semantic"}
BAD_WRITES: list[tuple[dict[str, Any], int, str]] = [
    ({"content": MEBIBYTE}, 413, "content_too_large"),
    ({"source": {"text": MEBIBYTE}}, 413, "content_too_large"),
    ({"data": {"k": MEBIBYTE}}, 413, "content_too_large"),
    ({"topic": MEBIBYTE}, 422, "invalid_input"),
    ({"tags": [MEBIBYTE]}, 422, "invalid_input"),
    ({"content": None}, 422, "invalid_input"),
    ({"content": 7}, 422, "invalid_input"),
    ({"content": ["tea"]}, 422, "invalid_input"),
    ({"kind": "fact"}, 422, "invalid_input"),
    ({"kind": None}, 422, "invalid_input"),
    ({"perosn": "x"}, 422, "invalid_input"),
    ({"trust": "admin"}, 422, "invalid_input"),
    ({"org_id": "x"}, 422, "invalid_input"),
    ({"brain_id": "x"}, 422, "invalid_input"),
    ({"brain_id": "00000000-0000-0000-0000-000000000000"}, 404, "not_found"),
    ({"about": ["x"]}, 422, "invalid_input"),
    ({"about": ["00000000-0000-0000-0000-000000000000"]}, 422, "invalid_input"),
    ({"said_by": "00000000-0000-0000-0000-000000000000"}, 422, "invalid_input"),
    ({"valid_from": "2026-01-01T00:00:00"}, 422, "invalid_input"),
    ({"valid_from": "2026-01-01"}, 422, "invalid_input"),
    ({"valid_from": 1_767_225_600}, 422, "invalid_input"),
    ({"valid_from": "9999-12-31T23:59:59Z"}, 422, "invalid_input"),
    ({"valid_from": "0001-01-01T00:00:00Z"}, 422, "invalid_input"),
    ({"valid_from": "2026-02-30T00:00:00Z"}, 422, "invalid_input"),
    ({"valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}, 422, "invalid_input"),
    ({"valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-02-01T01:00:00+01:00"}, 422, "invalid_input"),
    ({"ttl_seconds": 60}, 422, "invalid_input"),
    ({"placement": "top"}, 422, "invalid_input"),
    ({"tags": "x"}, 422, "invalid_input"),
    ({"data": []}, 422, "invalid_input"),
    ({"data": {"k": 2**63}}, 422, "invalid_input"),
    ({"data": json.loads("[" * 20 + "]" * 20)}, 422, "invalid_input"),
    ({"data": {"k": json.loads("[" * 20 + "]" * 20)}}, 422, "invalid_input"),
    ({"source": "chat"}, 422, "invalid_input"),
    ({"source": {"kind": "dream"}}, 422, "invalid_input"),
    ({"source": {"said_at": "2026-01-01T00:00:00"}}, 422, "invalid_input"),
    ({"source": {"position": -1}}, 422, "invalid_input"),
    ({"source": {"position": 1.5}}, 422, "invalid_input"),
    ({"source": {"position": 2**40}}, 422, "invalid_input"),
    ({"source": {"episode": {}}}, 422, "invalid_input"),
]


@pytest.mark.parametrize(("change", "status", "code"), BAD_WRITES, ids=lambda value: str(value)[:50])
async def test_a_bad_write_is_refused_as_documented(ana: Caller, change: dict[str, Any], status: int, code: str) -> None:
    problem = await ana.send("POST", "/v1/memories", expect=status, json=WRITE | change)
    assert (problem["status"], problem["code"]) == (status, code)
    assert "xxxx" not in json.dumps(problem)
    batch = await ana.write_batch([WRITE | change, {"content": "milk", "kind": "episodic"}])
    error = batch["results"][0]["error"]
    assert (error["status"], error["code"]) == (status, code)
    assert len(await ana.list_ids()) == 1


BAD_EDITS: list[tuple[dict[str, Any], int, str]] = [
    ({"content": MEBIBYTE}, 413, "content_too_large"),
    ({"kind": "episodic"}, 422, "invalid_input"),
    ({"brain_id": "x"}, 422, "invalid_input"),
    ({"expected_version": "1"}, 422, "invalid_input"),
    ({"expected_version": 2**70, "tags": []}, 409, "version_conflict"),
    ({"expected_version": 0, "tags": []}, 409, "version_conflict"),
    ({"valid_to": "2020-01-01T00:00:00Z"}, 422, "invalid_input"),
    ({"about": ["00000000-0000-0000-0000-000000000000"]}, 422, "invalid_input"),
    ({"tags": [" "]}, 422, "invalid_input"),
]


@pytest.mark.parametrize(("change", "status", "code"), BAD_EDITS, ids=lambda value: str(value)[:50])
async def test_a_bad_edit_is_refused_and_changes_nothing(ana: Caller, change: dict[str, Any], status: int, code: str) -> None:
    receipt = await ana.write("tea at noon", valid_from="2026-01-01T00:00:00Z")
    before = await ana.read(receipt["id"])
    assert (await ana.edit(receipt["id"], expect=status, **change))["code"] == code
    assert await ana.read(receipt["id"]) == before


async def test_a_mebibyte_as_a_question_is_refused(ana: Caller) -> None:
    assert (await ana.search(MEBIBYTE, expect=422))["code"] == "invalid_input"
    assert (await ana.search("tea", purpose=MEBIBYTE, expect=422))["code"] == "invalid_input"
    too_long = await ana.send("POST", "/v1/memories/search", expect=413, content=b'{"query": "' + b"x" * (5 * 2**20) + b'"}')
    assert too_long["code"] == "request_too_large"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"{'content': 'x'}", b'{"content": "my token is sk-test-000"']
)
@pytest.mark.parametrize("path", ["/v1/memories", "/v1/memories/search"])
async def test_what_is_no_json_object_is_refused_without_an_echo(ana: Caller, path: str, body: bytes) -> None:
    problem = await ana.send("POST", path, expect=422, content=body, headers={"Content-Type": "application/json"})
    assert problem["code"] in {"malformed_json", "invalid_input"}
    assert "sk-test" not in json.dumps(problem)


async def test_an_empty_batch_and_one_of_too_many_lines_are_refused(ana: Caller) -> None:
    assert (await ana.write_batch([], expect=422))["code"] == "invalid_input"
    assert (await ana.write_batch(["{}"] * 1_001, expect=413))["code"] == "request_too_large"


async def test_a_wrong_a_revoked_and_a_missing_key_are_not_told_apart(ana: Caller, product: Product) -> None:
    bruno = await ana.make_person("Bruno")
    assert await bruno.list_ids() == []
    revoked = bruno.headers["Authorization"]
    key_id = revoked.split("_")[-2] if revoked.count("_") == 3 else revoked.removeprefix("Bearer memdb_").split("_")[1]
    await ana.send("DELETE", f"/v1/admin/keys/{key_id}", expect=204)
    answers = []
    for header in (
        {"Authorization": revoked},
        {"Authorization": f"{revoked}x"},
        {"Authorization": "Bearer nonsense"},
        {},
        {"X-API-Key": ""},
    ):
        for method, path in (("POST", "/v1/memories"), ("POST", "/v1/memories/search"), ("GET", "/v1/memories")):
            reply: httpx.Response = await ana.client.request(method, path, json=None if method == "GET" else {}, headers=header)
            answers.append((reply.status_code, reply.json()["code"]))
    assert set(answers) == {(401, "unauthenticated")}
    assert await ana.list_ids() == []
