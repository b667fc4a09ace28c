# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Keys and tokens of clouds, hosting and infrastructure.

Source: the forms that the issuers publish, and the prefixes that public secret scanners (gitleaks, trufflehog) list.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import CHECKED, SHAPED, Pattern, PatternRecognizer, token
from governance.redaction.token_forms import has_digit, is_random

_AWS_IDS: Final = ("AKIA", "ASIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ABIA", "ACCA", "A3T")
_AWS_SECRET_SLASHES_MAX: Final = 5  # one character in 64 is a slash; a path has one every few letters

_AWS: Final = (
    # AWS's own documentation examples end in EXAMPLE and are taken too: nobody can tell them from real ones at a glance.
    token(rf"(?:{'|'.join(_AWS_IDS)})[A-Z0-9]{{16,17}}", *(prefix.lower() for prefix in _AWS_IDS), check=lambda _: True, exact=True),
    # A secret key has no prefix: forty characters of base64, as random as they come. Hashes have no capitals.
    Pattern(
        re.compile(r"(?:(?<![A-Za-z0-9/+_.-])|(?<=\\[nrt]))[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])", re.ASCII),
        SHAPED,
        check=lambda value: is_random(value.replace("+", "0")) and value.count("/") <= _AWS_SECRET_SLASHES_MAX,
    ),
    token(r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{30,}", "iqojb3jpz2lu", "woGZXIvYXdz".lower(), "qogzxivyxdz"),
    token(r"ABSK[A-Za-z0-9+/]{80,}={0,2}", "absk", check=has_digit),
    token(r"bedrock-api-key-[A-Za-z0-9+/=_-]{20,}", "bedrock-api-key-"),
)
_GOOGLE: Final = (
    token(r"AIza[A-Za-z0-9_-]{30,}", "aiza"),
    token(r"GOCSPX-[A-Za-z0-9_-]{20,}", "gocspx-"),
    token(r"ya29\.[A-Za-z0-9_.-]{20,}", "ya29."),
    token(r"1//0[A-Za-z0-9_-]{30,}", "1//0", check=has_digit),
)
_AZURE: Final = (
    # An app secret has `Q~` in its ninth and tenth place.
    token(r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", "q~"),
    # A whole connection string of storage, service bus, event hub or IoT hub: its account name belongs to the key.
    Pattern(
        re.compile(
            r"(?:DefaultEndpointsProtocol|BlobEndpoint|Endpoint|HostName|AccountEndpoint)=[!-~]{1,300}?"
            r"(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[!#-&(-+\--;=?-~]{8,400}",
            re.IGNORECASE,
        ),
        CHECKED,
        needs=("accountkey=", "sharedaccess"),
    ),
    Pattern(
        re.compile(r"(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?P<value>[A-Za-z0-9+/=%&_.-]{20,400})", re.IGNORECASE),
        CHECKED,
        needs=("accountkey=", "sharedaccess"),
    ),
    # The signature of a shared-access URL is all that makes it open a door; the same of CloudFront and of signed S3 URLs.
    Pattern(
        re.compile(r"[?&](?:sig|Signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token)=(?P<value>[A-Za-z0-9+/=%_~.-]{20,2048})", re.IGNORECASE),
        CHECKED,
        needs=("sig",),
    ),
)  # fmt: skip
_OTHERS: Final = (
    token(r"do[opr]_v1_[a-f0-9]{40,}", "_v1_"),
    token(r"HRKU-[A-Za-z0-9_-]{30,}", "hrku-"),
    token(r"(?:hvs|hvb|hvr)\.[A-Za-z0-9_-]{20,}", "hvs.", "hvb.", "hvr."),
    token(r"s\.[A-Za-z0-9]{24}", "s.", check=is_random, exact=True),
    token(r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}", ".atlasv1."),
    token(r"dapi[a-f0-9]{32}(?:-[0-9])?", "dapi", exact=True),
    token(r"(?:sbp|sbp_v0)_[a-f0-9]{32,}", "sbp_"),
    token(r"sb_(?:secret|publishable)_[A-Za-z0-9_-]{16,}", "sb_"),
    token(r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}", "v1.0-"),
    token(r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{24,}", "pscale_"),
    token(r"napi_[a-z0-9]{40,}", "napi_"),
    token(r"(?:fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3})", "fo1_", "fm1", "fm2"),
    token(r"(?:nfp|vcp|rnd)_[A-Za-z0-9]{24,}", "nfp_", "vcp_", "rnd_", check=has_digit),
    token(r"dp\.(?:pt|st|sa|ct|scim|audit)\.[A-Za-z0-9_.-]{40,}", "dp."),
    token(r"pul-[a-f0-9]{40}", "pul-", exact=True),
    token(r"(?:LTAI[A-Za-z0-9]{16,24}|AKID[A-Za-z0-9]{32})", "ltai", "akid", check=has_digit, exact=True),
    token(r"AQVN[A-Za-z0-9_-]{35,}", "aqvn"),
    token(r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{40,}", "dt0c01."),
    token(r"NR(?:AK|II|JS|RA)-[A-Za-z0-9-]{19,}", "nrak-", "nrii-", "nrjs-", "nrra-", check=has_digit),
    token(r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,3})", "glsa_", "glc_"),
    token(r"(?:sntrys_[A-Za-z0-9+/=_]{40,}|sntryu_[a-f0-9]{64})", "sntrys_", "sntryu_"),
    token(r"sha256~[A-Za-z0-9_-]{43}", "sha256~"),
    # This product's own keys: agents paste them into chats like any other.
    token(r"memdb_[A-Za-z0-9-]{1,64}_[A-Za-z0-9]{4,64}_[A-Za-z0-9_-]{20,}", "memdb_"),
)

RECOGNIZER: Final = PatternRecognizer("cloud_tokens", API_KEY, (*_AWS, *_GOOGLE, *_AZURE, *_OTHERS))
