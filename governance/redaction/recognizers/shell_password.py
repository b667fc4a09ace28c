"""Passwords as arguments of well-known commands: `mysql -pSECRET`, `curl -u user:SECRET`, `sshpass -p SECRET`."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import PASSWORD
from governance.redaction.recognizers.base import LABELLED, Pattern, PatternRecognizer
from governance.redaction.secret_values import is_reference

_REST: Final = r"(?![A-Za-z])[^\n|;\uffff]{0,200}?[ \t]"


def _argument(commands: str, flag: str, value: str, *needs: str) -> Pattern:
    regex = re.compile(rf"(?<![A-Za-z0-9/])(?:{commands}){_REST}{flag}[\"']?(?P<value>{value})", re.IGNORECASE)
    return Pattern(regex, LABELLED, needs=needs, check=lambda found: not is_reference(found.split(":")[-1], quoted=False))


RECOGNIZER: Final = PatternRecognizer(
    "shell_password",
    PASSWORD,
    (
        _argument(r"mysql(?:dump|admin|import)?|mariadb(?:-dump)?", r"-p", r"[^\s\"'`;|<>\uffff]{4,128}", "mysql", "mariadb"),
        _argument(
            r"curl|wget|http|xh", r"(?:-u|--user)[ =]?", r"[^\s\"'`;|<>:\uffff]{1,64}:[^\s\"'`|<>\uffff]{3,128}", "curl", "wget", "http"
        ),
        _argument(r"sshpass", r"-p[ ]?", r"[^\s\"'`;|<>\uffff]{4,128}", "sshpass"),
        _argument(r"redis-cli", r"(?:-a|--pass)[ ]", r"[^\s\"'`;|<>\uffff]{4,128}", "redis-cli"),
        _argument(r"docker login|podman login|helm registry login|az login|vault login", r"-p[ ]", r"[^\s\"'`;|<>\uffff]{4,512}", " login"),
        _argument(r"openssl", r"-pass(?:in|out)? pass:", r"[^\s\"'`;|<>\uffff]{4,128}", "openssl"),
    ),
)
