"""Canonical forms: what is stored, compared and looked up."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from governance.errors import InvalidInput
from memdb.text.normalise import canonical, clean, fold, is_blank, visible


@pytest.mark.parametrize(("bad", "word"), [("a\x00b", "NUL"), ("a\ud800b", "surrogate")])
def test_clean_refuses_what_postgres_cannot_store_and_names_the_field(bad: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=word) as refused:
        clean(bad, "turns[4].text")
    assert refused.value.field == "turns[4].text"
    assert "turns[4].text" in refused.value.message


def test_clean_drops_controls_and_keeps_everything_else() -> None:
    kept = "Olá\tJoão\r\n\u202eabc\u200b ＡＢＣ cafe\u0301 👩‍👩‍👧"
    assert clean(kept, "content") == kept
    assert clean("a\x1b[31m\x07b\x7f", "content") == "a[31mb"


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "…", "!!!", "---", "\u3164", "\u2800", "\u202e\u202c", "()"])
def test_text_without_letter_digit_or_pictograph_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "7", "👍", "é", "茶", " .x. ", "\U0001fae8"])
def test_text_that_says_something_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe\u0301"),
        ("ＡＢＣ", "abc"),
        ("Ana\u200b Souza", "ana souza"),
        ("İstanbul", "istanbul"),
        ("مـــحمد", "محمد"),
        ("\u202eabc\u202c", "ABC"),
        ("don’t", "don't"),
        ("Straße", "STRASSE"),
        ("a \n\t b", " A  B "),
        ("so\u00adft", "soft"),
    ],
)
def test_one_text_has_one_canonical_form(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


def test_canonical_keeps_accents_and_fold_drops_them() -> None:
    assert canonical("avó") != canonical("avô")
    assert fold("São João, Manutenção") == "sao joao, manutencao"
    assert fold("Łódź Øre Œuvre") == "lodz ore oeuvre"


def test_fold_keeps_letters_that_only_look_accented() -> None:
    assert fold("мой") == "мой"
    assert fold("がぎ") == "がぎ"
    assert fold("김밥") == "김밥"


@given(st.text())
@example("e\u200b\u0301")
@example("i\u0307\u0327")
@example("ﷺ")
@example("\u1e9b\u0323")
def test_forms_are_idempotent_and_nest(text: str) -> None:
    for form in (visible, canonical, fold):
        assert form(form(text)) == form(text)
    assert fold(canonical(text)) == fold(text)
    assert canonical(visible(text)) == canonical(text)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_gives_what_the_long_way_gives(text: str) -> None:
    assert canonical(text) == canonical(text + "é")[:-1].rstrip()


@pytest.mark.parametrize("mark", ["\u0301\u0323", "\u3099\u0323"])
def test_hostile_runs_of_marks_take_no_time(mark: str) -> None:
    begin = time.process_time()
    canonical("a" + mark * 30_000)
    assert time.process_time() - begin < 1.5
