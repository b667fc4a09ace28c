"""What inspection reports. A signal holds no text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SignalCode(StrEnum):
    """Why a stretch of text looks like an instruction to whoever reads it back."""

    OVERRIDE = "override_instructions"  # ignore, disregard, forget what you were told
    ROLE = "role_talk"  # system prompts, chat templates, new personas
    STANDING_SEND = "standing_order_to_send"  # from now on, whenever … send, forward, copy
    STANDING_BYPASS = "standing_order_to_bypass"  # always approve, skip verification, never ask
    PROMPT_LEAK = "prompt_leak"  # reveal the prompt, secrets, other people's memories
    PAYMENT = "payment_redirection"  # pay to another account or key from now on
    TOOL = "tool_redirection"  # call this tool, run this command, fetch this address on every occasion
    CONCEALMENT = "concealment"  # do not tell the user, without mentioning it
    HIDDEN_TEXT = "hidden_text"  # zero width, bidirectional overrides, tag characters
    ENCODED = "encoded_instructions"  # instructions inside base64
    MARKUP = "markup_instructions"  # instructions inside comments or invisible markup
    REPLICATION = "self_replication"  # copy this into every memory, tell every agent, write it again when it is removed
    PAYLOAD = "code_payload"  # what no memory says: a shell that calls home, a query that is let in through a form
    HARMFUL_REQUEST = "harmful_request"  # write hate, lies, malware
    LEARNED = "reads_like_an_order"  # the learned screen; see governance/inspection/learned.py


@dataclass(frozen=True, slots=True)
class Signal:
    """One suspicion: `score` 0..1, higher is worse; `start` and `end` are code-point offsets into the text, end exclusive."""

    code: SignalCode
    score: float
    start: int
    end: int
