from __future__ import annotations

import pytest

from governance.redaction.policy import OrgRedaction, RedactionPolicy
from governance.redaction.redactor import Redactor
from memdb.formation.redact import redact
from memdb.formation.stages import Authorised, Redacted
from memdb.keyring import Keyring, make_root_key
from memdb.models.memory import Kind
from memdb.models.submission import Source, Submission
from tests.support.memories import BRAIN, NOW, make_principal


@pytest.fixture(scope="session")
def redacted() -> Redacted:
    """A submission past the real redactor, which alone makes this type."""
    raw = Submission("Write to ana@example.com", Kind.SEMANTIC, data={"a": 1}, source=Source(episode="call", speaker="Ana"))
    authorised = Authorised(principal=make_principal(), submission=raw, brain_id=BRAIN, now=NOW)
    return redact(authorised, redactor=Redactor(), org=OrgRedaction(RedactionPolicy()), keyring=Keyring((make_root_key(),)))
