"""The texts that the screen is trained on and measured with, and which of them belong together."""

from __future__ import annotations

import base64
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.datasets import load
from benchmarks.injection_seeds import sentences
from governance.inspection.folding import fold

SAMPLE_SEED: Final = 20_261_130
TEXT_CHARACTERS_MAX: Final = 4_000  # of one text for training; attacks stand in the first lines
SHARED_MIN: Final = 0.5  # share of the shorter text's triples of words in the longer: then both come from one template
COMMON_MAX: Final = 400  # a triple in more texts than this says nothing about templates

# Most of these are polite requests for ordinary work ("please update the records of …"): who learns them takes every request for an
# attack. They are reported all the same.
NOT_LEARNED: Final = {"inj_asb": None, "inj_bipia": None, "inj_agentdojo": "goal_only"}
HELD_BACK: Final = frozenset({"inj_notinject"})  # false alarms are measured on it
ORDINARY: Final = ("rooms_dev", "pii_br_generated", "secrets_synthetic", "pii_presidio_en", "dedup_sts_en_pt", "ir_faquad_pt", "qmsum")


@dataclass(frozen=True, slots=True)
class Sample:
    """One text of a set. `pair` and `template` name what it shares with others, "" for nothing."""

    id: str
    dataset: str
    text: str
    malicious: bool
    lang: str
    category: str
    pair: str = ""
    template: str = ""

    @property
    def learnable(self) -> bool:
        """Whether its label can be seen in the text."""
        excluded = NOT_LEARNED.get(self.dataset, "")
        return self.dataset not in HELD_BACK and not (self.malicious and excluded in {None, self.category})


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def load_samples(folder: Path) -> list[Sample]:
    """Texts of one folder: labelled records, memories with their languages (all benign), or conversations and observations (all benign)."""
    if (folder / "conversations.jsonl").exists():
        units = ("turns", "observations") if (folder / "observations.jsonl").exists() else ("turns",)
        documents = [(unit, one) for unit in units for one in load(folder, unit).documents]
        return [Sample(one.id, folder.name, one.submission.content, malicious=False, lang="en", category=unit) for unit, one in documents]
    files = sorted(folder.glob("*.jsonl"))
    return [
        Sample(
            row["id"],
            folder.name,
            row["text"],
            malicious=row.get("label", "benign") == "malicious" or row.get("label") == 1,
            lang=row["lang"],
            category=row.get("category") or row.get("kind") or "",
            pair=row.get("pair") or "",
            template=row.get("name") or "",
        )
        for file in files
        for row in rows(file)
    ]


def ordinary_texts(root: Path) -> list[str]:
    """Texts without attacks, for training: sets of other purposes, a part of the large ones, and the sentences written for it."""
    draw = random.Random(SAMPLE_SEED)
    found = [text for name in ORDINARY for text in _sampled(list(_plain(root / name)), 3_000, draw)]
    found += sentences("ordinary_en") * 2 + sentences("ordinary_pt") * 2
    return [text[:TEXT_CHARACTERS_MAX] for text in found]


def attack_texts() -> list[str]:
    """The attacks that were written for training."""
    return sentences("attacks_en") + sentences("attacks_pt")


def _sampled(texts: list[str], most: int, draw: random.Random) -> list[str]:
    unique = list(dict.fromkeys(texts))
    return unique if len(unique) <= most else draw.sample(unique, most)


def _plain(folder: Path) -> Iterator[str]:
    if folder.name == "rooms_dev":
        poisoned = {turn for row in rows(folder / "negatives.jsonl") if row["why"] == "poisoned" for turn in row["evidence"]}
        yield from (row["text"] for row in rows(folder / "turns.jsonl") if row["turn_id"] not in poisoned)
        yield from (row["content"] for row in rows(folder / "memories.jsonl"))
    elif folder.name == "qmsum":
        yield from (turn["text"] for row in rows(folder / "conversations.jsonl") for turn in row["turns"])
    elif folder.name == "dedup_sts_en_pt":
        yield from (row[side] for row in rows(folder / "pairs.jsonl") for side in ("a", "b"))
    elif folder.name == "ir_faquad_pt":
        yield from (row["text"] for name in ("corpus", "queries") for row in rows(folder / f"{name}.jsonl"))
    else:
        for row in rows(folder / "records.jsonl"):
            yield base64.b64decode(row["text_b64"]).decode() if "text_b64" in row else row["text"]


def families(samples: Sequence[Sample]) -> list[int]:
    """Return the family of each sample: texts, pairs, named templates, and texts that share most of their triples of words are one."""
    parents = list(range(len(samples)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    first: dict[tuple[str, str], int] = {}
    triples: list[set[tuple[str, ...]]] = []
    holders: dict[tuple[str, ...], list[int]] = {}
    for at, sample in enumerate(samples):
        words = _normal(sample.text)
        for key in (("text", " ".join(words)[:400]), ("pair", sample.pair), ("template", sample.template)):
            if key[1]:
                parents[root(at)] = root(first.setdefault(key, at))
        triples.append({tuple(words[i : i + 3]) for i in range(max(1, len(words) - 2))})
        for triple in triples[at]:
            holders.setdefault(triple, []).append(at)
    for at, own in enumerate(triples):
        shared = Counter(other for triple in own if len(holders[triple]) <= COMMON_MAX for other in holders[triple] if other < at)
        for other, count in shared.items():
            if count >= SHARED_MIN * min(len(own), len(triples[other])):
                parents[root(at)] = root(other)
    return [root(at) for at in range(len(samples))]


def _normal(text: str) -> list[str]:
    return re.sub(r"\d+", "0", re.sub(r"https?://\S+|\S+@\S+|\W+", " ", fold(text).text)).split()
