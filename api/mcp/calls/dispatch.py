"""One call of a tool from its name and arguments to its reply or its error. Knows nothing of transports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from api.errors import STATUS, log_failure
from api.mcp.arguments import check, find_identity
from api.mcp.caller import Caller
from api.mcp.calls.registry import CALLS
from api.mcp.replies import dump
from api.mcp.schema import Tool
from api.mcp.tools.registry import BY_NAME
from governance.audit import actor_of
from governance.errors import ServiceError
from memdb.storage.audit import Auditor, record

OK: Final = "ok"
INTERNAL: Final = "internal"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the client gets: one text of JSON. `code` is `ok`, or that of the error which the text tells."""

    text: str
    code: str = OK


async def call(caller: Caller, tool: Tool, arguments: Mapping[str, object] | None) -> Answer:
    """Call a tool; whatever goes wrong in it is an answer too, so that the model can do something about it."""
    try:
        await _refuse_identity(caller, tool, arguments)
        answer = Answer(await CALLS[tool.name](caller, check(tool, arguments)))
    except ServiceError as error:
        if STATUS[error.code] >= 500:
            log_failure(error)
        answer = Answer(dump({"code": error.code, "detail": error.message, "field": error.field}), error.code)
    except Exception as error:  # noqa: BLE001 - the last resort, as in api/middleware.py: an answer that tells nothing, and a log line
        log_failure(error)
        answer = Answer(dump({"code": INTERNAL, "detail": "the server failed"}), INTERNAL)
    who = caller.who
    _log.info("tool", action=tool.name, code=answer.code, key_id=who.principal.key_id, request_id=who.request_id)
    return answer


def find_tool(name: str) -> Tool | None:
    """The tool of this name."""
    return BY_NAME.get(name)


async def _refuse_identity(caller: Caller, tool: Tool, arguments: Mapping[str, object] | None) -> None:
    """SECURITY: somebody who names an identity tries to be another, or believes to be; either is worth a line and an audit event.

    `check` refuses the call.
    """
    if find_identity(tool, arguments) is None:
        return
    runtime, who = caller.runtime, caller.who
    principal = who.principal
    reason = "an argument names an identity"
    _log.warning("identity_argument_refused", action=tool.name, reason=reason, key_id=principal.key_id, request_id=who.request_id)
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=runtime.clock.now(), request_id=who.request_id)
    async with runtime.database.write(who.identity) as conn:
        await record(conn, auditor.event("identity_argument.refused", ("subject", principal.subject_id), detail={"tool": tool.name}))
