"""The one place where presidio is set up: what runs, in which language, and what it must not do.

One pass serves every language. Our recognizers look at forms, check digits and words of English and Portuguese together, so a language code
would only decide which half of them is blind; `xx`, spaCy's code for any language, is the only one here.

The spaCy pipeline is blank and no text is tokenised: spaCy keeps every string it ever saw for the life of the process, which for this
text means every password. Context words are looked up by the recognizers themselves in the characters before a match.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, Final

import spacy
import tldextract
from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry, RecognizerResult
from presidio_analyzer.context_aware_enhancers import ContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

from governance.redaction.custom import CustomRecognizer, find_custom
from governance.redaction.entities import LABEL
from governance.redaction.findings import EntityType, Finding
from governance.redaction.normalise import analysis_text
from governance.redaction.recognizers.base import BLANK, THRESHOLD
from governance.redaction.recognizers.registry import RECOGNIZERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from governance.redaction.recognizers.base import Recognizer

LANGUAGE: Final = "xx"


def _pin_offline() -> None:
    """Make tldextract use the public suffix list inside its package: by default the first e-mail makes it call two servers."""
    setattr(tldextract, "extract", tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None))  # noqa: B010 - presidio looks it up by this name; its declared type is the function's


def _silence() -> None:
    """SECURITY: presidio logs values that it could not check, and its decision logger has a handler of its own from import on."""
    for name in ("presidio-analyzer", "decision_process", "presidio-anonymizer", "tldextract"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
        logger.setLevel(logging.CRITICAL + 1)


class _BlankNlpEngine(NlpEngine):
    """A blank spaCy pipeline that gives no tokens; the seam where a pipeline with names can stand."""

    def __init__(self) -> None:
        self._empty = spacy.blank(LANGUAGE).make_doc("")

    def load(self) -> None:
        """Nothing to load: the pipeline is made by the constructor."""

    def is_loaded(self) -> bool:
        return True

    def process_text(self, text: str, language: str) -> NlpArtifacts:  # noqa: ARG002 - presidio's signature
        return NlpArtifacts(entities=[], tokens=self._empty, tokens_indices=[], lemmas=[], nlp_engine=None, language=language)

    def process_batch(
        self,
        texts: Iterable[str],
        language: str,
        batch_size: int = 1,  # noqa: ARG002 - presidio's signature
        n_process: int = 1,  # noqa: ARG002 - presidio's signature
        **_kwargs: object,
    ) -> Iterator[tuple[str, NlpArtifacts]]:
        return ((text, self.process_text(text, language)) for text in texts)

    def is_stopword(self, word: str, language: str) -> bool:  # noqa: ARG002 - presidio's signature
        return False

    def is_punct(self, word: str, language: str) -> bool:  # noqa: ARG002 - presidio's signature
        return False

    def get_supported_entities(self) -> list[str]:
        return []

    def get_supported_languages(self) -> list[str]:
        return [LANGUAGE]


class _NoEnhancer(ContextAwareEnhancer):
    """Scores stay as recognizers gave them: they looked at the context already."""

    def __init__(self) -> None:
        super().__init__(context_similarity_factor=0, min_score_with_context_similarity=0, context_prefix_count=0, context_suffix_count=0)

    def enhance_using_context(
        self,
        text: str,  # noqa: ARG002 - presidio's signature
        raw_results: list[RecognizerResult],
        *_args: object,
        **_kwargs: object,
    ) -> list[RecognizerResult]:
        return raw_results


class _Adapter(EntityRecognizer):
    """One of our recognizers as presidio wants to see it."""

    def __init__(self, recognizer: Recognizer) -> None:
        self._find = recognizer.find
        super().__init__(supported_entities=list(recognizer.entities), name=recognizer.name, supported_language=LANGUAGE)

    def load(self) -> None:
        """Nothing to load: patterns are compiled at import."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:  # noqa: ANN401, ARG002 - presidio's signature
        return [RecognizerResult(found.entity, found.start, found.end, found.score) for found in self._find(text)]


class Analyzer:
    """Finds personal data and secrets. Built once, stateless afterwards, safe in threads; uses no network.

    Every exception of a recognizer crosses: who calls decides that nothing is stored then.
    """

    def __init__(self, recognizers: tuple[Recognizer, ...] = RECOGNIZERS) -> None:
        _pin_offline()
        _silence()
        registry = RecognizerRegistry(recognizers=[_Adapter(recognizer) for recognizer in recognizers], supported_languages=[LANGUAGE])
        self._engine = AnalyzerEngine(
            registry=registry,
            nlp_engine=_BlankNlpEngine(),
            log_decision_process=False,
            supported_languages=[LANGUAGE],
            context_aware_enhancer=_NoEnhancer(),
        )
        self._entities = sorted({str(entity) for recognizer in recognizers for entity in recognizer.entities})

    def find(self, text: str, custom: Sequence[CustomRecognizer] = (), labels: re.Pattern[str] = LABEL) -> tuple[Finding, ...]:
        """Return all findings in code-point offsets of `text`, overlapping ones too, in order of place, then score.

        Labels of earlier redactions are never part of one.

        Args:
            text: any text.
            custom: what an org looks for besides.
            labels: how labels look in this org.
        """
        if not text or text.isspace():
            return ()
        shown = analysis_text(text, labels)
        results = self._engine.analyze(
            shown.text, LANGUAGE, entities=self._entities, score_threshold=THRESHOLD, return_decision_process=True
        )
        findings = [
            Finding(EntityType(result.entity_type), *shown.original_span(result.start, result.end), float(result.score))
            for result in results
            if BLANK not in shown.text[result.start : result.end]
        ]
        findings += [
            Finding(found.entity, *shown.original_span(found.start, found.end), found.score) for found in find_custom(shown.text, custom)
        ]
        return tuple(sorted(findings, key=lambda found: (found.start, found.end, -found.score, found.entity)))
