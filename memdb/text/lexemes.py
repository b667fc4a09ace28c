"""Words as search sees them: what of a text goes into the word index, and what of a question is looked up there.

INVARIANT: a word of a question meets the same word of a text, with or without accents, if the language that the text was analysed in is
the question's or one of `languages`; every alternative of a question is a lexeme that `analyse` could have made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memdb.text.language import UNKNOWN, detect
from memdb.text.normalise import fold
from memdb.text.stemming import cut_lexeme, forms
from memdb.text.stop_words import STOP_WORDS, stop_words
from memdb.text.words import Token, tokenise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TERMS_MAX: Final = 64
"""Distinct terms of one question; a longer one keeps its first 16 and its last 48, because the question itself stands at the end."""
_TERMS_HEAD = 16

_POSITION_MAX = 16_383  # Postgres, "Text Search Types": larger positions are set to it
_POSITIONS_PER_LEXEME_MAX = 255  # the same page says 256; one stays spare
_LEXEME_BYTES_TOTAL_MAX = 400_000  # a tsvector ends at 1 MB including its positions; that is some 60,000 distinct words

# Capitalised in titles and at the start of sentences, never names.
_NEVER_NAMES = frozenset("i a o e y as os the el la um uma un una".split())  # noqa: SIM905 - reads better as words


@dataclass(frozen=True, slots=True)
class Analysis:
    """The words of one text.

    `counts`: lexeme to occurrences. `length`: content words (a compound counts its parts, a run without spaces its bigrams), stop words
    not counted; the document length of BM25. `positions`: lexeme to ascending positions from 1, at most 255, none above 16,383 but a
    first one.
    """

    counts: dict[str, int]
    length: int
    positions: dict[str, list[int]]

    def tsvector(self) -> str:
        """Write the literal that casts to `tsvector`.

        >>> analyse("don't", "en").tsvector()
        "'don''t':1"
        """
        return " ".join(f"'{_quote(lexeme)}':{','.join(map(str, places))}" for lexeme, places in self.positions.items())


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One word of a question. `alternatives` are the lexemes that stand for it (any of them is a match); `surface` is as written."""

    surface: str
    alternatives: tuple[str, ...]
    is_stop: bool


def analyse(text: str, language: str) -> Analysis:
    """Find the lexemes of a text. Stop words are indexed (people are called Will and May) and do not count in the length. Never raises.

    Args:
        text: the text as stored, redacted.
        language: ISO 639-1 code of the text, or `und`: then words are not stemmed.
    """
    ignored = _stop_words_of(language)
    counts: dict[str, int] = {}
    positions: dict[str, list[int]] = {}
    length = position = size = 0
    for token in tokenise(text):
        for lexemes, is_content in _units(token, language, ignored):
            position += 1
            length += is_content
            for lexeme in lexemes:
                if lexeme not in counts:
                    size += len(lexeme.encode())
                    if size > _LEXEME_BYTES_TOTAL_MAX:
                        return Analysis(counts, length, positions)
                    counts[lexeme] = 0
                counts[lexeme] += 1
                _add_position(positions.setdefault(lexeme, []), position)
    return Analysis(counts, length, positions)


def query_terms(text: str, languages: Sequence[str]) -> list[QueryTerm]:
    """Find what to look up for a question: distinct words in order of appearance, at most 64, none for "who am I", "the" or "!!!".

    A stop word is left out unless its capital says that it is a name: inside the sentence ("did Will call?"), or alone ("Will").

    Args:
        text: the question, redacted. Never raises on any text.
        languages: ISO 639-1 codes that the texts were analysed in; the question's own is added if it is clear.
    """
    detected = detect(text)
    spoken = tuple(dict.fromkeys((*((detected,) if detected != UNKNOWN else ()), *languages)))
    # A clear language has its own stop words alone: Spanish "son" (are) is a content word in "who is my son".
    ignored = STOP_WORDS.get(detected) or stop_words(spoken)
    tokens = list(tokenise(text))
    names = _stop_words_that_are_names(tokens, ignored)
    terms: dict[tuple[str, ...], QueryTerm] = {}
    for index, token in enumerate(tokens):
        for surface, is_plain in _surfaces(token):
            is_stop = fold(surface) in ignored
            if is_stop and not (is_plain and index in names):
                continue
            alternatives = _alternatives(surface, token, spoken)
            terms.setdefault(alternatives, QueryTerm(surface, alternatives, is_stop))
    found = list(terms.values())
    return found if len(found) <= TERMS_MAX else found[:_TERMS_HEAD] + found[_TERMS_HEAD - TERMS_MAX :]


