"""The sections of a policy, in the order in which they are shown."""

from __future__ import annotations

from typing import Final

SECTIONS: Final = ("redaction", "screening", "trust", "memory", "retention", "legal_hold", "audit")
