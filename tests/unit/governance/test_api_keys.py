"""Keys as text: one form, one spelling, never in a repr."""

from __future__ import annotations

import hmac
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.api_keys import PresentedKey, is_secret_of, parse
from governance.errors import Unauthenticated

NAMES = st.from_regex(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", fullmatch=True)
KEY_IDS = st.from_regex(r"[a-z0-9]{4,32}", fullmatch=True)
KEYS = st.builds(PresentedKey, NAMES, KEY_IDS, st.binary(min_size=32, max_size=32))


@given(KEYS)
def test_a_rendered_key_is_parsed_to_itself(key: PresentedKey) -> None:
    assert parse(key.render()) == key


@given(KEYS, st.data())
def test_a_changed_character_is_refused_or_another_key(key: PresentedKey, data: st.DataObject) -> None:
    text = key.render()
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from(string.ascii_letters + string.digits + "-_ é\n").filter(lambda c: c != text[place]))
    changed = text[:place] + other + text[place + 1 :]
    try:
        parsed = parse(changed)
    except Unauthenticated:
        return
    assert parsed != key
    assert parsed.render() == changed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "memdb",
        "memdb_a_b_c",
        "memdb_-a_abcd2345_" + "A" * 43,
        "memdb_a_abc_" + "A" * 43,
        "memdb_a_abcd_" + "A" * 42,
        "memdb_a_abcd_" + "A" * 42 + "B",
    ],
)
def test_what_is_no_key_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(Unauthenticated) as refused:
        parse(text)
    assert refused.value.message == Unauthenticated().message


@given(KEYS, KEYS)
def test_only_the_same_secret_matches(one: PresentedKey, other: PresentedKey) -> None:
    assert is_secret_of(one, one.sha256)
    assert is_secret_of(one, other.sha256) == (one.secret == other.secret)
    assert not is_secret_of(one, None)


def test_the_secret_is_in_no_repr() -> None:
    key = PresentedKey("acme", "abcd2345", b"\x07" * 32)
    shown = repr(key)
    assert "\\x07" not in shown
    assert key.render()[-43:] not in shown


def test_digests_are_compared_in_constant_time_whether_the_key_exists_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []
    real = hmac.compare_digest

    def watched(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    key, wrong = PresentedKey("main", "abcd2345", bytes(32)), PresentedKey("main", "abcd2345", b"\x01" * 32)
    assert is_secret_of(key, key.sha256)
    assert not is_secret_of(wrong, key.sha256)
    assert not is_secret_of(key, None)
    assert [(len(one), len(other)) for one, other in compared] == [(32, 32)] * 3
