"""Step 4: only extract. Language, mentions, words, the time of the event, weight, a topic and a place to offer; nothing is concluded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from memdb.formation.placement import GIVEN, Proposal, propose
from memdb.formation.stages import Enriched, Inspected, grow
from memdb.models.memory import Kind
from memdb.providers.entities.base import EntityExtractor, Mention, MentionKind
from memdb.text.language import detect
from memdb.text.lexemes import analyse
from memdb.text.times import find_times

# Weight before anything is known of its use. Chosen by hand: a procedure or definition is written down to be kept, a named subject or a
# date makes a statement concrete, a working note is a scratch pad. Only a tie-breaker until outcomes are counted.
_BASE_WEIGHT = {Kind.PROCEDURAL: 0.5, Kind.TAXONOMIC: 0.5, Kind.SEMANTIC: 0.4, Kind.EPISODIC: 0.3, Kind.WORKING: 0.2}
_TOPIC_PREFIX = {MentionKind.SUBJECT: "subjects", MentionKind.PERSON: "people", MentionKind.ORG: "orgs", MentionKind.PLACE: "places"}


def enrich(item: Inspected, *, extractor: EntityExtractor, dictionary: Mapping[str, Sequence[UUID]]) -> Enriched:
    """Extract from the redacted content. Times are resolved against when it was said, else against now."""
    text = item.content.text
    language = detect(text)
    mentions = tuple(extractor.extract(text, language, dictionary))
    fragment = item.fragment
    said_at = (fragment.said_at or fragment.started_at) if fragment else None
    times = find_times(text, language, said_at or item.now)
    return grow(
        Enriched,
        item,
        language=language,
        mentions=mentions,
        words=analyse(text, language),
        event_from=times[0].from_ if times else None,
        event_to=times[0].to if times else None,
        importance=_weight(item.kind, mentions, timed=bool(times), about=bool(item.about)),
        suggested_topic=None if item.topic else _suggest(mentions),
        proposal=_place(item),
    )


def _place(item: Inspected) -> Proposal:
    if item.placement is not None:
        return Proposal(item.placement, GIVEN)
    return propose(item.kind, item.content.text, item.topic, item.tags, about=bool(item.about))


def _weight(kind: Kind, mentions: tuple[Mention, ...], *, timed: bool, about: bool) -> float:
    named = about or any(m.kind is MentionKind.SUBJECT for m in mentions)
    return min(1.0, _BASE_WEIGHT[kind] + 0.2 * named + 0.1 * timed + 0.1 * bool(mentions))


def _suggest(mentions: tuple[Mention, ...]) -> str | None:
    ranked = sorted(mentions, key=lambda m: (m.kind is not MentionKind.SUBJECT, m.start))
    for mention in ranked:
        slug = re.sub(r"[^\w]+", "-", mention.name_folded).strip("-")
        if slug:
            return f"{_TOPIC_PREFIX.get(mention.kind, 'things')}/{slug}"
    return None
