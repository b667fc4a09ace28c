from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memdb.embedded.credentials import find_credentials, make_credentials, save_credentials
from memdb.errors import ConfigurationError


def test_what_was_saved_is_found_and_private(tmp_path: Path) -> None:
    path = tmp_path / "credentials.json"
    assert find_credentials(path) is None
    credentials = make_credentials()
    save_credentials(path, credentials)
    assert find_credentials(path) == credentials
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_passwords_are_random_per_role_and_never_shown() -> None:
    first, second = make_credentials(), make_credentials()
    known = [*first.passwords.values(), *second.passwords.values()]
    assert len(set(known)) == 6
    assert not any(password in repr(first) for password in known)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 2, "passwords": {}}', '{"format": 1, "passwords": {"postgres": ""}}', "\udcff"]
)
def test_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "credentials.json"
    save_credentials(path, make_credentials())
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ConfigurationError, match="damaged"):
        find_credentials(path)


def test_open_file_and_link_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "credentials.json"
    save_credentials(path, make_credentials())
    link = tmp_path / "link.json"
    link.symlink_to(path)
    with pytest.raises(ConfigurationError):
        find_credentials(link)
    path.chmod(0o640)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        find_credentials(path)
