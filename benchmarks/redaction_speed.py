"""How long redaction takes for texts of 20 and 200 words: one process, a pool of processes, and beside embedding the same text."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from benchmarks.harness import percentile
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules
from memdb.config import load_settings
from memdb.providers.embedding.base import Embedder
from memdb.providers.embedding.registry import open_embedder

KEY: Final = b"benchmark key of the redactor..."
RULES: Final = RedactionRules()
WORDS: Final = (20, 200)
TEXTS: Final = 60
WARM_UP: Final = 5
RATIO_BAR: Final = 0.5

_redactors: list[Redactor] = []  # of a pool's process


def texts_of(texts: Sequence[str], words: int) -> list[str]:
    """Cut the words of a data set, in order, into texts of that many words: at most 60, from the start again if it is short."""
    everything = [word for text in texts for word in text.split()]
    if not everything:
        return []
    while len(everything) < words * TEXTS:
        everything += everything
    return [" ".join(everything[n * words : (n + 1) * words]) for n in range(TEXTS)]


async def measure(texts: Sequence[str], processes: int) -> dict[str, float]:
    """Milliseconds per text, and the ratios to embedding. The two are timed in turn, so that a busy machine slows both."""
    redactor, figures = Redactor(), {}
    embedder = await open_embedder(load_settings({}).embedding)
    try:
        for words in WORDS:
            cut = texts_of(texts, words)
            redacting, embedding = await _side_by_side(redactor, embedder, cut)
            name = f"{words}_words"
            figures[f"redact_ms_p50_{name}"] = _ms(statistics.median(redacting))
            figures[f"redact_ms_p95_{name}"] = _ms(percentile(redacting, 0.95))
            figures[f"embed_ms_p50_{name}"] = _ms(statistics.median(embedding))
            figures[f"redact_over_embed_{name}"] = round(sum(redacting) / sum(embedding), 3)
            figures[f"pool_of_{processes}_ms_{name}"] = _ms(_pooled(cut, processes))
    finally:
        await embedder.aclose()
    return figures


async def _side_by_side(redactor: Redactor, embedder: Embedder, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    redacting, embedding = [], []
    for number, text in enumerate([*texts[:WARM_UP], *texts]):
        started = time.perf_counter()
        redactor.redact(text, rules=RULES, key=KEY, field="content")
        between = time.perf_counter()
        await embedder.embed_documents([text])
        ended = time.perf_counter()
        if number >= WARM_UP:
            redacting.append(between - started)
            embedding.append(ended - between)
    return redacting, embedding


def _pooled(texts: Sequence[str], processes: int) -> float:
    """Seconds per text while all processes are busy; their start is not counted."""
    with ProcessPoolExecutor(processes, initializer=_start) as pool:
        list(pool.map(_redact, [texts[0]] * processes * WARM_UP))
        started = time.perf_counter()
        list(pool.map(_redact, texts, chunksize=4))
        return (time.perf_counter() - started) / len(texts)


def _start() -> None:
    _redactors.append(Redactor())


def _redact(text: str) -> int:
    return len(_redactors[0].redact(text, rules=RULES, key=KEY, field="content").redactions)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


def lines(figures: dict[str, float]) -> Iterator[str]:
    """The figures as a table."""
    for name, value in figures.items():
        yield f"{name:>30}  {value:.3f}"
