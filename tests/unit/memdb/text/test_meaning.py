"""What two statements must share to be one: no pair that differs in one word is taken for the same, and spellings are."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.formation.episode import Facts, duplicate_key, held_key, is_current
from memdb.ids import make_id
from memdb.keyring import Keyring, make_root_key
from memdb.text.meaning import meaning_in, meaning_of, statement_of

HERE = Path(__file__).parent
LANGUAGES = ("en", "pt")


def read(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


PAIRS = read("minimal_pairs.jsonl")
DUPLICATES = read("duplicates.jsonl")


# ------------------------------------------------------------------------------------------------------------ the two tables
def test_the_tables_are_what_they_should_be() -> None:
    assert min(Counter(row["lang"] for row in PAIRS).values()) >= 100
    assert len({(row["a"], row["b"]) for row in PAIRS}) == len(PAIRS)
    assert {"number", "name", "food", "negation", "length", "order", "preposition", "time"} <= {row["changed"] for row in PAIRS}
    assert len(DUPLICATES) >= 80


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['lang']}-{pair['a']}-{pair['b']}")
def test_a_minimal_pair_is_two_statements_in_whatever_language_it_is_read(pair: dict[str, str]) -> None:
    assert meaning_of(pair["a"]) != meaning_of(pair["b"])
    for language in LANGUAGES:
        assert meaning_in(pair["a"], language) != meaning_in(pair["b"], language)


@pytest.mark.parametrize("pair", DUPLICATES, ids=lambda pair: f"{pair['lang']}-{pair['a']}-{pair['b']}")
def test_clear_duplicates_are_found_or_known_to_be_missed(pair: dict[str, str]) -> None:
    assert (meaning_of(pair["a"]) == meaning_of(pair["b"])) is bool(pair["found"])


# ------------------------------------------------------------------------------------------------------------ what is kept
@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("The user isn't on the mat", "en", "user is not on the mat"),
        ("She's lost", "en", "she's lost"),  # is, or has
        ("She's allergic", "en", "she is allergic"),
        ("The user has an hour, and the team has two", "en", "user have a hour and team has 2"),
        ("In charge of the team", "en", "in charge of the team"),
        ("No one has one key", "en", "no one have 1 key"),
        ("He insists that they own it and has two", "en", "he insists that they own it and has 2"),
        ("O Bruno está a vender a casa", "pt", "bruno está vendendo a casa"),
        ("Ana está a par do projeto", "pt", "ana está a par do projeto"),
        ("O dentista viu a dentista e duas dentistas", "pt", "o dentista viu a dentista e 2 dentistas"),
        ("A Diego reporta a reunião", "pt", "a diego reporta a reuniao"),
        ("A Bia mora no Porto", "pt", "bia mora no porto"),
        ("São 10 por cento", "pt", "sao 10 %"),
        ("-5 graus, não 5", "pt", "-5 graus , nao 5"),
    ],
)
def test_words_of_a_statement(text: str, language: str, words: str) -> None:
    assert meaning_in(text, language) == (language, *words.split())


@pytest.mark.parametrize(
    "text",
    [
        "The",
        "👍",
        "???",
        "你好,世界",
        "Run `ls the`",
        'Called "The Who"',
        "x = the",
        "the {user}",
        "git commit --amend the",
    ],
)
def test_what_has_no_list_or_is_quoted_or_code_counts_as_written(text: str) -> None:
    assert meaning_of(text)[-1] == statement_of(text)


def test_a_text_without_words_falls_back_to_itself() -> None:
    assert meaning_of("...") == ("", "...")
    assert meaning_of("...") != meaning_of("!")
    assert meaning_in(",", "en") == ("", ",")


def test_the_same_words_read_in_two_languages_are_two_statements() -> None:
    assert meaning_in("Ana Silva", "en") != meaning_in("Ana Silva", "pt")


# ------------------------------------------------------------------------------------------------------------ properties
NAMES = (
    "ana",
    "bruno",
    "carla",
    "diego",
    "silva",
    "silvas",
    "marina",
    "marino",
    "banks",
    "bank",
    "will",
    "rose",
    "an",
    "the",
    "joão",
    "zé",
)
NOUNS = {
    "en": (
        "tea",
        "coffee",
        "peanuts",
        "walnuts",
        "dog",
        "dogs",
        "report",
        "rent",
        "sister",
        "brother",
        "monday",
        "patient",
        "organ",
        "organic",
    ),
    "pt": ("chá", "café", "nozes", "amendoim", "cão", "cães", "avó", "avô", "pais", "país", "irmã", "irmão", "secretária", "secretaria"),
}
LINKS = {
    "en": ("likes", "reports to", "is older than", "does not like", "lives with the", "isn't with", "has one", "prefers the"),
    "pt": ("gosta de", "reporta a", "é mais velha que", "não gosta do", "mora com o", "prefere o", "está a ver", "tem uma"),
}
LANGUAGE = st.sampled_from(LANGUAGES)


@given(LANGUAGE, st.data())
def test_another_name_noun_number_or_order_is_another_statement(language: str, data: st.DataObject) -> None:
    def drawn(among: tuple[str, ...]) -> str:
        return data.draw(st.sampled_from(among))

    first, second, other = data.draw(st.permutations(NAMES))[:3]
    noun, other_noun = data.draw(st.permutations(NOUNS[language]))[:2]
    number, other_number = data.draw(st.lists(st.integers(0, 10**6), min_size=2, max_size=2, unique=True))
    link = drawn(LINKS[language])
    said = meaning_in(f"{first} {link} {second}, {noun} {number}", language)
    changed = (
        f"{second} {link} {first}, {noun} {number}",
        f"{first} {link} {other}, {noun} {number}",
        f"{first} {link} {second}, {other_noun} {number}",
        f"{first} {link} {second}, {noun} {other_number}",
        f"{first} {link} {second}, {noun} -{number}",
        f"{first} {link} {second}, {noun} {number}?",
    )
    # "The" in front of a name is an article, whoever is called so.
    assert all(meaning_in(text, language) != said for text in changed if "the" not in {first, second, other})


@given(st.lists(st.sampled_from(NOUNS["en"] + NOUNS["pt"] + NAMES[:10]), min_size=1, max_size=8), LANGUAGE, st.data())
def test_no_content_word_is_lost(words: list[str], language: str, data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(words) - 1))
    assert len(meaning_in(" ".join(words), language)) == len(words) + 1
    assert meaning_in(" ".join(words), language) != meaning_in(" ".join(words[:gone] + words[gone + 1 :]), language)


@given(st.text())
def test_case_and_code_points_never_matter(text: str) -> None:
    for other in (text.upper(), text.lower(), f" {text}\u200b .", text.replace(" ", "\n")):
        if statement_of(other) == statement_of(text) and statement_of(text):
            assert meaning_of(other) == meaning_of(text)


@given(st.text(alphabet="aoeis' the.,;:!?-5%kmàãç\"\n", max_size=60), LANGUAGE)
def test_any_text_has_a_meaning(text: str, language: str) -> None:
    found = meaning_in(text, language)
    assert len(found) >= 2
    assert not any("\x1f" in word for word in found)
    assert meaning_in(text, language) == found


@pytest.mark.parametrize("piece", ["a ", "the ", "an,", "está a ver ", "web site ", "i'm ", ",,,,a", "5km", "-", "o a ", "'", ".", "! "])
def test_time_grows_with_the_length_alone(piece: str) -> None:
    text = (piece * 65_536)[:65_536] + "a"
    began = time.perf_counter()
    for language in LANGUAGES:
        meaning_in(text, language)
    assert time.perf_counter() - began < 5


# ------------------------------------------------------------------------------------------------------------ keys
def test_a_key_tells_how_it_was_made() -> None:
    keyring, org = Keyring((make_root_key(),)), make_id()
    one, other = (duplicate_key(keyring, org, text, (), Facts((), None)) for text in ("Ana doesn't like tea", "Ana does not like tea"))
    assert one == other
    assert len({one, held_key(one), duplicate_key(keyring, org, "Ana does not like tea", ("[A]",), Facts((), None))}) == 3
    assert is_current(one)
    assert is_current(held_key(one))
    assert not is_current(one[1:])
