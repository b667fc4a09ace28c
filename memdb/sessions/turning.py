"""A turn on its way to be stored: checked, redacted, attributed. Pure but for the redactor."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from governance.errors import ContentTooLarge, InvalidInput
from governance.principals import Principal
from governance.redaction.policy import OrgRedaction
from governance.redaction.redactor import Redactor
from governance.trust import Trust, lower
from memdb.directory.labels import NAME_CHARACTERS_MAX
from memdb.formation.check import check_identifier
from memdb.formation.redact import stored
from memdb.ids import make_id
from memdb.keyring import Keyring, Purpose
from memdb.models.submission import SourceKind
from memdb.models.turn import ATTACHMENTS_MAX, TURN_BYTES_MAX, TURNS_MAX, Attachment, TurnRole, TurnSubmission
from memdb.storage.turns import NewTurn
from memdb.text.normalise import clean, is_blank

URI_CHARACTERS_MAX = 2_000
AHEAD_MAX: Final = timedelta(days=1)
"""How far a speaker's clock may be ahead; a wrong offset is off by less."""
_ROLE_TRUST = {TurnRole.TOOL: Trust.TOOL, TurnRole.ASSISTANT: Trust.AGENT}
_SOURCE_TRUST = {
    SourceKind.TOOL: Trust.TOOL,
    SourceKind.WEB: Trust.WEB,
    SourceKind.FILE: Trust.IMPORTED,
    SourceKind.IMPORTED: Trust.IMPORTED,
}


@dataclass(frozen=True, slots=True)
class Recorder:
    """Who records, and into which session of which brain. `speakers`: the caller's own subjects by role, where a turn names nobody."""

    principal: Principal
    brain_id: UUID
    session_id: UUID
    speakers: dict[TurnRole, UUID]


def check_turns(turns: Sequence[TurnSubmission], now: datetime) -> list[TurnSubmission]:
    """The turns with cleaned text.

    Args:
        turns: of one request.
        now: aware; what was said is not said after it, but for clocks that go differently.

    Raises:
        InvalidInput, ContentTooLarge: there is none, there are too many, or one is blank, too long or not storable; names its place.
    """
    if not 1 <= len(turns) <= TURNS_MAX:
        raise InvalidInput(f"a request appends 1 to {TURNS_MAX} turns", field="turns")
    return [_checked(turn, f"turns[{place}]", now + AHEAD_MAX) for place, turn in enumerate(turns)]


def _checked(turn: TurnSubmission, field: str, latest: datetime) -> TurnSubmission:
    text = clean(turn.text, f"{field}.text")
    if is_blank(text):
        raise InvalidInput(f"{field}.text is blank", field=f"{field}.text")
    if len(text.encode()) > TURN_BYTES_MAX:
        raise ContentTooLarge(f"{field}.text is longer than {TURN_BYTES_MAX} bytes; split it or attach it", field=f"{field}.text")
    if turn.said_at is not None and turn.said_at.tzinfo is None:
        raise InvalidInput(f"{field}.said_at has no time zone; add Z or an offset", field=f"{field}.said_at")
    if turn.said_at is not None and turn.said_at > latest:
        message = f"{field}.said_at lies more than a day ahead; check the year and the offset, or leave it out"
        raise InvalidInput(message, field=f"{field}.said_at")
    if len(turn.attachments) > ATTACHMENTS_MAX:
        raise InvalidInput(f"{field} has more than {ATTACHMENTS_MAX} attachments", field=f"{field}.attachments")
    if turn.reply_to is not None and turn.reply_to == turn.client_turn_id:
        raise InvalidInput(f"{field} answers itself", field=f"{field}.reply_to")
    return replace(
        turn,
        text=text,
        speaker=None if turn.speaker is None else _name(turn.speaker, f"{field}.speaker"),
        client_turn_id=_identifier(turn.client_turn_id, f"{field}.client_turn_id"),
        reply_to=_identifier(turn.reply_to, f"{field}.reply_to"),
        attachments=tuple(_attachment(one, f"{field}.attachments[{place}]") for place, one in enumerate(turn.attachments)),
    )


def _name(value: str, field: str) -> str:
    name = " ".join(clean(value, field).split())
    if is_blank(name) or len(name) > NAME_CHARACTERS_MAX:
        raise InvalidInput(f"{field} must be 1 to {NAME_CHARACTERS_MAX} characters and not blank", field=field)
    return name


def _identifier(value: str | None, field: str) -> str | None:
    return None if value is None else check_identifier(value, field)


