"""Tokens of bots, chats, mail and telephony, and the webhook addresses that are keys themselves.

Source: the forms that the issuers publish, and the prefixes that public secret scanners (gitleaks, trufflehog) list.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import CHECKED, Pattern, PatternRecognizer, token
from governance.redaction.token_forms import has_digit, is_filled_in, is_random


def _webhook(address: str, need: str) -> Pattern:
    return Pattern(re.compile(rf"(?:https?://)?{address}", re.ASCII), CHECKED, needs=(need,), check=is_filled_in)


RECOGNIZER: Final = PatternRecognizer(
    "messaging_tokens",
    API_KEY,
    (
        token(r"(?:xoxe[.-])?xox[a-z]-[A-Za-z0-9%+/=-]{10,}", "xox"),
        token(r"xapp-[0-9]-[A-Za-z0-9-]{10,}", "xapp-"),
        _webhook(r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/+_-]{20,}", "hooks.slack"),
        _webhook(r"(?:ptb\.|canary\.)?discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,21}/[A-Za-z0-9_-]{30,}", "/webhooks/"),
        _webhook(r"[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,}", ".webhook.office."),
        # Discord: the account's number in base64, which begins with M, N or O; a time; a signature.
        token(r"[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}", ".", check=is_random),
        token(r"mfa\.[A-Za-z0-9_-]{60,}", "mfa."),
        # Telegram: the bot's number, then 35 characters that begin with A; in its addresses `bot` stands before the number.
        Pattern(
            re.compile(r"(?:(?<![A-Za-z0-9])|(?<=/bot)|(?<=\\[nrt]))[0-9]{6,16}:A[A-Za-z0-9_-]{32,}", re.ASCII),
            CHECKED,
            needs=(":a",),
            check=lambda value: is_filled_in(value) and any(char.islower() for char in value),
        ),
        # Twilio: the number of an account is no secret, but half of a pair that is.
        Pattern(re.compile(r"(?:SK|AC)(?:(?<![A-Za-z0-9]..)|(?<=\\[nrt]..))[a-f0-9]{32}(?![A-Za-z0-9])"), CHECKED, check=is_filled_in),
        token(r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", "sg.", check=has_digit),
        token(r"(?:pub)?key-[a-f0-9]{32}", "key-", exact=True),
        token(r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}", "-", exact=True),
        token(r"[a-f0-9]{32}-us[0-9]{1,2}", "-us", exact=True),
        token(r"xkeysib-[a-f0-9]{40,}(?:-[A-Za-z0-9]{8,})?", "xkeysib-"),
        token(r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}", "re_", check=has_digit),
        token(r"sl\.(?:u\.)?[A-Za-z0-9_=-]{100,}", "sl."),
        token(r"A{20,}[A-Za-z0-9%]{60,}", "aaaaaaaaaaaaaaaaaaaa", check=has_digit),
    ),
)
