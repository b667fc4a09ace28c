"""What goes into the word index, and what a question looks up there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdb.text.lexemes import TERMS_MAX, Analysis, analyse, query_terms
from memdb.text.normalise import fold

LANGUAGES = ("en", "pt")


def _surfaces(query: str) -> list[str]:
    return [term.surface for term in query_terms(query, LANGUAGES)]


def _matches(query: str, document: Analysis) -> list[bool]:
    return [any(form in document.counts for form in term.alternatives) for term in query_terms(query, LANGUAGES)]


PUNCTUATION = ["foo:bar", "what's C++ & node.js: \"x\"", "a &", "'", '"', "(", "!!!", "<->", "*", "\\", ":*", "don't", "50% off",
               "https://example.com/a?x=1", "(" * 10_000, "🎉", "", "   ", "\x00", "\ud800"]  # fmt: skip


@pytest.mark.parametrize("query", PUNCTUATION)
def test_ordinary_punctuation_is_no_syntax(query: str) -> None:
    query_terms(query, LANGUAGES)
    analyse(query, "en").tsvector()


@pytest.mark.parametrize(
    ("query", "surfaces"),
    [
        ("foo:bar", ["foo:bar", "foo", "bar"]),
        ("C++ & node.js", ["C++", "node.js", "node", "js"]),
        ("50% off!", ["50"]),
        ("QX-58213", ["QX-58213", "QX", "58213"]),
        ("ana.souza@example.com", ["ana.souza@example.com", "ana", "souza", "example"]),
    ],
)
def test_codes_and_addresses_are_looked_up_whole_and_in_parts(query: str, surfaces: list[str]) -> None:
    assert [surface for surface in _surfaces(query) if surface != "com"] == surfaces


def test_codes_meet_their_parts_and_their_whole() -> None:
    document = analyse("Order QX-58213 was built with node.js and C++; mail ops@example.com", "en")
    for query in ("QX-58213", "58213", "qx", "node.js", "node", "C++", "ops@example.com", "example"):
        assert all(_matches(query, document)), query
    assert not any(_matches("C#", analyse("written in C++", "en"))[:1])


@pytest.mark.parametrize("query", ["who am I", "the", "what did he do to me", "to be or not to be", "WHO AM I", "What Did He Do To Me",
                                   "o que ele fez comigo", "", "!!!"])  # fmt: skip
def test_a_question_of_stop_words_looks_up_nothing(query: str) -> None:
    assert query_terms(query, LANGUAGES) == []


@pytest.mark.parametrize("name", ["Will", "Don", "May", "An"])
def test_people_who_are_called_like_stop_words_are_found(name: str) -> None:
    document = analyse(f"{name} is allergic to peanuts", "en")
    assert _matches(name, document) == [True]
    assert all(_matches(f"did {name} eat peanuts?", analyse(f"{name} eats peanuts", "en")))
    assert name in _surfaces(f"did {name} call?")


def test_a_stop_word_is_marked_and_one_in_lower_case_is_left_out() -> None:
    assert [(term.surface, term.is_stop) for term in query_terms("when did Will call?", LANGUAGES)] == [("Will", True), ("call", False)]
    assert _surfaces("when will they call?") == ["call"]


def test_stop_words_are_indexed_and_do_not_lengthen() -> None:
    document = analyse("Will has the book on the table", "en")
    assert document.counts["will"] == 1
    assert document.counts["the"] == 2
    assert document.length == 2


@pytest.mark.parametrize(
    ("document", "query"),
    [("他喜欢在上海喝乌龙茶", "乌龙茶"), ("昨日は東京でラーメンを食べた", "ラーメン"), ("오늘 부산에서 김밥을 만들었다", "김밥"),
     ("ผู้ใช้ชอบกินข้าวผัด", "ข้าวผัด")],
)  # fmt: skip
def test_scripts_without_spaces_match_by_bigrams_and_nothing_else(document: str, query: str) -> None:
    others = {"他喜欢在上海喝乌龙茶", "昨日は東京でラーメンを食べた", "오늘 부산에서 김밥을 만들었다", "ผู้ใช้ชอบกินข้าวผัด"} - {document}
    assert all(_matches(query, analyse(document, "und")))
    assert not any(match for other in others for match in _matches(query, analyse(other, "und")))


def test_accents_are_optional_on_both_sides() -> None:
    written = analyse("Reunião com João em São Paulo sobre manutenção", "pt")
    assert all(_matches("joao sao paulo manutencao", written))
    plain = analyse("reuniao com joao em sao paulo sobre manutencao", "pt")
    assert all(_matches("Reunião João São Paulo manutenção", plain))


@pytest.mark.parametrize(
    ("document", "language", "query"),
    [
        ("She runs two meetings every week", "en", "meeting run"),
        ("Os relatórios mensais foram enviados", "pt", "relatorio mensal enviado"),
        ("our e-mails are slow", "en", "email"),
        ("our email is slow", "en", "e-mail"),
        ("O'Brien called", "en", "obrien"),
        ("Ana's house", "en", "Ana"),
        ("FooCorp™ grew", "en", "foocorp"),
        ("ＡＢＣ and ١٢٣", "und", "abc 123"),
        ("snake_case_name", "und", "case"),
    ],
)
def test_forms_of_a_word_meet(document: str, language: str, query: str) -> None:
    assert any(_matches(query, analyse(document, language)))


def test_dont_is_not_don() -> None:
    assert not any(_matches("Don", analyse("I don't know", "en")))


WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzáàâãéêíóôõúüçñİıßøł", min_size=3, max_size=14)


@given(st.lists(WORDS, min_size=1, max_size=8), st.sampled_from(["en", "pt", "es", "und"]), st.booleans())
def test_a_word_of_the_text_is_always_found_with_and_without_accents(words: list[str], language: str, folded: bool) -> None:
    document = analyse(" ".join(words), language)
    for word in words:
        for term in query_terms(fold(word) if folded else word, ("en", "pt", "es")):
            assert any(form in document.counts for form in term.alternatives), word


@given(st.text())
@settings(max_examples=300)
def test_never_raises_and_every_lexeme_is_within_bounds(text: str) -> None:
    document = analyse(text, "pt")
    assert set(document.positions) == set(document.counts)
    assert all(len(lexeme.encode()) <= 200 and lexeme for lexeme in document.counts)
    assert all(places == sorted(set(places)) and places[0] >= 1 and len(places) <= 255 for places in document.positions.values())
    for term in query_terms(text, LANGUAGES):
        assert term.alternatives
        assert all(term.alternatives)


def test_tsvector_keeps_postgres_limits() -> None:
    document = analyse("word " * 20_000 + "last " + "x" * 5_000, "en")
    assert len(document.positions["word"]) == 255
    assert document.counts["word"] == 20_000
    assert document.positions["last"] == [16_383]
    assert max(len(lexeme.encode()) for lexeme in document.counts) == 200
    huge = analyse(" ".join(f"w{number:x}z{number * 7919:x}" for number in range(120_000)), "und")
    assert len(huge.tsvector().encode()) < 1_000_000


def test_tsvector_quotes() -> None:
    assert analyse("O'Brien", "und").tsvector() == "'o''brien':1 'obrien':1 'o':1 'brien':2"


def test_a_long_question_is_bounded_and_keeps_its_end() -> None:
    query = " ".join(f"word{number}" for number in range(500)) + " umbrella"
    terms = query_terms(query, LANGUAGES)
    assert len(terms) == TERMS_MAX
    assert terms[0].surface == "word0"
    assert terms[-1].surface == "umbrella"


def test_repeated_words_are_one_term() -> None:
    assert _surfaces("tea Tea TEA teas") == ["tea", "teas"]


@pytest.mark.parametrize(
    "text", ["a." * 30_000, "a:::" * 15_000, "+" * 60_000, "'" * 60_000, "x" * 60_000, "\u0301" * 60_000, "_" * 60_000]
)
def test_hostile_text_takes_no_time(text: str) -> None:
    begin = time.process_time()
    analyse(text, "en")
    query_terms(text, LANGUAGES)
    assert time.process_time() - begin < 3
