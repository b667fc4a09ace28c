"""Bitcoin addresses: presidio's pattern and check sums."""

from __future__ import annotations

from typing import Final

from presidio_analyzer.predefined_recognizers import CryptoRecognizer

from governance.redaction.entities import CRYPTO
from governance.redaction.recognizers.presidio import adopt

RECOGNIZER: Final = adopt(CryptoRecognizer(), CRYPTO, words="wallet|btc|bitcoin|carteira")