def phrase_query(text: str, languages: Sequence[str], words_min: int) -> str | None:
    """The literal that casts to a `tsquery` for these words one right after the other, in any of the languages, whatever their endings.

    None for fewer words than `words_min`, stop words counted, and for more than TERMS_MAX.

    >>> phrase_query("the red fox", ["und"], 2)
    "'the' <-> 'red' <-> 'fox'"
    """
    places: dict[int, dict[str, None]] = {}
    for language in dict.fromkeys(languages):
        for lexeme, positions in analyse(text, language).positions.items():
            for position in positions:
                places.setdefault(position, {})[lexeme] = None
    if not words_min <= len(places) <= TERMS_MAX:
        return None
    words = (" | ".join(f"'{_quote(lexeme)}'" for lexeme in places[position]) for position in sorted(places))
    return " <-> ".join(f"({word})" if " | " in word else word for word in words)


def _stop_words_of(language: str) -> frozenset[str]:
    # A text of unknown language is mostly a short English or Portuguese one.
    return stop_words(("en", "pt") if language == UNKNOWN else (language,))


def _units(token: Token, language: str, ignored: frozenset[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Give the lexemes of a token by position, and whether each position is a content word."""
    if token.bigrams:
        for bigram in token.bigrams:
            yield (cut_lexeme(bigram),), True
        return
    if not token.parts:
        yield forms(token.whole, language), fold(token.whole) not in ignored
        return
    whole = _whole_lexemes(token, (language,))
    for index, part in enumerate(token.parts):
        lexemes = forms(part, language)
        yield (tuple(dict.fromkeys((*whole, *lexemes))) if index == 0 else lexemes), fold(part) not in ignored


def _whole_lexemes(token: Token, languages: Sequence[str]) -> tuple[str, ...]:
    """Give a compound as written, and as the one word that others write for it ("e-mails": "email")."""
    joined = (
        () if token.joined is None else (form for language in languages for form in (fold(token.joined), *forms(token.joined, language)))
    )
    return tuple(dict.fromkeys(cut_lexeme(form) for form in (fold(token.whole), *joined)))


def _surfaces(token: Token) -> Iterator[tuple[str, bool]]:
    """Give what a token of a question looks up, and whether it is a plain word: the whole, then its parts of two characters or more."""
    if token.bigrams:
        yield from ((bigram, False) for bigram in token.bigrams)
        return
    yield token.whole, not token.parts
    yield from ((part, False) for part in token.parts if len(part) > 1 or part.isdigit())


def _alternatives(surface: str, token: Token, languages: Sequence[str]) -> tuple[str, ...]:
    if token.bigrams:
        return (cut_lexeme(surface),)
    if surface == token.whole and token.parts:
        return _whole_lexemes(token, languages)
    stems = (form for language in languages for form in forms(surface, language))
    return tuple(dict.fromkeys((*stems, *forms(surface, UNKNOWN))))


def _stop_words_that_are_names(tokens: Sequence[Token], ignored: frozenset[str]) -> frozenset[int]:
    """Give the places of stop words whose capital says "name".

    All words capitalised say nothing when there are more than two ("What Did He Do"), and capitals throughout say nothing ("WHO AM I").
    """
    capitalised = [_is_capitalised(token.whole) for token in tokens]
    everywhere = all(capitalised)
    if everywhere and len(tokens) > 2:
        return frozenset()
    eligible = range(0 if everywhere else 1, len(tokens))
    return frozenset(
        index for index in eligible if capitalised[index] and (word := fold(tokens[index].whole)) in ignored and word not in _NEVER_NAMES
    )


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper() and word[1:] == word[1:].lower()


def _add_position(places: list[int], position: int) -> None:
    if position <= _POSITION_MAX:
        if len(places) < _POSITIONS_PER_LEXEME_MAX and (not places or places[-1] != position):
            places.append(position)
    elif not places:
        places.append(_POSITION_MAX)


def _quote(lexeme: str) -> str:
    return lexeme.replace("\\", "\\\\").replace("'", "''")
