"""Step 2: personal data and secrets go, in every field. Raw text ends here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

from governance.redaction.findings import RedactedText, Redaction
from governance.redaction.policy import OrgRedaction
from governance.redaction.redactor import Redactor
from memdb.formation.stages import Authorised, Redacted, RedactedFragment
from memdb.keyring import Keyring, Purpose
from memdb.models.memory import StoredRedaction
from memdb.models.submission import Source, Submission


def redact(item: Authorised, *, redactor: Redactor, org: OrgRedaction, keyring: Keyring) -> Redacted:
    """Redact content, data and the source; check topic, tags and external ids to be free of personal data.

    Labels are numbered over all fields of one memory, and tokens link within one brain only.

    Raises:
        PersonalDataInIdentifier: a topic, tag, data key or external id holds personal data.
        RedactionUnavailable: the redactor failed; nothing goes on.
    """
    submission, rules = item.submission, org.policy.rules_for(item.brain_id)
    key = keyring.derive(Purpose.PSEUDONYM, item.principal.org_id, context=str(item.brain_id))
    numbering = redactor.numbering()

    def redacted(text: str, field: str) -> RedactedText:
        return redactor.redact(text, rules=rules, key=key, numbering=numbering, field=field, known=org.known)

    for raw in _texts(submission):
        numbering.reserve(raw)
    for value, field in _identifiers(submission.topic, submission.tags, submission.source):
        redactor.check_identifier(value, field, rules)
    content = redacted(submission.content, "content")
    data = redactor.redact_json(dict(submission.data), rules=rules, key=key, numbering=numbering, field="data", known=org.known)
    found = [stored("content", r) for r in content.redactions]
    found += [stored(f"data.{r.path}" if r.path else "data", r.redaction) for r in data.redactions]
    fragment = None
    source = submission.source
    if source is not None:
        text = redacted(source.text, "source.text") if source.text else content
        speaker = redacted(source.speaker, "source.speaker") if source.speaker else None
        if source.text:
            found += [stored("source.text", r) for r in text.redactions]
        if speaker:
            found += [stored("source.speaker", r) for r in speaker.redactions]
        fragment = RedactedFragment(
            episode=source.episode if source.turn is None else f"session/{source.turn.session_id}",
            started_at=source.started_at,
            position=source.position,
            speaker=speaker,
            said_at=source.said_at,
            text=text,
            turn_id=None if source.turn is None else source.turn.turn_id,
        )
    return Redacted(
        principal=item.principal,
        brain_id=item.brain_id,
        now=item.now,
        replaces=item.replaces,
        expected_version=item.expected_version,
        unit=item.unit,
        kind=submission.kind,
        content=content,
        data=data,
        topic=submission.topic,
        tags=submission.tags,
        about=submission.about,
        said_by=submission.said_by,
        source_kind=None if source is None else source.kind,
        fragment=fragment,
        valid_from=submission.valid_from,
        valid_to=submission.valid_to,
        expires_at=None if submission.ttl_seconds is None else item.now + timedelta(seconds=submission.ttl_seconds),
        placement=submission.placement,
        attributed=submission.attributed,
        claim=submission.claim,
        derived_trust=submission.trust,
        redactions=(*_kept(item, content.text, data.value), *found),
    )


def _kept(item: Authorised, content: str, data: object) -> list[StoredRedaction]:
    """Of an edit, the redactions of what it leaves as it was: labels in that text are no news to the redactor."""
    before = item.replaces
    if before is None:
        return []
    same = {"content": before.content == content, "data": before.data == data}
    return [r for r in before.redactions if same.get(r.root, False)]


def _texts(submission: Submission) -> Iterator[str]:
    """Every text of a memory that is rewritten: labels that stand in one of them are taken in all of them."""
    yield submission.content
    yield from strings(submission.data)
    if submission.source is not None:
        yield from (text for text in (submission.source.text, submission.source.speaker) if text)


def strings(value: object) -> Iterator[str]:
    """Every string value of a JSON value, in document order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def _identifiers(topic: str | None, tags: tuple[str, ...], source: Source | None) -> list[tuple[str, str]]:
    named = [(topic, "topic")] + [(tag, "tags") for tag in tags]
    if source is not None:
        named.append((source.episode, "source.episode.external_id"))
    return [(value, field) for value, field in named if value]


def stored(field: str, redaction: Redaction) -> StoredRedaction:
    """A redaction as it is kept beside a memory."""
    return StoredRedaction(field, str(redaction.entity), redaction.action.value, redaction.start, redaction.end, redaction.token)
