# ruff: noqa: E501 - one concept a line
"""What words are about, in English and Portuguese: the learned screen then knows that `encaminhe` is `forward`.

Keys of `STEMS` are beginnings of folded words, keys ending in `$` whole words; the longest that fits counts. Written from general knowledge.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Mapping

STEM_LENGTH_MIN: Final = 3
STEM_LENGTH_MAX: Final = 12

_WORDS: Final[Mapping[str, str]] = {
    "drop": "ignor disregard forget$ overrid overrul supersed desconsider esquec despreza descart ignorier oublie dimentica vergiss olvida revoga substitu",
    "orders": "instruc instruct directiv diretriz guideline orientac rule$ rules$ regra regras prompt$ prompts$ command comando guardrail anweis istruz order$ orders$ ordem ordens",
    "limits": "restric restrict polic politic filter filtro filtra limit safety safeguard disclaimer censor uncensor unfilter unrestrict ethic etic moral norma normas",
    "check": "verif confirm approv aprov autentic authentic authoriz autoriz check$ checks$ checag review revis audit logging valida confer inspec monitor signatur assinatura sanitiz oversight permission permiss mfa$ 2fa$ captcha",
    "skip": "skip bypass circumvent disabl desativ deslig pule$ pula$ pular dispens contorn burl omit suppress suprim evad silenc deactivat remov$ turn$ off$ sem$ without$ unguard",
    "send": "send$ sends$ sending sent$ forward upload post$ leak transmit exfil copy$ copies$ copie envi$ envia envie encaminh mande$ manda$ mandar reencaminh vaze$ poste$ suba$ export sync$ stream$ dump pipe$ email e-mail bcc$ cc$ beam siphon share$ submit redirect reroute route$ rote direcion repass",
    "secret": "password senha senhas secret segred credenc credential token tokens api$ apikey key$ keys$ chave chaves vault cofre cookie passphrase pin$ cvv$ seed$ mnemonic ssh$ private$ confiden sensitiv sigil pii$ ssn$ cpf$ cpfs$ prontuar",
    "data": "data$ dados database databas record records registro registros conversat conversas conversa chats$ histor transcript memor files$ arquivo arquivos contact contato contatos customers$ clientes users$ usuarios table tabela document",
    "outside": "attacker atacante evil$ external extern outsid offshore third$ terceir webhook ngrok pastebin hacker malicious malicios unknown$ competitor concorrent rogue collector adversar",
    "always": "always sempre whenev every$ each$ toda$ todas$ todo$ todos$ cada$ all$ any$ qualquer future$ futuras futuros onward henceforth permanent perman never$ nunca jamais forever anytime diante$ daqui$",
    "when": "when$ quando if$ se$ once$ upon$ after$ depois until$ trigger gatilh activat ativ$ ativar assim$ dormant",
    "who": "admin administr root$ superus superadmin sudo$ owner$ dono operator operador supervis developer desenvolvedor ceo$ diretor privileg privileg elevat escal",
    "agent": "assistant assistent agent$ agents$ agente agentes ai$ ia$ bot$ model$ modelo llm$ chatbot gpt claude language$ system$ sistema",
    "persona": "persona pretend finja$ finge roleplay act$ acting aja$ character jailbreak dan$ unbound mode$ modo you$ voce$ your$ seu$ sua$ tu$",
    "hide": "hidden hide$ hides$ conceal escond ocult quiet silent discret covert stealth secretly unnotic undetect trace rastro tell$ conte$ avise mention mencion notify inform$ informe reveal revel disclos erase$ apag delet wipe$ purge",
    "money": "payment pagament pay$ pague$ transfer transfir wire$ refund reembols invoice boleto account conta$ wallet carteira iban pix$ bank banco bancar crypto bitcoin fund$ funds$ saldo balance salar deposit withdraw saque payout",
    "run": "run$ execut rode$ rodar curl$ wget bash$ shell powershell exec$ eval$ script pip$ npm$ install instal sudo$ chmod rm$ drop$ select$ union$ inject payload download baix deserial pickle",
    "approve": "approv aprov accept aceit allow$ permit permita libere$ liberad grant$ conced auto whitelist trust$ trusted confie confiavel obey obedec comply cumpra obedient",
    "harm": "toxic harmful offensiv hate$ hateful racist discrimin violen kill weapon arma$ bomb malware virus ransom phish fraud scam golpe steal stolen roub furt hack invad exploit attack ataque poison enven illegal ilegal drug blackmail chantag defam misinform desinform disinform fake$ fals launder counterfeit terror suicid manipul deceiv engan sabot",
    "repeat": "repeat repit copy$ replicat propag spread espalh every broadcast persist embed index retriev rank recuper inject",
    "remember": "remember lembre lembra memory memoria memorize guarde$ grave$ store$ save$ salve$ note$ nota$ anote persist",
    "not": "not$ nao$ dont$ don$ nem$ no$ nobody ninguem",
    "coded": "base64 hex$ rot13 decode decodif encode codific cifra cipher unicode obfusc leet morse binary",
    "show": "show$ mostre mostra print$ output$ exiba display list$ liste reveal revele repeat$ escreva verbatim translate$ resuma",
    "polite": "please favor could$ would$ thanks obrigad prefer gosto like$ likes$",
    "person": "customer cliente user$ usuario client$ patient paciente anyone alguem guest visitante",
    "work": "deploy build$ test$ tests$ merge commit branch release lint review meeting reuniao report relatorio ticket chamado team$ time$ sprint",
}
STEMS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        stem: tuple(crc32(concept.encode()) for concept, words in _WORDS.items() if stem in words.split())
        for stem in sorted({stem for words in _WORDS.values() for stem in words.split()})
    }
)


_BEGINNINGS: Final = frozenset(stem.rstrip("$")[:2] for stem in STEMS)


def concepts_of(word: str) -> tuple[int, ...]:
    """Return the numbers of what a folded word is about, mostly none.

    >>> concepts_of("encaminhe") == concepts_of("forward")
    True
    """
    if word[:2] not in _BEGINNINGS:
        return ()
    whole = STEMS.get(word + "$")
    if whole is not None:
        return whole
    for length in range(min(len(word), STEM_LENGTH_MAX), STEM_LENGTH_MIN - 1, -1):
        found = STEMS.get(word[:length])
        if found is not None:
            return found
    return ()
