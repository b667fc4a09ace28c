"""Step 1: may this principal write into that brain? The memory's home is decided here, so that the keys of redaction are known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from governance.errors import InvalidInput
from governance.principals import Principal, Role
from governance.scopes import require_role
from memdb.formation.check import check
from memdb.formation.stages import Authorised
from memdb.models.submission import Submission


def authorise(
    submission: Submission, *, principal: Principal, access: Mapping[UUID, Role], home_brain_id: UUID | None, now: datetime
) -> Authorised:
    """Allow the write and name its brain: the one given, else the subject's home brain.

    Raises:
        NotFound: the brain is unknown or unreadable.
        AccessDenied: the principal may read it but not write.
        InvalidInput: no brain was given and the subject has no home brain; or the submission is malformed.
    """
    brain_id = submission.brain_id or home_brain_id
    if brain_id is None:
        raise InvalidInput("this subject has no home brain; name one in brain_id", field="brain_id")
    require_role(principal, access, brain_id, Role.WRITER)
    return Authorised(principal=principal, submission=check(submission), brain_id=brain_id, now=now)
