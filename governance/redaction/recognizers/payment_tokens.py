"""Keys of payment providers and shops, Brazilian ones too, known by their forms.

Source: the forms that the issuers publish, and the prefixes that public secret scanners (gitleaks, trufflehog) list.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import CHECKED, Pattern, PatternRecognizer, token
from governance.redaction.token_forms import UUID, has_digit

RECOGNIZER: Final = PatternRecognizer(
    "payment_tokens",
    API_KEY,
    (
        token(r"(?:sk|rk|pk|ak|ek)_(?:live|test|prod)_[A-Za-z0-9]{10,}", "_live_", "_test_", "_prod_"),
        token(r"whsec_[A-Za-z0-9+/=_-]{20,}", "whsec_"),
        # Mercado Pago: application, hour of issue, random part, user; `APP_USR-<uuid>` is the public key, which opens the checkout.
        token(r"APP_USR-[A-Za-z0-9_-]{20,}", "app_usr-"),
        token(rf"TEST-(?:[0-9]{{10,20}}-[0-9]{{6}}-[a-f0-9]{{32}}[A-Za-z0-9_-]*|{UUID})", "test-"),
        # Asaas: the dollar sign is part of the key, and a shell or a document may have escaped it.
        Pattern(re.compile(r"\$aac[th]_[A-Za-z0-9_:=+/$.-]{16,}", re.ASCII), CHECKED, needs=("$aact_", "$aach_"), check=has_digit),
        # PagSeguro (PagBank): a UUID with 64 hex digits grown to it.
        token(r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{76}", "-", exact=True),
        token(r"Client_(?:Id|Secret)_[a-f0-9]{32,}", "client_"),
        token(r"shp(?:at|ca|pa|ss|ua|tka)_[a-fA-F0-9]{24,}", "shp"),
        token(r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}", "sq0"),
        token(r"EAAA[A-Za-z0-9_-]{50,}", "eaaa", check=has_digit),
        token(r"EAA[B-Z][A-Za-z0-9]{40,}", "eaa", check=has_digit),
        token(r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}", "access_token$"),
        token(rf"access-(?:sandbox|development|production)-{UUID}", "access-"),
        token(r"rzp_(?:live|test)_[A-Za-z0-9]{12,}", "rzp_"),
        token(r"FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?", "flw"),
        token(r"shippo_(?:live|test)_[a-fA-F0-9]{30,}", "shippo_"),
        token(r"(?:EZAK|EZTK)[A-Za-z0-9]{50,}", "ezak", "eztk"),
    ),
)
