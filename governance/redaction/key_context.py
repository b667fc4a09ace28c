"""What the keys of a JSON value say about what stands under them: `{"senha": {"valor": "x"}}` is a password as much as `{"senha": "x"}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

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
