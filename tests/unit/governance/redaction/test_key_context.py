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


@pytest.mark.parametrize("key", ["password", "senha", "passwd", "pass", "pwd", "db_password", "dbPassword", "SENHA_ANTIGA", "passphrase", "client_secret",
                                 "apiKey", "access_token", "otp", "cvv", "securityCode", "credentials", "x-api-key", "password_2"])  # fmt: skip
@pytest.mark.parametrize(
    "value", ["monkey", "m", "x9", "flor", "tulips in june", "a flor", "letmein", 987, 482913, "0", "correct horse battery", " spaced "]
)
def test_under_a_key_that_names_a_secret_the_whole_value_goes(redactor: Redactor, key: str, value: object) -> None:
    redacted = redactor.redact_json({key: value, "other": "monkey"}, rules=RedactionRules(), key=b"k" * 32, field="data")
    assert redacted.value in ({key: "[PASSWORD]", "other": "monkey"}, {key: "[API_KEY]", "other": "monkey"})
    assert redactor.redact_json(redacted.value, rules=RedactionRules(), key=b"k" * 32, field="data").value == redacted.value


@pytest.mark.parametrize(
    "value",
    [
        {"password_policy": "strict"}, {"has_password": "yes"}, {"max_tokens": 100}, {"token_count": 5}, {"secret_santa": "Bruno"}, {"passenger": "Bruno"},
        {"password": None}, {"password": True}, {"password": ""}, {"password": "${DB_PASSWORD}"}, {"password": "********"}, {"secret": "vault:db/main"},
        {"password": "required"}, {"compass": "north"}, {"bypass": "yes"}, {"key": "monkey"}, {"keyboard": "qwerty"}, {"primary_key": "id"},
        {"password": "[PASSWORD]"}, {"password": {"label": "wifi", "length": 12}},
    ],
)  # fmt: skip
def test_keys_that_only_sound_alike_and_values_that_are_none_stay(redactor: Redactor, value: object) -> None:
    assert redactor.redact_json(value, rules=RedactionRules(), key=b"k" * 32, field="data").value == value


def test_what_lies_deeper_under_such_a_key_goes_as_well(redactor: Redactor) -> None:
    value = {"credentials": {"user": "bob", "value": "letmein"}, "secrets": ["a", "b c"], "fields": [{"name": "senha", "value": "flor"}]}
    redacted = redactor.redact_json(value, rules=RedactionRules(), key=b"k" * 32, field="data")
    assert redacted.value == {
        "credentials": {"user": "bob", "value": "[PASSWORD]"},
        "secrets": ["[API_KEY]", "[API_KEY]"],
        "fields": [{"name": "senha", "value": "[PASSWORD]"}],
    }
