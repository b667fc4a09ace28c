"""Which language a text is in: by script where the script tells, else py3langid limited to English, Portuguese and Spanish."""

from __future__ import annotations

import re
import threading
from typing import Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from memdb.text.normalise import fold
from memdb.text.stop_words import STOP_WORDS

UNKNOWN: Final = "und"
"""ISO 639-2 code for "undetermined"."""

_LATIN_LANGUAGES = ("en", "pt", "es")
_LETTERS_MIN = 3
# Of three languages, 1/3 each is a tie. "casa" (es 0.46, pt 0.45) is one too; "deploy kubernetes" (en 0.57) is not.
_PROBABILITY_MIN = 0.55
_SAMPLE_CHARACTERS = 4_000  # the answer does not change beyond, and the time grows with the length

_SCRIPTS: Final[dict[str, re.Pattern[str]]] = {
    "kana": re.compile("[\u3041-\u30fa\u30fc-\u30ff\uff66-\uff9f]"),
    "han": re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    "ko": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]"),
    "ru": re.compile("[\u0400-\u052f]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
}
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_IDEOGRAPH_LETTERS = 3  # one ideograph says about as much as three letters
# Words with digits, addresses and paths have no language.
_NO_LANGUAGE = re.compile(r"[\d@/\\_]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_lock = threading.Lock()
_identifier: LanguageIdentifier | None = None


def detect(text: str, default: str = UNKNOWN) -> str:
    """Name the language of a text as an ISO 639-1 code.

    Args:
        text: any text; the first 4,000 characters decide.
        default: the answer for fewer than three letters and for ties, such as the language of the conversation.

    >>> detect("Where does Ana live?"), detect("Onde a Ana mora?"), detect("12345", default="pt")
    ('en', 'pt', 'pt')
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if not sample.isascii():
        by_script = _detect_by_script(sample)
        if by_script is not None:
            return by_script
    words = " ".join(word for word in sample.split() if not _NO_LANGUAGE.search(word))
    if len(_LATIN.findall(words)) < _LETTERS_MIN:
        return default
    language, probability = _shared_identifier().classify(words.encode("utf-8", "replace"))
    if probability >= _PROBABILITY_MIN:
        return str(language)
    return _detect_by_stop_words(words) or default


def _detect_by_stop_words(words: str) -> str | None:
    """Break a tie by function words: "onde a Ana mora" has two of Portuguese, one of Spanish and English; None if that is a tie too."""
    folded = _WORD.findall(fold(words))
    counts = sorted(((sum(word in known for word in folded), language) for language, known in STOP_WORDS.items()), reverse=True)
    return counts[0][1] if counts[0][0] > counts[1][0] else None


def _detect_by_script(sample: str) -> str | None:
    """Name the language whose script has most of the letters; None when that is the Latin one or there are none."""
    letters = {script: len(pattern.findall(sample)) for script, pattern in _SCRIPTS.items()}
    ideographs = _IDEOGRAPH_LETTERS * (letters.pop("kana") + letters.pop("han"))
    if ideographs:
        # Japanese always has kana between its ideographs; Chinese has none.
        letters["ja" if _SCRIPTS["kana"].search(sample) else "zh"] = ideographs
    script, most = max(letters.items(), key=lambda entry: entry[1])
    return script if most > len(_LATIN.findall(sample)) else None


def _shared_identifier() -> LanguageIdentifier:
    """Load the model once per process. Our own instance, because `py3langid.set_languages` changes the module's for everybody."""
    global _identifier  # noqa: PLW0603 - one model of 90 MB per process, made on first use under the lock
    if _identifier is None:
        with _lock:
            if _identifier is None:
                identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
                identifier.set_languages(_LATIN_LANGUAGES)
                _identifier = identifier
    return _identifier
