from __future__ import annotations

import pytest

from memdb.embedded.dump import _target_of
from memdb.errors import ConfigurationError


def test_password_goes_into_the_environment_and_not_into_the_target() -> None:
    target, environment = _target_of("postgresql://ana:p%40ss%2Fword@/memdb?host=%2Ftmp%2Fa%20b&port=5432")
    assert environment["PGPASSWORD"] == "p@ss/word"
    assert "p@ss" not in target
    assert "user=ana" in target
    assert "host='/tmp/a b'" in target


def test_url_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(ConfigurationError) as caught:
        _target_of("postgresql://ana:secret@host:port:port/%%")
    assert "secret" not in caught.value.message
    assert caught.value.__cause__ is None


def test_passphrase_of_a_client_key_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="passphrase"):
        _target_of("postgresql://ana@host/memdb?sslpassword=secret")
