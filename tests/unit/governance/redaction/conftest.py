from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.redaction.findings import RedactedText
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules

KEY = b"k" * 32


@pytest.fixture(scope="session")
def redactor() -> Redactor:
    return Redactor()


@pytest.fixture(scope="session")
def redact(redactor: Redactor) -> Callable[[str], RedactedText]:
    rules = RedactionRules()
    return lambda text: redactor.redact(text, rules=rules, key=KEY, field="content")
