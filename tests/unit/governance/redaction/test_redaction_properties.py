"""What holds for any value of a known form in any surroundings: found whole, nothing more taken, the same a second time and in a batch."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tarja.validators import cnpj, cpf

from governance.redaction.engine import Analyzer
from governance.redaction.entities import ENTITIES
from governance.redaction.findings import Action, RedactedText
from governance.redaction.overlaps import disjoint
from governance.redaction.recognizers.card import passes_luhn
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules

KEY = b"k" * 32
RULES = RedactionRules()


@dataclass(frozen=True)
class Said:
    """A value, the words that must stand before it if any, and its label without number."""

    before: str
    value: str
    label: str


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=count, max_size=count)


def grouped(number: str, *lengths: int, signs: tuple[str, ...]) -> str:
    parts, position = [], 0
    for length in lengths:
        parts.append(number[position : position + length])
        position += length
    return "".join(part + sign for part, sign in zip(parts, (*signs, ""), strict=True))


@st.composite
def cpfs(draw: st.DrawFn) -> Said:
    base = draw(digits(9).filter(lambda d: len(set(d)) > 1))
    number = base + cpf.compute_check_digits(base)
    signs = tuple(draw(st.sampled_from(["..-", "...", "   ", "---", "\n\n\n", "_._"])))
    written = draw(st.sampled_from([grouped(number, 3, 3, 3, 2, signs=signs), grouped(number, 9, 2, signs=("-",))]))
    return Said("", written, "CPF")


@st.composite
def cnpjs(draw: st.DrawFn) -> Said:
    base = draw(st.text("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=8, max_size=8).filter(lambda d: len(set(d)) > 1)) + draw(digits(4))
    number = base + cnpj.compute_check_digits(base)
    return Said("", grouped(number, 2, 3, 3, 4, 2, signs=(".", ".", "/", "-")), "CNPJ")


@st.composite
def cards(draw: st.DrawFn) -> Said:
    base = draw(st.sampled_from(["4", "51", "5067", "636278"]))
    base += draw(digits(15 - len(base)))
    number = next(base + str(check) for check in range(10) if passes_luhn(base + str(check)))
    sign = draw(st.sampled_from([" ", "-", "\n"]))
    return Said(draw(st.sampled_from(["", "card ", "cartão "])), grouped(number, 4, 4, 4, 4, signs=(sign, sign, sign)), "CARD")


@st.composite
def phones(draw: st.DrawFn) -> Said:
    area, tail = draw(st.sampled_from(["11", "21", "31", "85"])), draw(digits(7))
    form = draw(st.sampled_from(["({}) 9{}-{}", "{} 9{}-{}", "+55 {} 9{}-{}", "+55{}9{}{}", "(0{}) 9{} {}", "tel:+55-{}-9{}-{}"]))
    value = form.format(area, "8" + tail[:3], tail[3:])
    prefix = "tel:" if value.startswith("tel:") else ""
    return Said(prefix, value.removeprefix("tel:"), "PHONE")


@st.composite
def emails(draw: st.DrawFn) -> Said:
    name, host = (
        draw(st.sampled_from(["ana", "j.silva", "x_9", "bob-z"])),
        draw(st.sampled_from(["example.com", "empresa.com.br", "mail.acme.org"])),
    )
    form = draw(st.sampled_from(["{}@{}", "{} [at] {}", "{} arroba {}", "{}(at){}"]))
    return Said("", form.format(name, host if draw(st.booleans()) and "arroba" not in form else host.replace(".", " ponto ")), "EMAIL")


@st.composite
def named(draw: st.DrawFn) -> Said:
    n = draw(digits(15).filter(lambda d: d[0] != "0" and len(set(d)) > 3))
    words, value, label = draw(
        st.sampled_from(
            [
                ("RG ", f"{n[:2]}.{n[2:5]}.{n[5:8]}-{n[8]}", "RG"),
                ("o RG dele é ", n[:9], "RG"),
                ("CNH nº ", n[:11], "CNH"),
                ("PIS: ", f"{n[:3]}.{n[3:8]}.{n[8:10]}-{n[10]}", "NIS"),
                ("cartão do SUS ", f"{n[:3]} {n[3:7]} {n[7:11]} {n[11:15]}", "CNS"),
                ("título de eleitor ", f"{n[:4]} {n[4:8]} {n[8:12]}", "VOTER_ID"),
                ("CEP ", f"{n[:5]}-{n[5:8]}", "CEP"),
                ("placa ", f"QRS{n[0]}B{n[1:3]}", "PLATE"),
                ("conta corrente ", f"{n[:5]}-{n[5]}", "BANK_ACCOUNT"),
                ("SSN ", f"{n[:3]}-{n[3:5]}-{n[5:9]}", "SSN"),
            ]
        )
    )
    return Said(words, value, label)


SAID = st.one_of(cpfs(), cnpjs(), cards(), phones(), emails(), named())
BEFORE = st.sampled_from(
    [
        "",
        "Olá, ",
        "ontem ela disse: ",
        "(",
        "“",
        "\n",
        "👩\u200d👩\u200d👧 e\u0301 ",
        "请看：",
        "a b c; ",
        "- ",
        "=> ",
        "[",
        "\ufdfa ",
        "Ana M. Souza, ",
    ]
)
BEHIND = st.sampled_from(
    ["", ".", ", ok", ") e tchau", "”", "\nfim", " 👩\u200d👧", "。谢谢", "; d e f", "!", "]", " obrigada", "? não sei"]
)


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer()


def redact(redactor: Redactor, text: str) -> RedactedText:
    return redactor.redact(text, rules=RULES, key=KEY, field="content")


@hypothesis_settings(max_examples=400, deadline=None)
@given(BEFORE, SAID, BEHIND)
def test_a_value_goes_whole_and_nothing_but_it(redactor: Redactor, before: str, said: Said, behind: str) -> None:
    redacted = redact(redactor, f"{before}{said.before}{said.value}{behind}")
    label = "[CARD]" if said.label == "CARD" else f"[{said.label}_1]"
    assert redacted.text == f"{before}{said.before}{label}{behind}"


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(BEFORE, SAID, BEHIND), min_size=1, max_size=4))
def test_several_values_leave_none_of_their_digits(redactor: Redactor, parts: list[tuple[str, Said, str]]) -> None:
    text = " | ".join(f"{before}{said.before}{said.value}{behind}" for before, said, behind in parts)
    redacted = redact(redactor, text)
    assert len(redacted.redactions) == len(parts)
    position = 0
    for redaction in redacted.redactions:
        assert position <= redaction.start < redaction.end
        assert not any(char.isdigit() for char in redacted.text[position : redaction.start])
        position = redaction.end


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(SAID.map(lambda said: said.before + said.value), BEFORE, BEHIND, st.text(max_size=6)), max_size=8).map("".join))
def test_any_text_is_redacted_once_and_for_all(redactor: Redactor, analyzer: Analyzer, text: str) -> None:
    once = redact(redactor, text)
    assert redact(redactor, once.text) == RedactedText(once.text)
    assert all(ENTITIES[found.entity].default is Action.KEEP for found in analyzer.find(once.text))


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(SAID.map(lambda said: said.before + said.value), BEFORE, st.text(max_size=6)), max_size=8).map("".join))
def test_spans_are_disjoint_in_order_and_inside_the_text(analyzer: Analyzer, text: str) -> None:
    position = 0
    for found in disjoint(analyzer.find(text)):
        assert position <= found.start < found.end <= len(text)
        position = found.end


@hypothesis_settings(max_examples=150, deadline=None)
@given(st.lists(SAID.map(lambda said: said.before + said.value), max_size=5))
def test_a_batch_is_its_texts_one_by_one(redactor: Redactor, texts: list[str]) -> None:
    numbering = redactor.numbering()
    single = tuple(redactor.redact(text, rules=RULES, key=KEY, numbering=numbering, field="content") for text in texts)
    assert redactor.redact_many(texts, rules=RULES, key=KEY, field="content") == single
