"""Lines against a dull oracle: text by `in`, expressions by the standard library where both read them alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from governance.errors import InvalidInput
from governance.redaction.findings import RedactedText
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules
from retrieval.people.matching import LINE_CHARACTERS_MAX, Pattern, compile_pattern, cut_line, find_lines, plain

KEY = b"k" * 32
Make = Callable[..., Pattern]
lines = st.lists(st.text("aAbB ãÉeé.-1", max_size=12), max_size=5).map("\n".join)
words = st.text("aAbBãÉeé.-1", min_size=1, max_size=4)


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


@pytest.fixture(scope="module")
def make(redactor: Redactor) -> Make:
    def make(source: str, *, regex: bool = False, folded: bool = True) -> Pattern:
        return compile_pattern(redacted(redactor, source), regex=regex, folded=folded)

    return make


def redacted(redactor: Redactor, source: str) -> RedactedText:
    return redactor.redact(source, rules=RedactionRules(), key=KEY, field="pattern")


def bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


@given(lines, words, st.booleans())
def test_text_is_found_where_it_stands(make: Make, content: str, word: str, folded: bool) -> None:
    found = [line.number for line in find_lines(content, make(word, folded=folded))]
    form = bare if folded else str
    assert found == [n for n, line in enumerate(content.splitlines(), 1) if form(word) in form(line)]


@given(lines, st.sampled_from(["^a", "b$", "[ab]+1", r"\S.\s", "a|É", "(a.)?-", r"\bé\b"]), st.booleans())
def test_expressions_are_matched_as_elsewhere(make: Make, content: str, source: str, folded: bool) -> None:
    found = [line.number for line in find_lines(content, make(source, regex=True, folded=folded))]
    form, flags = (bare, re.IGNORECASE | re.ASCII) if folded else (str, re.ASCII)
    accents = "".join(c for c in unicodedata.normalize("NFD", source) if not unicodedata.combining(c)) if folded else source
    assert found == [n for n, line in enumerate(content.splitlines(), 1) if re.search(accents, form(line), flags)]


@given(st.text(max_size=60), st.integers(0, 2_000), st.integers(0, 2_000))
@example("é", 500, 500)
def test_a_cut_line_is_short_and_holds_its_match(word: str, before: int, behind: int) -> None:
    word = "".join(word.split()) or "x"
    line = "é " * before + word + " ß" * behind
    form = plain(line)
    place = form.index(plain(word))
    shown = cut_line(line, (place, place + len(plain(word))), plain)
    assert len(shown) <= LINE_CHARACTERS_MAX + 2
    assert plain(word) in plain(shown)
    assert shown.strip("…") in line or shown == line


def test_labels_in_an_expression_are_text(redactor: Redactor) -> None:
    pattern = compile_pattern(redacted(redactor, "to (ana@example.com|x)"), regex=True, folded=True)
    label = redacted(redactor, "ana@example.com").text
    assert label.startswith("[")
    assert [line.number for line in find_lines(f"e\nto {label}\nto x", pattern)] == [2, 3]


@pytest.mark.parametrize("source", ["(a", "a{1,5000}", "((a{0,100}){0,100}){0,100}", r"(a)\1", "(?=a)", "*"])
def test_what_no_expression_is_is_refused_without_being_repeated(make: Make, source: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        make(source, regex=True)
    assert source not in refused.value.message
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("source", ["", "  ", "a\nb", "a\u2028b", "x" * 501])
def test_a_pattern_is_one_line_that_says_something(make: Make, source: str) -> None:
    with pytest.raises(InvalidInput):
        make(source)
