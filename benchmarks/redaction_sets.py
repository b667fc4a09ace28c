"""Data set folders as texts with gold spans, and the one table from the names of the data sets to our entity types."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.datasets import load
from governance.redaction.entities import (
    BR_BANK_ACCOUNT,
    BR_BANK_AGENCY,
    BR_CEP,
    BR_CNH,
    BR_CNPJ,
    BR_CNS,
    BR_CPF,
    BR_NIS,
    BR_PIX_KEY,
    BR_PLATE,
    BR_RG,
    BR_TITULO_ELEITOR,
    CREDIT_CARD,
    CRYPTO,
    EMAIL_ADDRESS,
    ENTITIES,
    IBAN_CODE,
    IP_ADDRESS,
    PHONE_NUMBER,
    US_SSN,
)
from governance.redaction.findings import EntityType

SECRETS: Final = frozenset(entity for entity, spec in ENTITIES.items() if spec.secret)
# An account is written with its branch, and what is one number to one set is two to another.
_BANK: Final = frozenset({BR_BANK_AGENCY, BR_BANK_ACCOUNT})

ACCEPTED: Final[Mapping[str, frozenset[EntityType]]] = {
    "CPF": frozenset({BR_CPF}),
    "CNPJ": frozenset({BR_CNPJ}),
    "RG": frozenset({BR_RG}),
    "PIS": frozenset({BR_NIS}),
    "CNH": frozenset({BR_CNH}),
    "CNS": frozenset({BR_CNS}),
    "VOTER_ID": frozenset({BR_TITULO_ELEITOR}),
    "CEP": frozenset({BR_CEP}),
    "LICENSE_PLATE": frozenset({BR_PLATE}),
    "BANK_AGENCY": _BANK,
    "BANK_ACCOUNT": _BANK,
    # A PIX key is a random UUID, or a CPF, CNPJ, phone or e-mail, and then it is found as what it is.
    "PIX_KEY": frozenset({BR_PIX_KEY, BR_CPF, BR_CNPJ, PHONE_NUMBER, EMAIL_ADDRESS}),
    "PHONE_NUMBER": frozenset({PHONE_NUMBER}),
    "EMAIL_ADDRESS": frozenset({EMAIL_ADDRESS}),
    "CREDIT_CARD": frozenset({CREDIT_CARD}),
    "IBAN_CODE": frozenset({IBAN_CODE}),
    "IP_ADDRESS": frozenset({IP_ADDRESS}),
    "US_SSN": frozenset({US_SSN}),
    "CRYPTO": frozenset({CRYPTO}),
}
"""Gold entity to the types that count as finding it. Names that are not here are kept by the default rules, and so in no headline."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold span, in code points, end exclusive; `accepted` is empty where the default rules keep the type."""

    start: int
    end: int
    name: str
    accepted: frozenset[EntityType]


@dataclass(frozen=True, slots=True)
class Record:
    """A text with its gold spans. `hard_negative`: nothing in it is to be found."""

    id: str
    lang: str
    text: str
    gold: tuple[Gold, ...]
    hard_negative: bool = False


def load_records(folder: Path) -> list[Record]:
    """Read a folder by the shape of its files: texts with spans, texts in base64 with one secret, or conversations."""
    if (folder / "conversations.jsonl").exists():
        return [Record(document.id, "en", document.submission.content, ()) for document in load(folder, "turns").documents]
    return list(_records(folder / "records.jsonl"))


def _records(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            yield _secret(row, number) if "text_b64" in row else _personal(row)


def _personal(row: dict[str, Any]) -> Record:
    gold = (Gold(s["start"], s["end"], s["entity"], ACCEPTED.get(s["entity"], frozenset())) for s in row["spans"])
    return Record(row["id"], row["lang"], row["text"], tuple(gold), row.get("kind") == "hard_negative")


def _secret(row: dict[str, Any], number: int) -> Record:
    text = base64.b64decode(row["text_b64"]).decode("utf-8")
    if row["label"] == "benign":
        return Record(row.get("id") or f"benign-{number}", row["lang"], text, (), hard_negative=True)
    start, end = row["span"]
    return Record(row["id"], row["lang"], text, (Gold(start, end, row["entity"], SECRETS),))
