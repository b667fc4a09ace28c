"""Limits and shapes of a submission, before any step looks at it. Errors name the field and the limit, never the value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from governance.errors import ContentTooLarge, InvalidInput
from governance.redaction.findings import JsonValue
from memdb.models.memory import Kind
from memdb.models.submission import (
    ABOUT_MAX,
    CONTENT_BYTES_MAX,
    DATA_BYTES_MAX,
    FRAGMENT_BYTES_MAX,
    IDENTIFIER_CHARS_MAX,
    TAGS_MAX,
    TTL_SECONDS_MAX,
    Source,
    Submission,
)
from memdb.text.normalise import clean, is_blank, visible

POSITION_MAX = 2**31 - 1


def check(submission: Submission, *, edit: bool = False) -> Submission:
    """The submission with cleaned text, or the first thing that is wrong with it. An edit keeps the end of a working memory.

    Raises:
        InvalidInput, ContentTooLarge: a field is blank, too long, contradictory or not storable.
    """
    _check_times(submission, edit=edit)
    if len(submission.about) > ABOUT_MAX:
        raise InvalidInput(f"about lists more than {ABOUT_MAX} subjects", field="about")
    return replace(
        submission,
        content=check_content(submission.content),
        topic=None if submission.topic is None else check_topic(submission.topic),
        tags=check_tags(submission.tags),
        data=check_data(submission.data),
        about=tuple(sorted(set(submission.about))),
        source=None if submission.source is None else _check_source(submission.source),
    )


def check_content(content: str) -> str:
    """Storable content that says something, at most 16 KiB of UTF-8."""
    text = clean(content, "content")
    if is_blank(text):
        raise InvalidInput("content is blank", field="content")
    if len(text.encode()) > CONTENT_BYTES_MAX:
        raise ContentTooLarge(f"content is longer than {CONTENT_BYTES_MAX} bytes; a memory is one statement, split it", field="content")
    return text


def check_identifier(value: str, field: str) -> str:
    """A topic, tag or external id: one visible line of at most 200 characters."""
    text = visible(clean(value, field))
    if not text:
        raise InvalidInput(f"{field} is blank", field=field)
    if len(text) > IDENTIFIER_CHARS_MAX:
        raise InvalidInput(f"{field} is longer than {IDENTIFIER_CHARS_MAX} characters", field=field)
    return text


def check_topic(topic: str) -> str:
    """A path: an identifier whose parts say something; what lies between two slashes, or before or behind them all, is left out.

    >>> check_topic(" /clients//meridian/ ")
    'clients/meridian'
    """
    path = "/".join(part for part in (part.strip() for part in check_identifier(topic, "topic").split("/")) if part)
    if not path:
        raise InvalidInput("topic is blank", field="topic")
    return path


def check_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Sorted distinct tags, at most 32."""
    if len(tags) > TAGS_MAX:
        raise InvalidInput(f"more than {TAGS_MAX} tags", field="tags")
    return tuple(sorted({check_identifier(tag, "tags") for tag in tags}))


def _check_times(submission: Submission, *, edit: bool) -> None:
    for field in ("valid_from", "valid_to"):
        _aware(getattr(submission, field), field)
    if submission.valid_from and submission.valid_to and submission.valid_from >= submission.valid_to:
        raise InvalidInput("valid_from must lie before valid_to", field="valid_to")
    if submission.kind is Kind.WORKING and submission.ttl_seconds is None and not edit:
        raise InvalidInput("a working memory needs ttl_seconds", field="ttl_seconds")
    if submission.ttl_seconds is not None and submission.kind is not Kind.WORKING:
        raise InvalidInput("only a working memory takes ttl_seconds; other kinds end by valid_to", field="ttl_seconds")
    if submission.ttl_seconds is not None and not 1 <= submission.ttl_seconds <= TTL_SECONDS_MAX:
        raise InvalidInput(f"ttl_seconds must be 1 to {TTL_SECONDS_MAX}", field="ttl_seconds")


def _aware(moment: datetime | None, field: str) -> None:
    if moment is not None and moment.tzinfo is None:
        raise InvalidInput(f"{field} has no time zone; add Z or an offset", field=field)


def check_data(data: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Storable data: at most 16 KiB of JSON, keys as identifiers, numbers as the database gives them back.

    Raises:
        InvalidInput, ContentTooLarge: it is not JSON, too long, or a string or key of it is not storable.
    """
    if not isinstance(data, dict):
        raise InvalidInput("data must be an object", field="data")
    try:
        size = len(json.dumps(data, allow_nan=False).encode())
    except (ValueError, TypeError, RecursionError):
        raise InvalidInput("data is not valid JSON: no NaN, no infinity, no deep nesting", field="data") from None
    if size > DATA_BYTES_MAX:
        raise ContentTooLarge(f"data is longer than {DATA_BYTES_MAX} bytes", field="data")
    cleaned = _clean_json(data)
    assert isinstance(cleaned, dict), "cleaning keeps the shape"
    return cleaned


def _clean_json(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return clean(value, "data")
    if isinstance(value, float):
        return _stored_number(value)
    if isinstance(value, list):
        return [_clean_json(item) for item in value]
    if isinstance(value, dict):
        cleaned = {check_identifier(str(key), "data"): _clean_json(item) for key, item in value.items()}
        if len(cleaned) < len(value):
            raise InvalidInput("data has two keys that look alike; rename one", field="data")
        return cleaned
    return value


def _stored_number(value: float) -> int | float:
    """A number as it comes back from jsonb, which has no negative zero and writes large numbers out: seals are over what comes back.

    >>> _stored_number(-0.0), _stored_number(1e16), _stored_number(0.5)
    (0.0, 10000000000000000, 0.5)
    """
    if value == 0:
        return 0.0
    return int(Decimal(repr(value))) if value.is_integer() and "e" in repr(value) else value


def _check_source(source: Source) -> Source:
    for field in ("started_at", "said_at"):
        _aware(getattr(source, field), f"source.{field}")
    if source.position is not None and not 0 <= source.position <= POSITION_MAX:
        raise InvalidInput(f"source.position must be 0 to {POSITION_MAX}", field="source.position")
    text = None if source.text is None else clean(source.text, "source.text")
    if text is not None and is_blank(text):
        raise InvalidInput("source.text is blank", field="source.text")
    if text is not None and len(text.encode()) > FRAGMENT_BYTES_MAX:
        raise ContentTooLarge(f"source.text is longer than {FRAGMENT_BYTES_MAX} bytes", field="source.text")
    return replace(
        source,
        text=text,
        episode=None if source.episode is None else check_identifier(source.episode, "source.episode.external_id"),
        speaker=None if source.speaker is None else check_identifier(source.speaker, "source.speaker"),
    )
