"""Keys of model providers and of the tools around them, known by their prefixes.

Source: the forms that the issuers publish, and the prefixes that public secret scanners (gitleaks, trufflehog) list.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import SHAPED, PatternRecognizer, token
from governance.redaction.token_forms import UUID, has_digit, is_filled_in

_RUN: Final = re.compile(r"[A-Za-z]{20}")


def _is_mixed(value: str) -> bool:
    """Style sheets have classes such as `sk-fading-circle-2`; keys have capitals and digits."""
    return has_digit(value) and any(char.isupper() for char in value)


def _is_no_name(value: str) -> bool:
    """Names of branches and files begin like this as well; their words are short and have no digits."""
    return is_filled_in(value) and (has_digit(value) or _RUN.search(value) is not None)


RECOGNIZER: Final = PatternRecognizer(
    "model_tokens",
    API_KEY,
    (
        token(r"sk-(?:ant|proj|svcacct|admin|or|lf|None|service|user|test|live)-[A-Za-z0-9_-]{16,}", "sk-", check=_is_no_name),
        token(r"sk-[A-Za-z0-9]{16,}[A-Za-z0-9_-]*", "sk-", check=has_digit),
        token(r"sk-[A-Za-z0-9_-]{40,}", "sk-", check=_is_mixed),
        # Short ones with the prefix of a service, such as `sk-test-000` in an example that may be somebody's test account.
        token(
            r"sk-(?:ant|proj|test|live)-[A-Za-z0-9_-]{3,}",
            "sk-",
            check=lambda value: any(char.isdigit() for char in value) and "your" not in value.lower(),
            score=SHAPED,
        ),
        token(rf"(?:pk|sk)-lf-{UUID}", "k-lf-"),
        token(r"(?:hf_[A-Za-z0-9]{20,}|api_org_[A-Za-z0-9]{30,})", "hf_", "api_org_"),
        token(r"gsk_[A-Za-z0-9]{30,}", "gsk_"),
        token(r"xai-[A-Za-z0-9]{40,}", "xai-"),
        token(r"pplx-[A-Za-z0-9]{32,}", "pplx-"),
        token(r"r8_[A-Za-z0-9]{30,}", "r8_"),
        token(r"nvapi-[A-Za-z0-9_-]{40,}", "nvapi-"),
        token(r"tvly-[A-Za-z0-9_-]{20,}", "tvly-", check=has_digit),
        token(r"pcsk_[A-Za-z0-9_]{30,}", "pcsk_"),
        token(r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}", "lsv2_"),
        token(r"(?:csk|fw|fc|jina)[-_][A-Za-z0-9]{24,}", "csk-", "fw_", "fc-", "jina_", check=has_digit),
        token(r"sk_[a-f0-9]{40,}", "sk_", check=is_filled_in),
    ),
)
