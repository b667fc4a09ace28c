"""Token counts and sentence boundaries."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.text.sentences import split_sentences
from memdb.text.tokens import count_tokens, cut_to_tokens


def test_known_counts() -> None:
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("hello world", "cl100k_base") == 2


@given(st.text(), st.integers(-1, 20))
def test_cut_is_a_prefix_within_the_limit(text: str, limit: int) -> None:
    kept, was_cut = cut_to_tokens(text, limit)
    assert count_tokens(kept) <= max(limit, 0)
    assert text.encode("utf-8", "replace").decode().startswith(kept)
    assert was_cut == (count_tokens(text) > max(limit, 0))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Costa came at 5 p.m. yesterday. She paid $3.50!", ["Dr. Costa came at 5 p.m. yesterday.", "She paid $3.50!"]),
        ("A Sra. Lima mora na Av. Paulista. Veja o art. 5º da lei.", ["A Sra. Lima mora na Av. Paulista.", "Veja o art. 5º da lei."]),
        ("Is it? Yes... maybe. ok", ["Is it?", "Yes... maybe. ok"]),
        ("J. Souza wrote it. I agree.", ["J. Souza wrote it.", "I agree."]),
        ("- one\n- two\n\n\nthree", ["- one", "- two", "three"]),
        ("昨日は東京に行った。ラーメンを食べた。", ["昨日は東京に行った。", "ラーメンを食べた。"]),
        ('She said "Go!" Then she left.', ['She said "Go!"', "Then she left."]),
        ("", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


@given(st.text(alphabet="aB .!?\n。\"'…"))
def test_every_visible_character_is_in_one_sentence(text: str) -> None:
    covered = [0] * len(text)
    for start, end in split_sentences(text):
        assert start < end
        for place in range(start, end):
            covered[place] += 1
    assert all(count == 1 or (count == 0 and character.isspace()) for character, count in zip(text, covered, strict=True))


@pytest.mark.parametrize("text", ["." * 60_000 + "x", " " * 60_000 + "x", "\n" * 60_000, '")' * 30_000, '."' * 30_000])
def test_hostile_text_takes_no_time(text: str) -> None:
    begin = time.process_time()
    split_sentences(text)
    assert time.process_time() - begin < 1
