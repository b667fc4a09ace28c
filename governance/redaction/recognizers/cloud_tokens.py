"""Keys and tokens of clouds and services, known by their prefixes, and the placeholders that look like them.

Source: the formats that the issuers publish, and the prefixes that public secret scanners list.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import CHECKED, SHAPED, Pattern, PatternRecognizer

_START: Final = r"(?<![A-Za-z0-9_-])"
_END: Final = r"(?![A-Za-z0-9_-])"
_PLACEHOLDER: Final = re.compile(r"your[_-]|_here|example[_-]?key|placeholder|(.)\1{7}", re.IGNORECASE)


def _is_filled_in(value: str) -> bool:
    return _PLACEHOLDER.search(value) is None


def _is_filled_in_and_mixed(value: str) -> bool:
    return _is_filled_in(value) and any(char.isdigit() for char in value)


def _looks_random(value: str) -> bool:
    """Forty characters of base64 with every class of character: a hash has no capitals, a path has no digits to speak of."""
    return (
        sum(char.isdigit() for char in value) >= 3
        and sum(char.isupper() for char in value) >= 5
        and sum(char.islower() for char in value) >= 5
        and value.count("/") <= 4
    )


def _token(body: str, *needs: str) -> Pattern:
    return Pattern(re.compile(rf"{_START}{body}{_END}", re.ASCII), CHECKED, needs=needs, check=_is_filled_in)


RECOGNIZER: Final = PatternRecognizer(
    "cloud_tokens",
    API_KEY,
    (
        # AWS's own documentation examples end in EXAMPLE and are taken too: nobody can tell them from real ones at a glance.
        Pattern(
            re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
            CHECKED,
            needs=("akia", "asia", "agpa", "aida", "aroa", "aipa", "anpa", "anva", "abia", "acca"),
        ),
        Pattern(re.compile(r"(?<![A-Za-z0-9/+=_.-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])"), SHAPED, check=_looks_random),
        _token(r"gh[pousr]_[A-Za-z0-9]{36,255}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        _token(r"github_pat_[A-Za-z0-9_]{22,255}", "github_pat_"),
        _token(r"gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{20,100}", "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-"),
        _token(r"xox[abeoprs]-[A-Za-z0-9-]{10,250}", "xox"),
        _token(r"xapp-[0-9]-[A-Za-z0-9-]{10,250}", "xapp-"),
        Pattern(
            re.compile(r"https://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}"),
            CHECKED,
            needs=("hooks.slack",),
        ),
        _token(r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}", "_live_", "_test_", "_prod_"),
        _token(r"whsec_[A-Za-z0-9+/=]{20,100}", "whsec_"),
        Pattern(
            re.compile(_START + r"sk-(?:ant-|proj-|svcacct-|admin-|or-|test-|live-|lf-)?[A-Za-z0-9_-]{16,300}" + _END),
            CHECKED,
            needs=("sk-",),
            check=_is_filled_in_and_mixed,
        ),
        # Short ones with the prefix of a service, such as `sk-test-000` in an example that may be somebody's test account.
        Pattern(
            re.compile(_START + r"sk-(?:ant|proj|test|live)-[A-Za-z0-9_-]{3,15}" + _END),
            SHAPED,
            needs=("sk-",),
            check=_is_filled_in_and_mixed,
        ),
        _token(r"AIza[A-Za-z0-9_-]{33,39}", "aiza"),
        _token(r"GOCSPX-[A-Za-z0-9_-]{20,40}", "gocspx-"),
        _token(r"ya29\.[A-Za-z0-9_-]{20,300}", "ya29."),
        _token(r"hf_[A-Za-z0-9]{30,60}", "hf_"),
        _token(r"npm_[A-Za-z0-9]{36}", "npm_"),
        _token(r"pypi-[A-Za-z0-9_-]{16,250}", "pypi-"),
        _token(r"SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,60}", "sg."),
        _token(r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,36}", ":aa"),
        _token(r"do[opr]_v1_[a-f0-9]{64}", "_v1_"),
        _token(r"(?:SK|AC)[a-f0-9]{32}", "sk", "ac"),
        _token(r"sb_(?:secret|publishable)_[A-Za-z0-9_-]{20,60}", "sb_"),
        _token(r"(?:APP_USR|TEST)-[0-9]{10,20}-[0-9]{6}-[a-f0-9]{32}-[0-9]{5,12}", "app_usr-", "test-"),
        Pattern(re.compile(r"\$aact_[A-Za-z0-9_:=+/$-]{20,250}"), CHECKED, needs=("$aact_",)),
        _token(r"(?:EAAC|EAAG|EAAB)[A-Za-z0-9]{30,300}", "eaa"),
        _token(r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", "shp"),
        _token(r"gsk_[A-Za-z0-9]{40,60}", "gsk_"),
        _token(r"xai-[A-Za-z0-9]{40,100}", "xai-"),
        _token(r"dckr_pat_[A-Za-z0-9_-]{20,60}", "dckr_pat_"),
        _token(r"hvs\.[A-Za-z0-9_-]{24,200}", "hvs."),
        Pattern(
            re.compile(
                r"(?:DefaultEndpointsProtocol|Endpoint)=[!-~]{1,300}?(?:AccountKey|SharedAccessKey)=[!#-&(-+\--~]{8,400}",
                re.IGNORECASE,
            ),
            CHECKED,
            needs=("accountkey=", "sharedaccesskey="),
        ),
        # Azure storage and service bus keys stand in connection strings.
        Pattern(
            re.compile(r"(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?P<value>[A-Za-z0-9+/=%&_.-]{20,300})", re.IGNORECASE),
            CHECKED,
            needs=("accountkey=", "sharedaccess"),
        ),
        # This product's own keys: agents paste them into chats like any other.
        _token(r"memdb_[A-Za-z0-9-]{1,64}_[A-Za-z0-9]{4,64}_[A-Za-z0-9_-]{43}", "memdb_"),
    ),
)
