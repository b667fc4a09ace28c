"""The seam for a statistical model of English names, and spaCy behind it.

A model is never a dependency: who wants one installs a pipeline and names its package in the configuration. Nothing here downloads. The
pipelines of spaCy's makers are not on the package index, where their names are free to squat, so that such a name is refused.
"""

from __future__ import annotations

import importlib.util
import re
from typing import TYPE_CHECKING, Any, Final, Protocol

import spacy

from governance.errors import InvalidInput
from governance.redaction.entities import LOCATION, PERSON
from governance.redaction.findings import EntityType, Finding
from governance.redaction.names.judge import is_portuguese
from governance.redaction.names.runs import words_of
from governance.redaction.recognizers.base import SHAPED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UPSTREAM: Final = re.compile(r"[a-z]{2}[-_](?:core|dep|ent)[-_](?:web|news|wiki|sci)[-_](?:sm|md|lg|trf)")
_LABELS: Final[Mapping[str, EntityType]] = {"PERSON": PERSON, "PER": PERSON, "GPE": LOCATION, "LOC": LOCATION, "FAC": LOCATION}


class NameModel(Protocol):
    """Finds people and places in a text in which everything else was blanked; safe in threads."""

    def find(self, text: str) -> Iterator[Finding]: ...


class SpacyModel:
    """A spaCy pipeline with a named-entity component. English only: on Portuguese an English model is worse than none.

    SECURITY: spaCy keeps every word that it ever saw for the life of the process, so it sees a text only after secrets and identifiers were
    blanked.
    """

    def __init__(self, pipeline: Any) -> None:  # noqa: ANN401 - spaCy's `Language` is not typed
        self._pipeline = pipeline

    def find(self, text: str) -> Iterator[Finding]:
        """Yield people and places, in order of place; nothing for a text that is rather Portuguese."""
        if is_portuguese(words_of(text)):
            return
        for span in self._pipeline(text).ents:
            entity = _LABELS.get(span.label_)
            if entity is not None and any(char.isalpha() for char in span.text):
                yield Finding(entity, span.start_char, span.end_char, SHAPED)


def load_spacy_model(package: str) -> SpacyModel:
    """Load the pipeline that an installed package holds.

    Args:
        package: its import name, such as `en_core_web_sm_acme`.

    Raises:
        InvalidInput: it is not installed, or has the name of an upstream pipeline.
    """
    if _UPSTREAM.fullmatch(package):
        raise InvalidInput("upstream pipelines are not on the package index; install one under a name of your own", field="name_model")
    if not package.isidentifier() or importlib.util.find_spec(package) is None:
        raise InvalidInput("no installed package has this name", field="name_model")
    return SpacyModel(spacy.load(package, disable=["lemmatizer", "tagger", "parser", "attribute_ruler"]))
