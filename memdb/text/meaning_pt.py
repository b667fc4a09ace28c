"""Portuguese words that are interchangeable in any sentence, and articles that change nothing. Lists from general knowledge.

Accents stay where they tell words apart ("avó", "avô"; "esta", "está"; "da", "dá"; "publico", "público"): they are dropped in the endings
and words below, whose bare form is no other word. Left out on purpose: "fato" and "facto", "comboio" and "trem", "tela" and
"ecrã" (other things on the other side of the ocean), gender, number, tense; "nos", which is also "us".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from memdb.text.normalise import fold

# Each line: spellings of one word; the first stands for all. Accents of both sides of the ocean are one word where they are no other.
_SAME: Final = """
televisão tv tevê televisao
foto fotografia
fotos fotografias
moto motocicleta
motos motocicletas
celular telemóvel telemovel
celulares telemóveis telemoveis
ônibus autocarro onibus ónibus
email e-mail
emails e-mails
wifi wi-fi
ok okay
mamãe mamã mamae
você vc voce
vocês vcs voces
está tá
estou tô
também tb tbm tambem
para pra
muito mto
não nao
ninguém ninguem
alguém alguem
chá cha
café cafe
cafés cafes
reunião reuniao
projeto projecto
projetos projectos
elétrico eléctrico eletrico
elétrica eléctrica eletrica
ótimo óptimo otimo
ótima óptima otima
contato contacto
contatos contactos
direção direcção direcao
ação acção acao
ações acções acoes
atual actual
atualmente actualmente
exato exacto
registro registo
esporte desporto
esportes desportos
econômico económico economico
acadêmico académico academico
gênero género
tênis ténis
prêmio prémio
bônus bónus bonus
vírus virus
ônus ónus onus
amêndoa amendoa
amêndoas amendoas
inglês ingles
português portugues
francês frances
japonês japones
alérgica alergica
alérgico alergico
água agua
óleo oleo
horário horario
aniversário aniversario
relatório relatorio
relatórios relatorios
escritório escritorio
sábado sabado
terça terca
três tres
mês mes
família familia
américa america
são sao
joão joao
josé jose
antônio antónio antonio
cláudia claudia
júlia julia
márcia marcia
sérgio sergio
luís luis
mário mario
mônica mónica monica
inês ines
vinícius vinicius
fábio fabio
tânia tania
""".splitlines()
_NUMBERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "zero": "0", "um": "1", "uma": "1", "dois": "2", "duas": "2", "três": "3", "tres": "3", "quatro": "4", "cinco": "5", "seis": "6",
        "sete": "7", "oito": "8", "nove": "9", "dez": "10", "onze": "11", "doze": "12", "treze": "13", "catorze": "14", "quatorze": "14",
        "quinze": "15", "dezesseis": "16", "dezasseis": "16", "dezessete": "17", "dezassete": "17", "dezoito": "18", "dezenove": "19",
        "dezanove": "19", "vinte": "20",
    }
)  # fmt: skip
_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType({word: line.split()[0] for line in _SAME if line for word in line.split()[1:]})
_OF_GENDER: Final[Mapping[str, str]] = MappingProxyType({"um": "o", "dois": "o", "uma": "a", "duas": "a"})
# No other word is left when these lose their accents.
_ACCENTED_ENDING = re.compile(r"\w+(?:ão|ões|ães|ável|ível|áveis|íveis|ógico|ógica)")

_KEEPS_ARTICLE: Final = frozenset(
    """
    que qual quais quem e ou mas nem se de do da dos das em no na nos nas por para com sem a o as os à às ao aos até não nao
    mesmo mesma mais menos outro outra outros outras melhor pior próprio própria seu sua meu minha teu tua nosso nossa
    partir cavalo favor par princípio começo quanto tal todo toda pouco pouca tempo prazo propósito sós gente caminho sério respeito
    título nível curto longo médio bem mal companhia primeiro primeira segundo segunda terceiro terceira último última próximo próxima
    único única
    """.split()  # noqa: SIM905
).union(_NUMBERS)
# Places where "o" and "a" are the article and change nothing: behind a preposition, and behind verbs that take no "a" themselves. Elsewhere
# "a" may be "to", and "o" or "a" before a verb "him" or "her". "é a paciente" is not "é paciente", "joga a bola" not "joga bola".
_PREPOSITIONS = "com para sobre contra sem entre desde durante após".split()  # noqa: SIM905
_VERBS = """
    prefere prefiro preferem usa uso usam come bebe bebo bebem detesta detesto odeia odeio adora adoro conhece conheço ama amo toca lidera
    dirige estuda visitou
