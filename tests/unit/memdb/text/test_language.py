"""Language detection."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import py3langid
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.text.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where does Ana live these days?", "en"),
        ("who am I", "en"),
        ("A reunião com o João ficou para amanhã", "pt"),
        ("Onde a Ana mora?", "pt"),
        ("El perro de mi hermana come demasiado", "es"),
        ("他喜欢在上海喝乌龙茶", "zh"),
        ("昨日は東京でラーメンを食べた", "ja"),
        ("오늘 부산에서 김밥을 만들었다", "ko"),
        ("ผู้ใช้ชอบกินข้าวผัด", "th"),
        ("Она живёт в Москве", "ru"),
        ("هي تعيش في القاهرة", "ar"),
        ("היא גרה בתל אביב", "he"),
        ("Μένει στην Αθήνα", "el"),
        ("Ana likes the 乌龙 tea that they sell in Lisbon", "en"),
    ],
)
def test_language_is_named(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "ok", "12345", "!!!", "🎉", "QX-58213", "https://example.com/a/b", "casa", "Lisbon"])
def test_too_little_or_a_tie_inherits_the_default(text: str) -> None:
    assert detect(text, default="pt") == "pt"
    assert detect(text) == "und"


def test_the_process_wide_identifier_of_the_library_is_left_alone() -> None:
    detect("Where does Ana live?")
    assert py3langid.classify("Das Wetter in Berlin ist heute ziemlich schlecht gewesen")[0] == "de"


def test_threads_agree() -> None:
    texts = ["Where does Ana live?", "Onde a Ana mora?"] * 50
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(detect, texts)) == ["en", "pt"] * 50


@given(st.text())
def test_never_raises(text: str) -> None:
    assert 2 <= len(detect(text)) <= 3
