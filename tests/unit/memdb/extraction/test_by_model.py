"""A language model reads: what of its answers is understood, and every way in which it and its server may fail."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memdb.errors import ConfigurationError, ProviderError, ProviderUnavailable
from memdb.extraction.answers import ANSWERS, schema_of
from memdb.extraction.asking import prompt_of
from memdb.extraction.by_model import ByModel
from memdb.models.memory import Kind
from memdb.providers.chat.registry import make_chat
from memdb.providers.chat.settings import ChatSettings
from tests.support.scripted_model import BROKEN_OFF, DROPPED, HUGE, NOTHING, Answer, ScriptedModel, completion, refusal
from tests.unit.memdb.extraction.reading import FACT, GOOD, PEANUTS, contents, fact, read, reply
from tests.unit.memdb.extraction.talk import ANA, BRUNO, said, talk


@pytest.fixture
async def server() -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel() as scripted:
        yield scripted


async def test_what_a_model_says_becomes_a_candidate(server: ScriptedModel) -> None:
    server.otherwise = completion(GOOD, tokens=(1_000, 50))
    found = await read(server, price_in=2.0, price_out=10.0)
    (one,) = found.candidates
    assert (one.content, one.about, one.said_by, one.attribute, one.value) == (
        "Ana is allergic to peanuts.",
        (ANA,),
        ANA,
        "allergy",
        "peanuts",
    )
    assert (one.evidence, one.quote, one.rule) == ((1,), "allergic to peanuts", "tiny/semantic.1")
    assert (found.extractor, found.tokens_in, found.tokens_out, found.cost_micros) == ("tiny/semantic.1", 1_000, 50, 2_500)
    request = server.requests[0]
    assert request["model"] == "tiny"
    assert request["response_format"]["json_schema"]["schema"] == schema_of(ANSWERS[Kind.SEMANTIC])


async def test_tokens_are_counted_where_the_server_does_not_say(server: ScriptedModel) -> None:
    server.otherwise = completion(GOOD, tokens=None)
    found = await read(server)
    assert found.tokens_in > 500
    assert 20 < found.tokens_out < 200


async def test_every_kind_has_a_prompt_a_schema_and_candidates(server: ScriptedModel) -> None:
    items: dict[Kind, dict[str, Any]] = {
        Kind.SEMANTIC: FACT,
        Kind.EPISODIC: {"content": "Ana saw Bruno on 2024-02-27.", "about": [1], "participants": [1, 2], "valid_from": "2024-02-27"},
        Kind.PROCEDURAL: {"name": "to boot it", "use_when": None, "steps": ["plug it in.", "press the button"]},
        Kind.TAXONOMIC: {"term": "P0", "definition": "nobody can log in", "aliases": ["sev one"]},
    }
    expected: dict[Kind, tuple[str, object]] = {
        Kind.SEMANTIC: ("Ana is allergic to peanuts.", {}),
        Kind.EPISODIC: ("Ana saw Bruno on 2024-02-27.", {"participants": [str(ANA), str(BRUNO)]}),
        Kind.PROCEDURAL: (
            "To boot it: plug it in; press the button.",
            {"name": "to boot it", "steps": ["plug it in.", "press the button"]},
        ),
        Kind.TAXONOMIC: ("P0: nobody can log in.", {"term": "P0", "definition": "nobody can log in", "aliases": ["sev one"]}),
    }
    assert set(ANSWERS) == set(items)
    for kind, item in items.items():
        assert "SAFETY" in prompt_of("turns", kind.value)
        server.otherwise = reply({"evidence": [1], "quote": "peanuts", **item})
        found = await read(server, talk((ANA, PEANUTS), (BRUNO, "Noted.")), kind)
        (one,) = found.candidates
        assert (one.kind, one.content, dict(one.data)) == (kind, *expected[kind])
        assert found.extractor == f"tiny/{kind.value}.1"


def test_schemas_are_strict() -> None:
    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert set(node["required"]) == set(node["properties"])
            for one in node.values():
                walk(one)
        elif isinstance(node, list):
            for one in node:
                walk(one)

    for kind in ANSWERS:
        walk(dict(schema_of(ANSWERS[kind])))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Sure! ```json\n{GOOD}\n``` hope it helps",
        f"```json\n{GOOD}\n```",
        f"Here it is: {GOOD} - anything else?",
        f"<think>allergic {{so}} {{}}</think>{GOOD}",
        f"still thinking</think>\n{GOOD}",
        f"[{json.dumps(FACT)}]",
        reply(FACT, {"content": "no evidence", "quote": "x"}, "one string", None, fact(content=5), fact(single="yes")),
        reply(fact(evidence="1", about=1), fact(content="Ana is vegan.", ends="x")),
        f'{{"items": [{json.dumps(FACT)}, {{"content": "a", "content": "b", "about": [1], "evidence": [1], "quote": "peanuts"}}]}}',
        f'{{"items": [{json.dumps(FACT)}], "items": [{json.dumps(FACT)}]}}',
        reply(FACT, FACT),
        reply(fact(note="more than was asked for")),
    ],
)
async def test_what_can_be_understood_is(server: ScriptedModel, text: str) -> None:
    server.script.append(text)
    found = await read(server)
    assert contents(found) == ["Ana is allergic to peanuts."]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "null",
        "42",
        '"text"',
        "{'facts':['a']}",
        GOOD[: len(GOOD) * 6 // 10],
        f"{GOOD}{GOOD}",
        f"{GOOD} or rather {NOTHING}",
        '{"facts": "one string"}',
        '{"items": "one string"}',
        '{"items": [{"about": [1]}]}',
        reply(fact(content=5)),
        reply(*[FACT] * 201),
        GOOD.replace('"peanuts",', '"peanuts",,'),
        GOOD[:-1] + ",}",
        f'{{"items": [{json.dumps(FACT)}], "items": []}}',
        '{"items": [NaN]}',
        "[" * 100_000,
        "{" * 100_000,
        '{"a":' * 50_000,
    ],
    ids=lambda text: text[:20],
)
async def test_what_cannot_be_is_asked_for_once_more_then_given_up(server: ScriptedModel, text: str) -> None:
    server.script.extend([text, GOOD])
    found = await read(server)
    assert contents(found) == ["Ana is allergic to peanuts."]
    assert (found.tokens_in, found.tokens_out) == (200, 20), "both answers were paid for"
    again = server.requests[1]["messages"]
    assert [one["role"] for one in again] == ["system", "user", "assistant", "user"]
    assert again[:2] == server.requests[0]["messages"]
    assert "peanuts" not in again[3]["content"], "paths, never values"

    server.script.extend([text, text])
    begin = time.perf_counter()
    with pytest.raises(ProviderError) as raised:
        await read(server)
    assert type(raised.value) is ProviderError
    assert raised.value.facts == {"tokens_in": 200, "tokens_out": 20, "cost_micros": 0}
    assert "peanuts" not in raised.value.message
    assert time.perf_counter() - begin < 4
    assert len(server.requests) == 4


async def test_an_empty_list_is_an_answer(server: ScriptedModel) -> None:
    for text in (NOTHING, "[]", "```json\n[]\n```"):
        server.otherwise = text
        assert contents(await read(server)) == []
    assert len(server.requests) == 3


# ------------------------------------------------------------------------------------------------------------ the server
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (HUGE, ProviderError),
        (Answer(b"<html>"), ProviderError),
        (Answer(b"{}"), ProviderError),
        (Answer(b'{"choices": []}'), ProviderError),
        (Answer(b'{"choices": [{"message": "peanuts hunter2"}]}'), ProviderError),
        (refusal(307, "location: http://127.0.0.1:9/elsewhere"), ProviderError),
        (refusal(400), ProviderError),
        (refusal(401), ProviderError),
        (refusal(404), ProviderError),
        (refusal(429), ProviderUnavailable),
        (refusal(429, "retry-after: 100000"), ProviderUnavailable),
        (refusal(408), ProviderUnavailable),
        (refusal(500), ProviderUnavailable),
        (refusal(503), ProviderUnavailable),
        (DROPPED, ProviderUnavailable),
        (BROKEN_OFF, ProviderUnavailable),
        (completion(GOOD, wait_s=5), ProviderUnavailable),
    ],
)
async def test_a_failure_has_the_right_error_and_tells_nothing(server: ScriptedModel, answer: Answer, error: type[ProviderError]) -> None:
    server.otherwise = answer
    begin = time.perf_counter()
    with pytest.raises(ProviderError) as raised:
        await read(server, timeout_s=0.4)
    assert type(raised.value) is error
    assert time.perf_counter() - begin < 4
    assert not {"peanuts", "hunter2"} & set(raised.value.message.split())
    server.otherwise = GOOD
    assert contents(await read(server)) == ["Ana is allergic to peanuts."], "a failure is not remembered"


@pytest.mark.parametrize(
    "answer", [refusal(429), refusal(429, "retry-after-ms: 300"), refusal(503), DROPPED], ids=["429", "after", "503", "drop"]
)
async def test_a_short_failure_is_tried_again_within_the_call(server: ScriptedModel, answer: Answer) -> None:
    server.script.append(answer)
    server.otherwise = GOOD
    begin = time.perf_counter()
    assert contents(await read(server, retries=1)) == ["Ana is allergic to peanuts."]
    assert len(server.requests) == 2
    assert time.perf_counter() - begin > (0.29 if answer.headers else 0)


async def test_a_pause_that_is_asked_for_is_bounded(server: ScriptedModel) -> None:
    server.otherwise = refusal(429, "retry-after: 60")
    begin = time.perf_counter()
    with pytest.raises(ProviderUnavailable):
        await read(server, retries=1, timeout_s=0.3)
    assert time.perf_counter() - begin < 2


async def test_the_second_question_may_fail_as_well(server: ScriptedModel) -> None:
    server.script.extend(["no JSON", refusal(503)])
    with pytest.raises(ProviderUnavailable) as raised:
        await read(server)
    assert raised.value.facts == {"tokens_in": 100, "tokens_out": 10, "cost_micros": 0}


async def test_a_server_without_schemas_is_asked_for_json_then_for_text_and_that_is_remembered(server: ScriptedModel) -> None:
    server.otherwise = GOOD
    for refused, tries, left in (
        (lambda body: "temperature" in body, 2, {"json_schema"}),
        (lambda body: body.get("response_format", {}).get("type") == "json_schema", 3, {"json_object"}),
        (lambda body: "response_format" in body, 4, {None}),
    ):
        server.requests.clear()
        server.refused = refused
        learner = ByModel(server.make())
        for _ in range(2):
            assert contents(await learner.read(Kind.SEMANTIC, said(PEANUTS))) == ["Ana is allergic to peanuts."]
        await learner.aclose()
        assert len(server.requests) == tries + 1
        assert {body.get("response_format", {}).get("type") for body in server.requests[tries:]} == left


async def test_only_the_configured_key_is_sent(server: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "sk-somebody-elses")
    await read(server)
    assert "somebody-elses" not in server.headers[0]
    assert "authorization" not in server.headers[0].lower()


@pytest.mark.parametrize("settings", [ChatSettings(), ChatSettings(model="m"), ChatSettings(model=" ", base_url="http://x"), ChatSettings(model="m", base_url="ftp://x")])  # fmt: skip
def test_settings_that_cannot_work_are_refused(settings: ChatSettings) -> None:
    with pytest.raises(ConfigurationError):
        make_chat(settings)
