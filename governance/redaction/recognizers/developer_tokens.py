"""Tokens of code hosts, package registries and the tools around them, known by their prefixes.

Source: the forms that the issuers publish, and the prefixes that public secret scanners (gitleaks, trufflehog) list.
"""

from __future__ import annotations

from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import PatternRecognizer, token
from governance.redaction.token_forms import has_digit

_GITLAB: Final = ("pat", "ptt", "dt", "rt", "rtr", "cbt", "soat", "ffct", "ft", "imt", "agent", "oas", "wt")

RECOGNIZER: Final = PatternRecognizer(
    "developer_tokens",
    API_KEY,
    (
        # Installation tokens of apps are `ghs_<app>_<JWT>` since 2026, with dots and dashes.
        token(r"gh[pousr]_[A-Za-z0-9]{20,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        token(r"gh[us]_[0-9]{1,12}_eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+){0,2}", "ghs_", "ghu_"),
        token(r"github_pat_[A-Za-z0-9_]{20,}", "github_pat_"),
        token(
            rf"gl(?:{'|'.join(_GITLAB)})-[A-Za-z0-9_-]{{16,}}(?:\.[A-Za-z0-9_-]{{2,}}){{0,3}}",
            *(f"gl{kind}-" for kind in _GITLAB),
        ),
        token(r"GR1348941[A-Za-z0-9_-]{16,}", "gr1348941"),
        token(r"(?:ATATT3|ATCTT3|ATSTT3)[A-Za-z0-9_=-]{40,}", "atatt3", "atctt3", "atstt3"),
        token(r"ATBB[A-Za-z0-9]{32}", "atbb", check=has_digit, exact=True),
        token(r"npm_[A-Za-z0-9]{30,}", "npm_"),
        token(r"pypi-Ag[A-Za-z0-9_-]{14,}", "pypi-ag"),
        token(r"rubygems_[a-f0-9]{40,}", "rubygems_"),
        token(r"(?:cio|crates)[A-Za-z0-9]{32,}", "cio", "crates", check=has_digit),
        token(r"(?:dckr_pat|dckr_oat)_[A-Za-z0-9_-]{16,}", "dckr_"),
        token(r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{55,})", "akcp", "cmvmd"),
        token(r"oy2[a-z0-9]{43}", "oy2", check=has_digit, exact=True),
        token(r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}", "lin_"),
        token(r"ntn_[A-Za-z0-9]{40,}", "ntn_"),
        token(r"(?:figd|figo|figu)_[A-Za-z0-9_-]{30,}", "fig", check=has_digit),
        token(r"PMAK-[a-f0-9]{24}-[a-f0-9]{30,}", "pmak-"),
        token(r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", "pat", exact=True),
        token(r"(?:sgp|squ|sqp|sqa)_[A-Za-z0-9_]{40,}", "sgp_", "squ_", "sqp_", "sqa_", check=has_digit),
        token(r"ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}", "ops_eyj"),
        token(r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}", "a3-", exact=True),
        token(r"API-[A-Z0-9]{26}", "api-", check=has_digit, exact=True),
        token(r"pnu_[A-Za-z0-9]{36}", "pnu_", check=has_digit, exact=True),
    ),
)  # fmt: skip
