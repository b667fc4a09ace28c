"""Addresses of wallets: Bitcoin by presidio's pattern and check sums, Ethereum behind a word for one."""

from __future__ import annotations

import re
from typing import Final

from presidio_analyzer.predefined_recognizers import CryptoRecognizer

from governance.redaction.entities import CRYPTO
from governance.redaction.recognizers.base import END, LABELLED, START, Pattern, PatternRecognizer
from governance.redaction.recognizers.presidio import adopt

_WORDS: Final = "wallets?|carteiras?|endere[cç]os?|address(?:es)?|metamask|eth|ether(?:eum)?|erc-?20|usd[tc]|polygon|bnb"

RECOGNIZER: Final = adopt(CryptoRecognizer(), CRYPTO, words="wallet|btc|bitcoin|carteira")
ETHEREUM: Final = PatternRecognizer(
    "crypto_ethereum",
    CRYPTO,
    (
        Pattern(
            re.compile(
                rf"(?<![A-Za-z])(?:{_WORDS})(?![A-Za-z])[^\n\uffff]{{0,60}}?{START}(?P<value>0x[0-9a-f]{{40}})" + END, re.IGNORECASE
            ),
            LABELLED,
            needs=("0x",),
        ),
    ),
)
