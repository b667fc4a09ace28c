"""Synthetic personal data and secrets of valid form, made of characters that stand in no other text of a test."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

LETTERS = "qxzvwkj"  # four of them in a row are no part of a word, nor of a hexadecimal number
MIXED = LETTERS + LETTERS.upper() + "0123456789"
WINDOW, DIGITS_WINDOW = 4, 5
_CPF_WEIGHTS = ([10, 9, 8, 7, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
_CNPJ_WEIGHTS = ([5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])


@dataclass(frozen=True, slots=True)
class Canary:
    """`text` holds the value with the words that it needs around it; `cores` are the parts of it that must not survive."""

    kind: str
    text: str
    cores: tuple[str, ...] = field(repr=False)

    def windows(self) -> set[str]:
        """What counts as a leak: four characters of a core in a row, or five digits of a number."""
        found = set()
        for core in self.cores:
            size = DIGITS_WINDOW if core.isdigit() else WINDOW
            found |= {core[i : i + size].lower() for i in range(len(core) - size + 1)}
        return {w for w in found if len(w) == DIGITS_WINDOW or not w.isdigit()}


def canaries(count: int, seed: int) -> list[Canary]:
    """That many, kinds in turn."""
    rng = random.Random(seed)
    makers = list(MAKERS.values())
    return [makers[n % len(makers)](rng) for n in range(count)]


# ------------------------------------------------------------------------------------------------------------ personal data
def _word(rng: random.Random, size: int, alphabet: str = LETTERS) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def _digits(rng: random.Random, size: int) -> str:
    # No run of zeros, which also stands in other numbers.
    return "".join(rng.choice("123456789") for _ in range(size))


def _checked(body: str, weights: Iterable[list[int]]) -> str:
    for row in weights:
        rest = sum(int(d) * w for d, w in zip(body, row, strict=True)) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return body


def _email(rng: random.Random) -> Canary:
    local, domain = _word(rng, 9), _word(rng, 8)
    return Canary("email", f"{local}@{domain}.com.br", (local, domain))


def _cpf(rng: random.Random) -> Canary:
    number = _checked(_digits(rng, 9), _CPF_WEIGHTS)
    shown = number if rng.random() < 0.5 else f"{number[:3]}.{number[3:6]}.{number[6:9]}-{number[9:]}"
    return Canary("cpf", f"CPF {shown}", (number,))


def _cnpj(rng: random.Random) -> Canary:
    number = _checked(_digits(rng, 12), _CNPJ_WEIGHTS)
    return Canary("cnpj", f"{number[:2]}.{number[2:5]}.{number[5:8]}/{number[8:12]}-{number[12:]}", (number,))


def _card(rng: random.Random) -> Canary:
    body = "4" + _digits(rng, 14)
    total = sum(d if i % 2 else (d * 2 - 9 if d > 4 else d * 2) for i, d in enumerate(map(int, body)))
    number = body + str(-total % 10)
    # Of a card the last four digits may stay.
    return Canary("card", " ".join(number[i : i + 4] for i in range(0, 16, 4)), (number,))


def _phone(rng: random.Random) -> Canary:
    number = "9" + rng.choice("6789") + _digits(rng, 7)
    return Canary("phone", f"+55 11 {number[:5]}-{number[5:]}", (number,))


def _iban(rng: random.Random) -> Canary:
    account = _digits(rng, 18)
    check = 98 - int(account + "131400") % 97
    return Canary("iban", f"DE{check:02}{account}", (account,))


# ------------------------------------------------------------------------------------------------------------------ secrets
def _token(kind: str, prefix: str, size: int, alphabet: str = MIXED) -> Callable[[random.Random], Canary]:
    def make(rng: random.Random) -> Canary:
        body = _word(rng, size, alphabet)
        return Canary(kind, f"{prefix}{body}", (body,))

    return make


def _password(template: str) -> Callable[[random.Random], Canary]:
    def make(rng: random.Random) -> Canary:
        word = _word(rng, 6) + _digits(rng, 3) + _word(rng, 4, LETTERS.upper())
        return Canary("password", template.format(word), (word,))

    return make


def _jwt(rng: random.Random) -> Canary:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).decode().rstrip("=")
    body, seal = _word(rng, 40, MIXED), _word(rng, 43, MIXED)
    return Canary("jwt", f"{head}.eyJ{body}.{seal}", (body, seal))


def _url(rng: random.Random) -> Canary:
    word = _word(rng, 12, MIXED)
    return Canary("url", f"postgres://svc:{word}@db.internal/main", (word,))


def _pem(rng: random.Random) -> Canary:
    lines = [_word(rng, 64, MIXED) for _ in range(4)]
    block = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    return Canary("pem", block, tuple(lines))


MAKERS: dict[str, Callable[[random.Random], Canary]] = {
    "email": _email,
    "cpf": _cpf,
    "github": _token("github", "ghp_", 36),
    "card": _card,
    "password_en": _password("my password is {}"),
    "phone": _phone,
    "aws": _token("aws", "AKIA", 16, LETTERS.upper() + "234567"),
    "cnpj": _cnpj,
    "anthropic": _token("anthropic", "sk-ant-api03-", 60),
    "iban": _iban,
    "password_pt": _password("a senha é {}"),
    "jwt": _jwt,
    "slack": _token("slack", "xoxb-1234-", 24),
    "url": _url,
    "pem": _pem,
}

# ------------------------------------------------------------------------------------------------------------------- search
_NOISE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # UUIDs
    r"|\\*x[0-9a-f]{16,}|\b[0-9a-f]{24,}\b"  # digests
    r"|\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?"  # days and moments
    r"|-?\d+\.\d+(?:e-?\d+)?|-?\d+e-\d+"  # scores, times, vectors
    r"|memdb_[a-z0-9-]+_[a-z0-9]+_[\w-]{43}"  # keys that this run made
    r"|\"next_cursor\": ?\"[^\"]*\""
)


def leaks(haystack: str, planted: Iterable[Canary], known: Iterable[str] = ()) -> dict[str, list[str]]:
    """Kind -> windows of planted values that stand in a text.

    Args:
        haystack: a dump, logs or replies.
        planted: what was sent.
        known: random names that this run made itself, such as key ids.
    """
    text = _NOISE.sub(" ", haystack.lower())
    for name in known:
        text = text.replace(name.lower(), " ")
    grams = {text[i : i + size] for size in (WINDOW, DIGITS_WINDOW) for i in range(len(text) - size + 1)}
    # A number is found with whatever stands between its digits.
    runs = re.findall(r"\d[\d .\-/()]*\d", text)
    grams |= {bare[i : i + DIGITS_WINDOW] for run in runs for bare in [re.sub(r"\D", "", run)] for i in range(len(bare) - 4)}
    found: dict[str, list[str]] = {}
    for canary in planted:
        if survived := sorted(canary.windows() & grams):
            found.setdefault(canary.kind, []).extend(survived)
    return found


def as_text(value: Any) -> str:
    """JSON without escapes, so that a search sees what a reader would."""
    return json.dumps(value, ensure_ascii=False, default=str)
