from __future__ import annotations

import pytest

from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"senha": {"valor": "girassol9"}}, {"senha": {"valor": "[PASSWORD]"}}),
        ({"senha": {"valores": [{"v": "girassol9"}]}}, {"senha": {"valores": [{"v": "[PASSWORD]"}]}}),
        ({"cpf": {"number": "529.982.247-26"}}, {"cpf": {"number": "[CPF_1]"}}),
        ([{"name": "DB_PASSWORD", "value": "girassol9"}], [{"name": "DB_PASSWORD", "value": "[PASSWORD]"}]),
        ({"password": {"updated": "2024-11-03T10:20:30Z", "label": "wifi"}}, {"password": {"updated": "2024-11-03T10:20:30Z", "label": "wifi"}}),
        ({"a": {"value": "girassol9"}, "name": "senha"}, {"a": {"value": "girassol9"}, "name": "senha"}),
    ],
)  # fmt: skip
def test_a_key_that_says_nothing_takes_its_context_from_above_or_beside(redactor: Redactor, value: object, expected: object) -> None:
    redacted = redactor.redact_json(value, rules=RedactionRules(), key=b"k" * 32, field="data")
    assert redacted.value == expected