def _attachment(one: Attachment, field: str) -> Attachment:
    check_identifier(one.kind, f"{field}.kind")
    for name, value in (("name", one.name), ("media_type", one.media_type)):
        if value is not None:
            check_identifier(value, f"{field}.{name}")
    if one.uri is not None and (is_blank(one.uri) or len(one.uri) > URI_CHARACTERS_MAX):
        raise InvalidInput(f"{field}.uri must be 1 to {URI_CHARACTERS_MAX} characters", field=f"{field}.uri")
    return replace(one, uri=None if one.uri is None else clean(one.uri, f"{field}.uri"))


def prepare(
    turns: Sequence[TurnSubmission], into: Recorder, *, places: Sequence[int], redactor: Redactor, org: OrgRedaction, keyring: Keyring
) -> list[NewTurn]:
    """Turns past the redactor, ready to be stored.

    Args:
        turns: as `check_turns` gives them.
        into: whose, and where.
        places: of each in the request, which errors name.
        redactor: of this process.
        org: the policy of the org, and names that it has given.
        keyring: the root secret.

    Raises:
        PersonalDataInIdentifier: a client id holds personal data.
        RedactionUnavailable: the redactor failed; nothing goes on.
    """
    return [_prepared(turn, f"turns[{place}]", into, redactor, org, keyring) for place, turn in zip(places, turns, strict=True)]


def _prepared(turn: TurnSubmission, field: str, into: Recorder, redactor: Redactor, org: OrgRedaction, keyring: Keyring) -> NewTurn:
    rules = org.policy.rules_for(into.brain_id)
    key = keyring.derive(Purpose.PSEUDONYM, into.principal.org_id, context=str(into.brain_id))
    numbering = redactor.numbering()
    for raw in (turn.text, turn.speaker or ""):
        numbering.reserve(raw)
    if turn.client_turn_id is not None:
        redactor.check_identifier(turn.client_turn_id, f"{field}.client_turn_id", rules)
    text = redactor.redact(turn.text, rules=rules, key=key, numbering=numbering, field=f"{field}.text", known=org.known)
    speaker = None
    if turn.speaker is not None:
        speaker = redactor.redact(turn.speaker, rules=rules, key=key, numbering=numbering, field=f"{field}.speaker", known=org.known)
    beside = [{name: value for name, value in asdict(one).items() if value is not None} for one in turn.attachments]
    attachments = redactor.redact_json(beside, rules=rules, key=key, numbering=numbering, field=f"{field}.attachments", known=org.known)
    found = [stored("text", r) for r in text.redactions]
    found += [stored("speaker", r) for r in speaker.redactions] if speaker is not None else []
    found += [stored(f"attachments{r.path}", r.redaction) for r in attachments.redactions]
    digests = keyring.derive(Purpose.TURN, into.principal.org_id, context=str(into.session_id))
    has_id = turn.client_turn_id is not None
    return NewTurn(
        id=make_id(),
        role=turn.role,
        speaker_id=turn.speaker_id or (into.speakers.get(turn.role) if turn.speaker is None and not turn.by_stranger else None),
        speaker=speaker,
        text=text,
        redactions=tuple(found),
        attachments=attachments,
        said_at=turn.said_at,
        reply_to=None,
        reply_hash=None if turn.reply_to is None else _digest(digests, turn.reply_to),
        client_hash=_digest(digests, turn.client_turn_id) if turn.client_turn_id is not None else None,
        body_hash=_digest(digests, _canonical(turn)) if has_id else None,
        trust=_trust(turn, into.principal).label,
        source_kind=None if turn.source_kind is None else turn.source_kind.value,
    )


def _trust(turn: TurnSubmission, principal: Principal) -> Trust:
    trust = lower(principal.trust, _ROLE_TRUST.get(turn.role))
    trust = lower(trust, None if turn.source_kind is None else _SOURCE_TRUST.get(turn.source_kind))
    return lower(trust, Trust.WEB if turn.guest else None)


def _canonical(turn: TurnSubmission) -> str:
    """Who said what: a caller that sends a turn again may stamp it anew."""
    return json.dumps([turn.text, turn.role.value, None if turn.speaker_id is None else str(turn.speaker_id), turn.speaker])


def _digest(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), hashlib.sha256)


def subjects_named(turns: Sequence[TurnSubmission]) -> Collection[UUID]:
    """The subjects that turns name as their speakers."""
    return {turn.speaker_id for turn in turns if turn.speaker_id is not None}
