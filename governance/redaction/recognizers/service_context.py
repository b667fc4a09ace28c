# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Keys without a form of their own, behind the name of their service and a word for a key: "heroku api key 7fae…"."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import API_KEY
from governance.redaction.recognizers.base import END, LABELLED, Pattern, PatternRecognizer
from governance.redaction.token_forms import UUID, is_filled_in, is_random


def _words(text: str) -> str:
    """Return the alternatives of a pattern, one per blank in the table; an underscore stands for a space."""
    return "|".join(text.split()).replace("_", " ")


_SERVICES: Final = _words(
    r"""
    heroku twilio mailgun sendgrid datadog cloudflare azure cosmos(?:db)? algolia okta discord telegram fastly newrelic new_relic
    netlify vercel pag_?seguro pagbank pagar\.?me mercado_?pago asaas iugu cielo getnet stone rede braspag vindi wirecard moip
    gerencianet efi picpay juno ebanx nuvemshop vtex tray bling omie conta_?azul rd_?station totvs zenvia take_?blip jira confluence
    bitbucket circleci codecov sonar snyk sentry segment mixpanel amplitude intercom zendesk hubspot mapbox openweather deepl cohere
    mistral together deepgram assemblyai elevenlabs pinecone weaviate qdrant elastic mongo(?:db)? atlas firebase dropbox facebook
    instagram twitter linkedin spotify trello asana airtable
    """
)
_NOUN: Final = r"(?:key|token|secret|sid|chave|credential|credencial|senha|password)s?"
_LINK: Final = r"[ \t]{0,3}(?:(?:is|was|é|era|foi|[:=]|=>|->)[ \t]{0,3})?[\"'`(]?"
_VALUE: Final = rf"(?<![A-Za-z0-9])(?P<value>{UUID}|[A-Fa-f0-9]{{32,128}}|[A-Za-z0-9_+/-]{{20,200}}={{0,2}}){END}"


def _is_key(value: str) -> bool:
    """UUIDs and hex with digits and letters, or random text."""
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and is_filled_in(value) and (re.fullmatch(rf"{UUID}|[A-Fa-f0-9]{{32,128}}", value) is not None or is_random(value))


RECOGNIZER: Final = PatternRecognizer(
    "service_context",
    API_KEY,
    tuple(
        Pattern(re.compile(regex, re.IGNORECASE | re.ASCII), LABELLED, needs=("key", "token", "secret", "sid", "chave", "cred", "senha", "passw"), check=_is_key)
        for regex in (
            rf"(?<![A-Za-z])(?:{_SERVICES})(?![A-Za-z])[^\n\uffff]{{0,40}}?{_NOUN}{_LINK}{_VALUE}",
            rf"(?<![A-Za-z]){_NOUN}(?: de api)?[ \t]{{1,2}}(?:d[aoe]|of|for|from|no|na)[ \t]{{1,2}}(?:the |o |a )?(?:{_SERVICES}){_LINK}{_VALUE}",
        )
    ),
)  # fmt: skip