""".split()  # noqa: SIM905
_BEFORE_ARTICLE: Final = frozenset((*_PREPOSITIONS, *_VERBS))

# At the beginning "o" may be "him" ("O conheço desde 2010"): a subject is told by the verb behind it. None that takes "a" is among them,
# because "A Carla reporta Diego" may say who reports to Carla.
_FINITE: Final = frozenset(
    """
    é está era foi será tem tinha terá não mora morava trabalha trabalhava vive gosta gostava prefere quer precisa usa vai vem pode sabe
    come bebe joga toca estuda viaja lidera dirige conhece adora odeia detesta custa fica dura começa termina funciona escuta roda chegou
    saiu mudou nasceu morreu
    """.split()  # noqa: SIM905
)

# Contractions with an article, and the words behind which they are the preposition alone, so that "irmã do Bruno" is "irmã de Bruno". Not
# behind others: "trabalha no Santos" is with the club and "em Santos" in the town.
_CONTRACTED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"do": ("de", "o"), "da": ("de", "a"), "ao": ("a", "o"), "à": ("a", "a")}
)
_TAKES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "de": frozenset(
            """
            tia tio irmã irmão mãe pai filha filho prima primo avó avô neta neto amiga amigo esposa marido namorada namorado vizinha vizinho
            """.split()  # noqa: SIM905
        ),
        "a": frozenset("reporta reporto reportam responde alérgica alérgico alergia intolerante".split()),  # noqa: SIM905
    }
)
# "em casa" is at home and "na casa" in the house; "de novo" is again.
_NOT_BEFORE: Final = frozenset(
    """
    casa hora horas mão mãos cama fim lado frente novo nova vez vezes meio noite manhã tarde dia dias pé ar lugar férias ferias direito
    direita esquerda longe perto todo toda todos todas mesmo mesma que qual outro outra outros outras resto menos mais
    """.split()  # noqa: SIM905
)
_LONG: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "num": ("em", "um"), "numa": ("em", "uma"), "dum": ("de", "um"), "duma": ("de", "uma"),
        "dele": ("de", "ele"), "dela": ("de", "ela"), "deles": ("de", "eles"), "delas": ("de", "elas"),
        "neste": ("em", "este"), "nesta": ("em", "esta"), "nesse": ("em", "esse"), "nessa": ("em", "essa"),
        "pro": ("para", "o"), "pros": ("para", "os"), "pras": ("para", "as"),
    }
)  # fmt: skip
_BEING: Final = frozenset("está estão estou estava estavam estamos estive esteve".split())  # noqa: SIM905
_INFINITIVE = re.compile(r"(?P<stem>[^\W\d_]{2,})(?P<vowel>[aei])r")
_PLAIN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def rewrite_pt(words: Sequence[str]) -> list[str]:
    """Write the words of a Portuguese statement in the spellings that stand for all, without articles that change nothing.

    Args:
        words: in canonical form, stops as words of their own, in their order.
    """
    spelt = [_spelt(part) for word in words for part in _LONG.get(word, (word,))]
    return _numbered(_gerunds(_without_articles(_joined(spelt))))


def _spelt(word: str) -> str:
    word = _SPELLINGS.get(word, word)
    return fold(word) if _ACCENTED_ENDING.fullmatch(word) else word


def _joined(words: Sequence[str]) -> list[str]:
    """Contractions as the preposition alone, where the article in them changes nothing."""
    joined: list[str] = []
    for place, word in enumerate(words):
        preposition, article = _CONTRACTED.get(word, ("", ""))
        following = words[place + 1] if place + 1 < len(words) else ""
        if article and joined and joined[-1] in _TAKES[preposition] and _goes_without(following, article):
            joined.append(preposition)
        elif word == "cento" and joined and joined[-1] == "por" and place > 1 and words[place - 2][-1:].isdigit():
            joined[-1] = "%"
        else:
            joined.append(word)
    return joined


def _without_articles(words: Sequence[str]) -> list[str]:
    # "os" and "as" stay: "gatos" are any and "os gatos" may be known ones.
    return [word for place, word in enumerate(words) if word not in {"o", "a"} or not _says_nothing(words, place)]


def _says_nothing(words: Sequence[str], place: int) -> bool:
    before = words[place - 1] if place else "."
    noun, behind = (*words[place + 1 : place + 3], "", "")[:2]
    is_article = before in _BEFORE_ARTICLE or (before in {".", ";"} and (behind in _FINITE or noun in _TAKES["de"]))
    return is_article and _goes_without(noun, words[place])


def _goes_without(noun: str, article: str) -> bool:
    """Before each noun one article at most goes: "o dentista" and "a dentista" are two people, and "A Diego" is not his article."""
    return _is_noun(noun) and noun not in _NOT_BEFORE and not noun.endswith("s") and article == _gender(noun)


def _gender(noun: str) -> str:
    """The article that a noun mostly has, "a" or "o", in either number."""
    return "a" if noun.endswith(("a", "ã", "as", "ãs", "cao", "coes", "sao", "soes", "dade", "dades", "gem", "gens")) else "o"


def _is_noun(word: str) -> bool:
    """Not a function word or a number, and not an infinitive, before which "o" and "a" are pronouns."""
    return bool(_PLAIN.fullmatch(word)) and word not in _KEEPS_ARTICLE and not word.endswith(("ar", "er", "ir", "or"))


def _gerunds(words: Sequence[str]) -> list[str]:
    """Write "está a cortar" as "está cortando", as the other side of the ocean does."""
    written = list(words)
    for place in range(len(words) - 2, 0, -1):
        infinitive = _INFINITIVE.fullmatch(words[place + 1])
        if words[place] == "a" and words[place - 1] in _BEING and infinitive:
            written[place : place + 2] = [f"{infinitive['stem']}{infinitive['vowel']}ndo"]
    return written


def _numbered(words: Sequence[str]) -> list[str]:
    """Number words before a noun as digits: alone, "duas" says that women are meant, and so does "duas dentistas" beside "dois"."""
    return [
        _NUMBERS[word] if word in _NUMBERS and _counts(word, words[place + 1 : place + 2]) else word for place, word in enumerate(words)
    ]


def _counts(number: str, following: Sequence[str]) -> bool:
    # "um dia" is some day, "uma vez" once upon a time.
    if not following or not _is_noun(following[0]) or following[0] in {"dia", "vez"}:
        return False
    return number not in _OF_GENDER or _OF_GENDER[number] == _gender(following[0])
