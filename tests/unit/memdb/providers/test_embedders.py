"""The contract of every embedder, and what each does beyond it."""

from __future__ import annotations

import asyncio
import sys
import time
import types
from collections.abc import AsyncIterator
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest
import structlog
from pydantic import SecretStr

from governance.errors import InvalidInput
from memdb.errors import ConfigurationError, DimensionMismatch, ProviderError, ProviderUnavailable
from memdb.providers.embedding import local
from memdb.providers.embedding.base import EmbeddingSpace, make_space_name
from memdb.providers.embedding.registry import make_embedder, open_embedder
from memdb.providers.embedding.settings import EmbeddingSettings
from memdb.providers.embedding.vectors import average, require_unit_rows
from tests.unit.memdb.providers.scripted_server import ScriptedServer

if TYPE_CHECKING:
    from memdb.providers.embedding.base import Embedder

TEXTS = ["Ana is allergic to peanuts", "Reunião com João em São Paulo", "他喜欢在上海喝乌龙茶", "!!!", "🎉 party", "a\x00b\ud800", "x" * 3_000,
         "Ana is allergic to peanuts"]  # fmt: skip


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as scripted:
        yield scripted


def _remote(server: ScriptedServer, **changes: object) -> EmbeddingSettings:
    values: dict[str, object] = {
        "provider": "openai-compatible",
        "model": "tiny",
        "base_url": server.base_url,
        "timeout_s": 0.5,
        "retries": 1,
    }
    return EmbeddingSettings(**(values | changes))  # type: ignore[arg-type]  # a test table of keyword arguments


@pytest.fixture(params=["local", "hashing", "openai-compatible"])
async def embedder(request: pytest.FixtureRequest, server: ScriptedServer) -> AsyncIterator[Embedder]:
    settings = _remote(server) if request.param == "openai-compatible" else EmbeddingSettings(provider=request.param)
    built = await open_embedder(settings)
    yield built
    await built.aclose()


async def test_vectors_are_unit_finite_float32_and_in_order(embedder: Embedder) -> None:
    for embed in (embedder.embed_documents, embedder.embed_queries):
        embedded = await embed(TEXTS)
        assert len(embedded) == len(TEXTS)
        for each in embedded:
            assert each.vector.dtype == np.float32
            assert each.vector.shape == (embedder.space.dimension,)
            assert abs(float(np.linalg.norm(each.vector)) - 1) < 1e-5
        np.testing.assert_allclose(embedded[0].vector, embedded[-1].vector, atol=1e-5)
        assert float(embedded[0].vector @ embedded[2].vector) < 0.99


