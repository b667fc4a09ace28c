"""Step 0 and 1 of a recall: redact the question, and turn the principal into what may be searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.errors import InvalidInput
from governance.principals import Principal, Role
from governance.redaction.findings import JsonValue, RedactedText
from governance.redaction.names.known import KnownNames
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules
from governance.scopes import ScopeFilter, readable_by
from memdb.formation.check import check_data
from memdb.keyring import Keyring, Purpose
from memdb.models.submission import IDENTIFIER_CHARS_MAX, TAGS_MAX
from memdb.sessions.opening import require_session
from memdb.storage.access import list_listeners, load_audience
from memdb.storage.database import ReadConn
from memdb.storage.rows import facets_of
from memdb.text.normalise import clean, fold, is_blank
from retrieval.branches.registry import BRANCHES
from retrieval.query import LIMIT_MAX, QUERY_BYTES_MAX, TOKEN_BUDGET_MAX, Filters, RecallRequest

WEIGHT_MAX = 100
IDS_MAX = 1_000
PURPOSE_CHARS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class RedactedQuestion:
    """The question and its filters, past the redactor."""

    text: RedactedText
    filters: Filters
    purpose: RedactedText | None


def redact_question(
    request: RecallRequest,
    principal: Principal,
    *,
    redactor: Redactor,
    asked: tuple[RedactionRules, KnownNames],
    keyring: Keyring,
    now: datetime,
) -> RedactedQuestion:
    """Check and redact what the caller sent; only this goes on.

    Args:
        request: raw.
        principal: who asks.
        redactor: of this process.
        asked: rules of the brains that are asked, and names that the org has given.
        keyring: the root secret.
        now: the present moment.

    Raises:
        InvalidInput: a field is blank, out of range or contradictory.
        RedactionUnavailable: the redactor failed; nothing was searched.
    """
    check_request(request)
    rules, known = asked
    # A question belongs to no brain; its tokens are never stored, so they link nothing.
    key = keyring.derive(Purpose.PSEUDONYM, principal.org_id, context="question")
    numbering = redactor.numbering()

    def redacted(value: str, field: str) -> str:
        return redactor.redact(clean(value, field), rules=rules, key=key, numbering=numbering, known=known, field=field).text

    text = redactor.redact(clean(request.query, "query"), rules=rules, key=key, numbering=numbering, known=known, field="query")
    data = None
    if request.data is not None:
        wanted = check_data(request.data)
        if not wanted or _has_empty(wanted):
            raise InvalidInput("data holds an empty object or list, which no memory can match; leave it out", field="data")
        data = redactor.redact_json(wanted, rules=rules, key=key, numbering=numbering, known=known, field="data").value
    purpose = None
    if request.purpose is not None:
        purpose = redactor.redact(
            clean(request.purpose, "purpose"), rules=rules, key=key, numbering=numbering, known=known, field="purpose"
        )
    filters = Filters(
        kinds=None if request.kinds is None else tuple(sorted(k.value for k in request.kinds)),
        about=None if request.about is None else tuple(sorted(set(request.about))),
        said_by=None if request.said_by is None else (request.said_by,),
        topic=None if request.topic is None else fold(redacted(request.topic, "topic")).strip("/"),
        tags=None if request.tags is None else tuple(sorted({fold(redacted(tag, "tags")) for tag in request.tags})),
        facets=None if data is None else tuple(facets_of(data)),
        created_from=request.created_from,
        created_to=request.created_to,
        valid_at=request.valid_at or request.as_of or now,
        as_of=request.as_of,
        now=now,
    )
    return RedactedQuestion(text, filters, purpose)


def check_request(request: RecallRequest) -> None:
    """Raise InvalidInput for what no answer can be right for."""
    if is_blank(request.query):
        raise InvalidInput("query is blank", field="query")
    if len(request.query.encode("utf-8", "surrogatepass")) > QUERY_BYTES_MAX:
        raise InvalidInput(f"query is longer than {QUERY_BYTES_MAX} bytes", field="query")
    if not 1 <= request.limit <= LIMIT_MAX:
        raise InvalidInput(f"limit must be 1 to {LIMIT_MAX}", field="limit")
    if request.token_budget is not None and not 1 <= request.token_budget <= TOKEN_BUDGET_MAX:
        raise InvalidInput(f"token_budget must be 1 to {TOKEN_BUDGET_MAX}", field="token_budget")
    for field in ("kinds", "brains", "about", "audience", "tags"):
        value = getattr(request, field)
        if value is not None and not value:
            raise InvalidInput(f"{field} is an empty list; leave it out for no filter", field=field)
    if request.min_score is not None and not 0 <= request.min_score <= 1:
        raise InvalidInput("min_score must be 0 to 1", field="min_score")
    _check_sizes(request)
    _check_times(request)
    _check_weights(request)


def _check_sizes(request: RecallRequest) -> None:
    # What no memory can have is refused before the redactor reads it.
    for field, values in (("topic", [request.topic or ""]), ("tags", list(request.tags or ()))):
        if any(len(value) > IDENTIFIER_CHARS_MAX for value in values):
            raise InvalidInput(f"{field} is longer than {IDENTIFIER_CHARS_MAX} characters", field=field)
    if len(request.tags or ()) > TAGS_MAX:
        raise InvalidInput(f"more than {TAGS_MAX} tags", field="tags")
    for field in ("about", "audience", "brains"):
        if len(getattr(request, field) or ()) > IDS_MAX:
            raise InvalidInput(f"{field} lists more than {IDS_MAX} ids", field=field)
    if len(request.purpose or "") > PURPOSE_CHARS_MAX:
        raise InvalidInput(f"purpose is longer than {PURPOSE_CHARS_MAX} characters", field="purpose")


def _has_empty(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return not value or any(_has_empty(item) for item in value.values())
    return isinstance(value, list) and (not value or any(_has_empty(item) for item in value))


def _check_times(request: RecallRequest) -> None:
    for field in ("created_from", "created_to", "valid_at", "as_of"):
        moment = getattr(request, field)
        if moment is not None and moment.tzinfo is None:
            raise InvalidInput(f"{field} has no time zone; add Z or an offset", field=field)
    if request.created_from and request.created_to and request.created_from >= request.created_to:
        raise InvalidInput("created_from must lie before created_to", field="created_to")


def _check_weights(request: RecallRequest) -> None:
    if request.weights is None:
        return
    if not request.weights.keys() <= {branch.name for branch in BRANCHES}:
        raise InvalidInput("weights names a branch that does not exist; there are " + ", ".join(b.name for b in BRANCHES), field="weights")
    if not all(0 <= weight <= WEIGHT_MAX for weight in request.weights.values()):
        raise InvalidInput(f"a weight must be 0 to {WEIGHT_MAX}", field="weights")
    if not any(weight > 0 for weight in request.weights.values()):
        raise InvalidInput("at least one weight must be above 0", field="weights")


async def authorise(conn: ReadConn, principal: Principal, access: Mapping[UUID, Role], request: RecallRequest) -> ScopeFilter:
    """The brains that this request searches: the principal's, only those named, only what the whole audience may read.

    Raises:
        NotFound: `brains` names one that is unknown or unreadable, or the session is in none that may be read.
    """
    scope = readable_by(principal, access)
    audience = await _audience(conn, scope, request)
    if audience is not None:
        reached = await load_audience(conn, principal.org_id, audience)
        narrowed = scope.for_audience(list(reached.values()))
        # A named brain that the audience may not read gives nothing rather than an error: the caller itself may know it.
        wanted = scope.narrow(request.brains) if request.brains is not None else scope
        return narrowed.for_audience([wanted.brain_ids])
    return scope if request.brains is None else scope.narrow(request.brains)


async def _audience(conn: ReadConn, scope: ScopeFilter, request: RecallRequest) -> frozenset[UUID] | None:
    """Everybody who will see the answer; None: the caller alone. A session has its listeners, and a request can only add to them.

    An agent that listens is no person who learns something; where the whole org listens, so does a guest, who reads what the org reads.
    """
    asked = None if request.audience is None else frozenset(request.audience)
    if request.session_id is None:
        return asked
    session = await require_session(conn, scope, request.session_id)
    listeners = await list_listeners(conn, scope.org_id, session.brain_id)
    return (listeners | (asked or frozenset())) or asked
