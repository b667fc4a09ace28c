"""What the keys of a JSON value say about what stands under them: `{"senha": {"valor": "x"}}` is a password as much as `{"senha": "x"}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import API_KEY, PASSWORD
from governance.redaction.secret_values import is_blank_form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from governance.redaction.findings import EntityType

_SAY_NOTHING: Final = frozenset(
    """
    value values valor valores val v text texto string data dados content conteudo conteúdo current atual plain raw default new old novo
    nova antigo antiga inner item items itens entry list lista number numero número n code codigo código body result 0 1 $ $t #text
    _value $value @value plaintext cleartext decrypted encrypted secretstring stringvalue
    """.split()  # noqa: SIM905 - sixty quoted words, one a line, read worse
)
"""Keys that name no subject: the key above them stays the context."""

_NAMES: Final = ("name", "key", "nome", "chave", "field", "campo", "label", "type", "tipo", "variable", "env", "header", "parameter")
_NAME_CHARACTERS_MAX: Final = 64


def prefix_under(name: str, above: str, siblings: Mapping[str, object]) -> str:
    """Return the context of the value behind a key, as the text before it: `senha: `.

    Args:
        name: the key.
        above: the context of the object that the key stands in.
        siblings: that object; in `{"name": "DB_PASSWORD", "value": "x"}` one member names the other.
    """
    if name.lower() not in _SAY_NOTHING:
        return f"{name}: "
    for key in _NAMES:
        named = siblings.get(key)
        if isinstance(named, str) and 0 < len(named) <= _NAME_CHARACTERS_MAX and key != name:
            return f"{named}: "
    return above or f"{name}: "


_WORDS: Final = re.compile(r"[A-ZÀ-Þ]+(?![a-zà-ÿ])|[A-ZÀ-Þ]?[a-zà-ÿ]+|[0-9]+")
# Behind the noun they say which one it is, or in which form.
_ASIDE: Final = frozenset(
    [
        "value",
        "plain",
        "text",
        "raw",
        "base",
        "prod",
        "production",
        "staging",
        "stage",
        "dev",
        "test",
        "old",
        "new",
        "current",
        "live",
        "main",
        "hash",
        "valor",
        "antiga",
        "nova",
        "atual",
    ]
)
_ASKING: Final = frozenset(
    ["is", "has", "had", "needs", "need", "requires", "require", "use", "uses", "show", "hide", "tem", "usa", "exige"]
)
_LOGIN_ENDINGS: Final = (
    "password", "passwd", "passphrase", "passcode", "pswd", "pwd", "senha", "contraseña", "contrasena", "credential", "credencial",
    "credenciai", "securitycode", "verificationcode", "recoverycode", "backupcode", "onetimecode", "códigodesegurança", "codigodeseguranca",
    "códigodeverificação", "codigodeverificacao", "seedphrase", "recoveryphrase", "mnemonic",
)  # fmt: skip
_LOGIN_WORDS: Final = frozenset({"pass", "pw", "cvv", "cvc", "otp", "totp", "mfa", "segredo"})
_KEY_ENDINGS: Final = (
    "apikey", "secretkey", "privatekey", "signingkey", "encryptionkey", "accesskey", "accesstoken", "authtoken", "refreshtoken",
    "sessiontoken", "bearertoken", "bottoken", "apitoken", "secret", "chavedeapi", "chavesecreta",
)  # fmt: skip


def secret_under(prefix: str, value: str) -> EntityType | None:
    """Tell which secret a whole value is, because the key above it says so; None: the value is judged by what it looks like.

    Prose needs judgement ("my password is long"), a value under `password` does not: short, of several words or a plain word, it is one.

    Args:
        prefix: as `prefix_under` gives it.
        value: the string, or a number as it is written.
    """
    words = [word.lower() for word in _WORDS.findall(prefix)]
    while words and (words[-1] in _ASIDE or words[-1].isdigit()):
        words.pop()
    if not words or words[0] in _ASKING or is_blank_form(value):
        return None
    joined = "".join(words).removesuffix("s")
    if words[-1].removesuffix("s") in _LOGIN_WORDS or words[-1] in _LOGIN_WORDS or joined.endswith(_LOGIN_ENDINGS):
        return PASSWORD
    return API_KEY if joined.endswith(_KEY_ENDINGS) else None
