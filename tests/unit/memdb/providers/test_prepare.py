"""What is done to a text before any model sees it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.errors import InvalidInput
from memdb.providers.embedding.prepare import Limits, prepare_document, prepare_query
from memdb.text.tokens import count_tokens

WHOLE = Limits(document_tokens=200, query_tokens=100, batch_texts=8, batch_tokens=1_000, piece_units=None, encoding="cl100k_base")
PIECES = Limits(document_tokens=8_192, query_tokens=512, batch_texts=8, batch_tokens=10_000, piece_units=200, encoding="o200k_base")


def test_one_form_for_every_provider() -> None:
    prepared = prepare_document(" ＡＢＣ a\x00b\ud800 cafe\u0301 \u2028x\x1b ", WHOLE)
    assert prepared.pieces == ("ABC ab café \u2028x",)
    assert not prepared.truncated


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\x00", "\ud800"])
def test_blank_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="blank"):
        prepare_query(text, WHOLE)


@pytest.mark.parametrize("text", ["!!!", "🎉", "…"])
def test_signs_alone_are_embedded(text: str) -> None:
    assert len(prepare_query(text, WHOLE).pieces) == 1


def test_a_long_text_keeps_head_and_tail_within_the_limit() -> None:
    text = "The beginning. " + "Nothing much happened here today. " * 2_000 + "The gate code is rosebud."
    for prepare, limit in ((prepare_document, 200), (prepare_query, 100)):
        prepared = prepare(text, WHOLE)
        assert prepared.truncated
        assert prepared.pieces[0].startswith("The beginning.")
        assert prepared.pieces[0].endswith("The gate code is rosebud.")
        assert 0.7 * limit <= count_tokens(prepared.pieces[0], "cl100k_base") <= limit


def test_exactly_the_limit_is_not_cut() -> None:
    text = " ".join(["tea"] * 200)
    assert count_tokens(text, "cl100k_base") == 200
    assert prepare_document(text, WHOLE).pieces == (text,)
    assert prepare_document(text + " tea", WHOLE).truncated


def test_chinese_is_counted_in_tokens_not_characters() -> None:
    prepared = prepare_document("他喜欢在上海喝乌龙茶" * 900, PIECES)
    assert not prepared.truncated
    assert len(prepared.pieces) > 5
    assert "".join(prepared.pieces) == "他喜欢在上海喝乌龙茶" * 900


def test_pieces_end_with_sentences_and_weigh_their_words() -> None:
    text = "One two three four five. " * 100
    prepared = prepare_document(text, PIECES)
    assert [piece[-5:] for piece in prepared.pieces] == ["five."] * len(prepared.pieces)
    assert sum(prepared.weights) >= 500
    assert max(prepared.weights) <= 200


def test_the_last_sentence_of_a_long_question_has_half_of_the_weight() -> None:
    prepared = prepare_query("Nothing much happened here today. " * 3_000 + "What is the gate code?", PIECES)
    assert prepared.truncated
    assert prepared.pieces[-1] == "What is the gate code?"
    assert prepared.weights[-1] == sum(prepared.weights[:-1])


@given(st.text(min_size=1))
@settings(max_examples=200)
def test_pieces_never_exceed_their_size_and_lose_nothing(text: str) -> None:
    limits = Limits(document_tokens=10_000, query_tokens=100, batch_texts=8, batch_tokens=1_000, piece_units=5, encoding="o200k_base")
    try:
        prepared = prepare_document(text, limits)
    except InvalidInput:
        return
    whole = prepare_document(text, WHOLE)
    assert len(prepared.pieces) == len(prepared.weights)
    assert all(piece for piece in prepared.pieces)
    if not whole.truncated:
        assert "".join("".join(prepared.pieces).split()) == "".join(whole.pieces[0].split())


@pytest.mark.parametrize("text", ["a" * 200_000, "他" * 60_000, "." * 200_000, "\ufdfa" * 2_000, "🎉" * 50_000])
def test_hostile_text_takes_little_time(text: str) -> None:
    begin = time.process_time()
    prepare_document(text, PIECES)
    prepare_query(text, PIECES)
    assert time.process_time() - begin < 5