async def test_a_batch_equals_single_calls(embedder: Embedder) -> None:
    texts = [f"{text} {number}" for number in range(embedder.max_batch // 4) for text in TEXTS[:5]]
    together = await embedder.embed_documents(texts)
    for place in (0, 1, len(texts) // 2, len(texts) - 1):
        alone = (await embedder.embed_documents([texts[place]]))[0]
        np.testing.assert_allclose(together[place].vector, alone.vector, atol=1e-5)


async def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert await embedder.embed_documents([]) == []
    assert await embedder.embed_queries([]) == []


async def test_code_points_do_not_change_the_vector(embedder: Embedder) -> None:
    one, other = await embedder.embed_documents(["café ＡＢＣ", "cafe\u0301 ABC"])
    np.testing.assert_allclose(one.vector, other.vector, atol=1e-5)


async def test_blank_text_is_refused(embedder: Embedder) -> None:
    with pytest.raises(InvalidInput):
        await embedder.embed_documents(["good", " \u200b"])


async def test_what_is_too_long_is_embedded_and_says_so(embedder: Embedder) -> None:
    long = "Nothing much happened here today. " * (embedder.max_tokens // 3)
    embedded = await embedder.embed_documents([long, "short"])
    assert [each.truncated for each in embedded] == [True, False]
    assert (await embedder.embed_queries([long]))[0].truncated


async def test_concurrent_calls_do_not_mix(embedder: Embedder) -> None:
    texts = [f"note number {number}" for number in range(12)]
    expected = await embedder.embed_documents(texts)
    answers = await asyncio.gather(*(embedder.embed_documents([text]) for text in texts))
    for want, got in zip(expected, answers, strict=True):
        np.testing.assert_allclose(want.vector, got[0].vector, atol=1e-5)


async def test_the_local_model_knows_meaning_across_languages() -> None:
    embedder = await open_embedder(EmbeddingSettings())
    query = (await embedder.embed_queries(["Where does Ana live?"]))[0].vector
    near, far = await embedder.embed_documents(["Ana mora em Lisboa", "O servidor usa Postgres 16"])
    assert float(query @ near.vector) > float(query @ far.vector) + 0.1
    await embedder.aclose()


async def test_the_end_of_long_texts_counts_for_the_local_model() -> None:
    embedder = await open_embedder(EmbeddingSettings())
    noise = "The weather was mild and nothing happened at all in the town today. " * 60
    query = (await embedder.embed_queries([noise * 10 + "What is the password of the garden gate?"]))[0]
    fact, other = await embedder.embed_documents(["The password of the garden gate is rosebud.", "Bruno sold his car to Peter."])
    assert query.truncated
    assert float(query.vector @ fact.vector) > float(query.vector @ other.vector) + 0.2
    question = (await embedder.embed_queries(["What is the password of the garden gate?"]))[0]
    with_fact, without = await embedder.embed_documents([noise + "The password of the garden gate is rosebud.", noise])
    assert float(question.vector @ with_fact.vector) > float(question.vector @ without.vector)
    await embedder.aclose()


async def test_the_local_model_leaves_the_event_loop_free_and_memory_small() -> None:
    embedder = await open_embedder(EmbeddingSettings())
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(0.005)
            longest = max(longest, time.perf_counter() - begin)

    ticking = asyncio.create_task(tick())
    await embedder.embed_documents(["A sentence of some words about a person who likes tea and runs every day. " * 15] * 64)
    ticking.cancel()
    assert longest < 0.5
    assert psutil.Process().memory_info().rss < 1 << 30
    await embedder.aclose()


async def test_two_local_embedders_share_their_weights() -> None:
    one, other = await open_embedder(EmbeddingSettings()), await open_embedder(EmbeddingSettings())
    weights = local._weights
    await asyncio.gather(one.embed_documents(["a b"]), other.embed_documents(["a b"]))
    assert local._weights is weights
    await one.aclose()
    assert len(await other.embed_documents(["still here"])) == 1
    with pytest.raises(ProviderUnavailable):
        await one.embed_documents(["closed"])
    await other.aclose()


def test_hashing_announces_itself() -> None:
    with structlog.testing.capture_logs() as logs:
        make_embedder(EmbeddingSettings(provider="hashing", dimension=64))
    assert [(entry["event"], entry["log_level"]) for entry in logs] == [("embedder_without_model", "warning")]


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        ("wrong dimension", DimensionMismatch),
        ("nan", ProviderError),
        ("infinite", ProviderError),
        ("zero", ProviderError),
        ("one short", ProviderError),
        ("no data", ProviderError),
        ("odd", ProviderError),
        ("html", ProviderError),
        ("400", ProviderError),
        ("401", ProviderError),
        ("404", ProviderError),
        ("redirect", ProviderError),
        ("429", ProviderUnavailable),
        ("500", ProviderUnavailable),
        ("503", ProviderUnavailable),
        ("slow", ProviderUnavailable),
        ("dropped", ProviderUnavailable),
    ],
)
async def test_a_bad_answer_is_an_error_and_no_vector(server: ScriptedServer, behaviour: str, error: type[ProviderError]) -> None:
    embedder = await open_embedder(_remote(server))
    server.behaviour = behaviour
    begin = time.perf_counter()
    with pytest.raises(ProviderError) as raised:
        await embedder.embed_documents(["secret words", "more words"])
    assert type(raised.value) is error
    assert "secret" not in raised.value.message
    assert time.perf_counter() - begin < 4
    server.behaviour = "good"
    assert len(await embedder.embed_documents(["words"])) == 1, "a failure is not remembered"
    await embedder.aclose()


async def test_a_short_failure_is_retried(server: ScriptedServer) -> None:
    embedder = await open_embedder(_remote(server, retries=2, timeout_s=5.0))
    server.failures_left = 2
    assert len(await embedder.embed_documents(["words"])) == 1
    assert len(server.requests) == 4
    await embedder.aclose()


async def test_the_dimension_is_asked_for_at_start(server: ScriptedServer) -> None:
    embedder = make_embedder(_remote(server))
    assert server.requests == []
    with pytest.raises(ConfigurationError, match="not known"):
        _ = embedder.space
    await embedder.warm()
    await embedder.warm()
    assert embedder.space.dimension == 16
    assert len(server.requests) == 1
    assert "dimensions" not in server.requests[0]
    assert server.requests[0]["encoding_format"] == "float"
    await embedder.aclose()


async def test_a_model_that_can_be_cut_is_cut_to_the_configured_dimension(server: ScriptedServer) -> None:
    server.can_cut = True
    embedder = await open_embedder(_remote(server, dimension=8))
    assert embedder.space.dimension == 8
    assert (await embedder.embed_documents(["words"]))[0].vector.shape == (8,)
    await embedder.aclose()


async def test_a_model_that_cannot_be_cut_is_refused_at_start(server: ScriptedServer) -> None:
    with pytest.raises(DimensionMismatch, match="16"):
        await open_embedder(_remote(server, dimension=8))


async def test_a_dimension_beyond_the_index_is_refused_before_any_change(server: ScriptedServer) -> None:
    server.dimension = 4_096
    with pytest.raises(ConfigurationError, match="4000"):
        await open_embedder(_remote(server))
    server.requests.clear()
    with pytest.raises(ConfigurationError, match="4000"):
        make_embedder(_remote(server, dimension=4_001))
    assert server.requests == []
    server.dimension = 3_072
    embedder = await open_embedder(_remote(server))
    assert embedder.space.dimension == 3_072
    await embedder.aclose()


async def test_a_provider_that_is_down_stops_the_start_only_without_a_dimension(server: ScriptedServer) -> None:
    server.behaviour = "503"
    with pytest.raises(ProviderUnavailable):
        await open_embedder(_remote(server))
    embedder = await open_embedder(_remote(server, dimension=16))
    assert embedder.space.dimension == 16
    with pytest.raises(ProviderUnavailable):
        await embedder.embed_documents(["words"])
    server.behaviour = "good"
    assert len(await embedder.embed_documents(["words"])) == 1
    await embedder.aclose()


async def test_only_the_configured_key_is_sent(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    without = await open_embedder(_remote(server))
    with_key = await open_embedder(_remote(server, api_key=SecretStr("sk-mine")))
    assert "authorization" not in server.headers[0]
    assert server.headers[-1]["authorization"] == "Bearer sk-mine"
    assert "from-the-environment" not in str(server.headers)
    assert "sk-mine" not in repr(_remote(server, api_key=SecretStr("sk-mine")))
    await without.aclose()
    await with_key.aclose()


async def test_lists_are_split_by_texts_and_by_tokens(server: ScriptedServer) -> None:
    embedder = await open_embedder(_remote(server, timeout_s=10.0))
    server.requests.clear()
    await embedder.embed_documents(["word"] * (embedder.max_batch + 1))
    assert [len(request["input"]) for request in server.requests] == [embedder.max_batch, 1]
    server.requests.clear()
    await embedder.embed_documents([" ".join(["word"] * 8_000)] * 30)
    assert max(len(request["input"]) for request in server.requests) <= 25
    await embedder.aclose()


@pytest.mark.parametrize(
    "settings",
    [
        EmbeddingSettings(provider="nope"),
        EmbeddingSettings(provider="openai-compatible", model="", base_url="http://x"),
        EmbeddingSettings(provider="openai-compatible", model="m"),
        EmbeddingSettings(provider="openai-compatible", model="m", base_url="ftp://x"),
        EmbeddingSettings(provider="openai-compatible", base_url="http://x"),
        EmbeddingSettings(provider="sentence-transformers"),
        EmbeddingSettings(provider="local", dimension=768),
        EmbeddingSettings(provider="local", model="other"),
        EmbeddingSettings(provider="hashing", dimension=32),
        EmbeddingSettings(timeout_s=0),
        EmbeddingSettings(dimension=0),
    ],
)
def test_settings_that_cannot_work_are_refused_at_start(settings: EmbeddingSettings) -> None:
    with pytest.raises(ConfigurationError):
        make_embedder(settings)


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match="pip install"):
        make_embedder(EmbeddingSettings(provider="sentence-transformers", model="m"))


class _StubTransformer:
    """Stands in for the optional library: three dimensions, a prompt for questions alone."""

    prompts = MappingProxyType({"query": "query: "})

    def __init__(self, model: str) -> None:
        if model == "missing":
            raise OSError(model)
        self.calls: list[tuple[list[str], str | None]] = []

    def get_sentence_embedding_dimension(self) -> int:
        return 3

    def encode(self, texts: list[str], *, prompt_name: str | None, show_progress_bar: bool) -> np.ndarray:
        return np.array([[1.0 + len(text), 2.0 if prompt_name else 0.0, 1.0] for text in texts])


async def test_sentence_transformers_uses_the_prompts_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", types.SimpleNamespace(SentenceTransformer=_StubTransformer))
    embedder = await open_embedder(EmbeddingSettings(provider="sentence-transformers", model="org/tiny"))
    assert embedder.space.dimension == 3
    document, question = (await embedder.embed_documents(["abc"]))[0], (await embedder.embed_queries(["abc"]))[0]
    assert document.vector[1] == 0
    assert question.vector[1] > 0
    await embedder.aclose()
    for wrong in (EmbeddingSettings("sentence-transformers", "missing"), EmbeddingSettings("sentence-transformers", "m", dimension=4)):
        with pytest.raises(ConfigurationError):
            make_embedder(wrong)


def test_spaces_differ_when_anything_that_changes_vectors_does() -> None:
    names = {
        make_space_name(*parts)
        for parts in [("p", "m", 3, "1"), ("q", "m", 3, "1"), ("p", "n", 3, "1"), ("p", "m", 4, "1"), ("p", "m", 3, "2")]
    }
    assert len(names) == 5
    longest = make_space_name("p", "org/A very-long.model_name:latest" * 9, 4000, "1")
    assert len(f"memory_vectors_{longest}_embedding_idx") <= 63
    EmbeddingSpace(longest, "p", "m", 4000, "1")


@pytest.mark.parametrize(("name", "dimension"), [("bad-name", 3), ("x; drop", 3), ("", 3), ("a" * 41, 3), ("ok", 4001), ("ok", 0)])
def test_a_space_that_does_not_fit_is_refused(name: str, dimension: int) -> None:
    with pytest.raises(ConfigurationError):
        EmbeddingSpace(name, "p", "m", dimension, "1")


def test_rows_are_scaled_and_pieces_that_cancel_are_refused() -> None:
    rows = require_unit_rows(np.array([[3.0, 4.0], [1e-30, 0.0]], dtype=np.float32), 2, 2)
    np.testing.assert_allclose(rows, [[0.6, 0.8], [1.0, 0.0]], atol=1e-6)
    np.testing.assert_allclose(average(np.eye(2, dtype=np.float32), [3, 1]), np.array([3, 1]) / np.sqrt(10), atol=1e-6)
    with pytest.raises(ProviderError, match="zeros"):
        average(np.array([[1.0, 0.0], [-1.0, 0.0]], dtype=np.float32), [1, 1])
    with pytest.raises(ProviderError, match="vectors for"):
        require_unit_rows(np.zeros(3, dtype=np.float32), 1, 3)
