"""The one list of recognizers. Every text is seen by all of them, whatever its language: identifiers and secrets do not care."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from governance.redaction.recognizers import (
    authorization,
    br_documents,
    card,
    cep,
    cloud_tokens,
    connection_url,
    cpf_cnpj,
    crypto,
    email,
    iban,
    ip,
    jwt,
    password_prose,
    pem,
    phone,
    pix_key,
    rg,
    ssn,
)

if TYPE_CHECKING:
    from governance.redaction.recognizers.base import Recognizer

RECOGNIZERS: Final[tuple[Recognizer, ...]] = (
    pem.RECOGNIZER,
    cloud_tokens.RECOGNIZER,
    jwt.RECOGNIZER,
    authorization.RECOGNIZER,
    connection_url.RECOGNIZER,
    password_prose.RECOGNIZER,
    email.RECOGNIZER,
    phone.RECOGNIZER,
    card.RECOGNIZER,
    iban.RECOGNIZER,
    ip.RECOGNIZER,
    ssn.RECOGNIZER,
    crypto.RECOGNIZER,
    cpf_cnpj.CPF,
    cpf_cnpj.CNPJ,
    cpf_cnpj.LABELLED_CPF,
    cpf_cnpj.LABELLED_CNPJ,
    br_documents.CNH,
    br_documents.NIS,
    br_documents.CNS,
    br_documents.TITULO,
    cep.RECOGNIZER,
    rg.RECOGNIZER,
    pix_key.RECOGNIZER,
)
