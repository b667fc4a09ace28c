"""Mentions in real-looking sentences: names, identifiers, and the subjects of an org."""

from __future__ import annotations

import time
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.errors import ConfigurationError
from memdb.providers.entities.base import MentionKind
from memdb.providers.entities.registry import make_extractor
from memdb.providers.entities.rules import RuleExtractor
from memdb.text.normalise import fold

ANA, ANA_TOO, BRUNO, WILL = (UUID(int=number) for number in range(1, 5))
KNOWN = {"ana": [ANA, ANA_TOO], "ana souza": [ANA], "bruno": [BRUNO], "will": [WILL], "may": [WILL], "acme inc.": [BRUNO], "joao pedro": [BRUNO],
         "王伟": [ANA], "o'brien": [BRUNO]}  # fmt: skip


def _names(text: str) -> list[str]:
    return [mention.surface for mention in RuleExtractor().extract(text, "und", {})]


def _subjects(text: str) -> list[tuple[str, tuple[UUID, ...]]]:
    mentions = RuleExtractor().extract(text, "und", KNOWN)
    return [(mention.surface, mention.subject_ids) for mention in mentions if mention.kind is MentionKind.SUBJECT]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yesterday Ana Souza met Bruno in Lisbon on Monday.", ["Ana Souza", "Bruno", "Lisbon"]),
        ("Maria dos Santos e João von Berg moram em São Paulo", ["Maria dos Santos", "João von Berg", "São Paulo"]),
        ("A reunião com a Carla no Banco do Brasil é segunda-feira.", ["Carla", "Banco do Brasil"]),
        ("She told my wife that the user likes Python.", ["Python"]),
        ("The User said Mom is ill. Please call Dr. Costa", ["Costa"]),
        ("Carla reports to Diego.", ["Carla", "Diego"]),
        ("I'm in Rio de Janeiro. Yesterday Carla's mother came", ["Rio de Janeiro", "Carla"]),
        ("Remember to call Bruno in March", ["Bruno"]),
        ("The Beatles played. J. K. Rowling wrote", ["Beatles", "J. K. Rowling"]),
        ("Ana Souza, Bruno Lima", ["Ana Souza", "Bruno Lima"]),
        ("What Did He Do To Me", []),
        ("WHO IS MARIA HERE TODAY", []),
        ("send it to [EMAIL_1] and [PHONE_2]", []),
        ("he likes tea and walks", []),
        ("Will you come? May I ask?", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    ("text", "surface", "kind"),
    [
        ("Dr. Costa called", "Costa", MentionKind.PERSON),
        ("we think Carla likes tea", "Carla", MentionKind.PERSON),
        ("she lives in Lisbon", "Lisbon", MentionKind.PLACE),
        ("ela mora em São Paulo", "São Paulo", MentionKind.PLACE),
        ("he joined IBM", "IBM", MentionKind.ORG),
        ("at the University of Lisbon", "University of Lisbon", MentionKind.ORG),
        ("written in Python", "Python", MentionKind.THING),
        ("order QX-58213 came", "QX-58213", MentionKind.IDENTIFIER),
    ],
)
def test_kinds_are_said_only_where_the_words_beside_tell(text: str, surface: str, kind: MentionKind) -> None:
    assert [(mention.surface, mention.kind) for mention in RuleExtractor().extract(text, "und", {})] == [(surface, kind)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("order QX-58213 on iphone15, gpt-4o and v2.3.1", ["QX-58213", "iphone15", "gpt-4o", "v2.3.1"]),
        ("ticket #4411 of 550e8400-e29b-41d4-a716-446655440000", ["#4411", "550e8400-e29b-41d4-a716-446655440000"]),
        ("at 3pm on the 2nd, 10kg, 10h30, 50%, 1980s, 3-year, 2024-03-01T10:00, 1,234.50, 4x", []),
    ],
)
def test_identifiers_and_not_amounts(text: str, found: list[str]) -> None:
    assert _names(text) == found


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Ana Souza likes tea", [("Ana Souza", (ANA,))]),
        ("ana likes tea", [("ana", (ANA, ANA_TOO))]),
        ("JOÃO PEDRO works at Acme Inc. now", [("JOÃO PEDRO", (BRUNO,)), ("Acme Inc.", (BRUNO,))]),
        ("Joa\u0303o Pedro", [("Joa\u0303o Pedro", (BRUNO,))]),
        ("anatomy of a brunoise", []),
        ("我和王伟去上海", [("王伟", (ANA,))]),
        ("O'Brien's car", [("O'Brien", (BRUNO,))]),
        ("Will said no. He will. Did Will call? Will you?", [("Will", (WILL,)), ("Will", (WILL,))]),
        ("in May it rains, and May 5 too, but May likes rain", [("May", (WILL,))]),
    ],
)
def test_subjects_are_whole_words_longest_first_and_never_guessed(text: str, subjects: list[tuple[str, tuple[UUID, ...]]]) -> None:
    assert _subjects(text) == subjects


@given(st.text() | st.text(alphabet="AaBn .,-'#1[]王\n"))
def test_mentions_are_ordered_apart_and_folded(text: str) -> None:
    mentions = RuleExtractor().extract(text, "und", KNOWN)
    last = 0
    for mention in mentions:
        assert last <= mention.start < mention.end <= len(text)
        assert mention.surface == text[mention.start : mention.end]
        assert mention.name_folded == fold(mention.surface)
        assert bool(mention.subject_ids) == (mention.kind is MentionKind.SUBJECT)
        last = mention.end


@pytest.mark.parametrize(
    "text", ["Ana Souza met Carla in Lisbon. " * 500, "A " * 8_000, "A-" * 8_000, "a1." * 5_000, "王" * 5_000, "[" * 16_000]
)
def test_ten_thousand_aliases_cost_little(text: str) -> None:
    dictionary = {f"name {number}": [ANA] for number in range(10_000)}
    begin = time.process_time()
    RuleExtractor().extract(text, "en", dictionary)
    assert time.process_time() - begin < 2


def test_an_unknown_extractor_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="rules"):
        make_extractor("spacy")
