# ruff: noqa: E501 - a row of words broken over lines reads worse
"""Secrets of several plain words behind a link ("the password is correct horse battery staple"): where they end, or why they are a sentence.

A clause behind "the password is" is a predicate far more often than a secret. It is one where no word is of the kind that predicates are
made of: determiners, pronouns, auxiliaries, participles, adjectives of quality, abstract nouns, and what is said about passwords.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.secret_values import PREDICATES, is_about_itself, says_how_it_is

WORDS_MAX: Final = 8
"""Longer runs of words are sentences; seed phrases, which are longer, have a noun and a recognizer of their own."""

_WORD: Final = re.compile(
    r"(?P<word>[A-Za-zÀ-ÿ]{1,20}(?:-[A-Za-zÀ-ÿ]{1,20}){0,4}[0-9]{0,6}[!?*#$&]{0,2}|[0-9]{1,8})(?![A-Za-zÀ-ÿ0-9'’@/\\=_])"
)
_BETWEEN: Final = re.compile(r"[ \t]{1,3}")
_END: Final = re.compile(
    r"[.!?)\]\"'”’»]{0,3}(?:\s{0,3}$|[ \t]{0,3}[\n,;|(]|\s{1,3}[–—-]\s|[.!?)\"'”’»]\s|[ \t]{1,3}(?:but|mas|so|because|porque|pois|if|se|when|quando|y)[ \t])"
)
_STOPS: Final = frozenset("and e y but on for para pra no na in em at".split())  # noqa: SIM905 - a row of words
"""Small words that may begin the next part of the sentence."""

_INSIDE: Final = frozenset("and e n in em com with of de do da dos das on at a o the y".split())  # noqa: SIM905 - a row of words
"""Small words that stand inside phrases as well: "tulips in june", "flor do campo"."""

_HARD: Final = frozenset(
    """
    i me my we us our you your he him she her they them their it its this that these those there here who whom whose which what when where why
    how is are was were be been being am has have had do does did will would shall should can could may might must ought let lets an
    if or nor than then as to from by per via about above below under over into onto upon between before after until till since during against within
    without behind inside outside through like such very too so quite rather pretty really more most less least much many some any no not
    never ever always often only also just even still yet already again now soon today tomorrow yesterday tonight else each every both all
    another other own same someone somebody anyone anybody nobody everyone everybody something anything nothing everything somewhere
    anywhere everywhere whatever whoever because though although while unless
    eu tu ele ela nós nos vós eles elas você voce vocês voces meu minha meus minhas seu sua seus suas nosso nossa dele dela deles delas isto isso
    aquilo este esta esse essa aquele aquela que quem qual quais quando onde como porque porquê por pelo pela pelos pelas para pra até ate
    sem sob sobre entre desde contra durante é são era eram foi foram ser estar está esta estão estava tem têm tinha ter há havia vai vão
    vou deve devem pode podem precisa um uma uns umas não nao nem já ainda sempre nunca muito muita mais menos tão tao bem mal só
    também tambem algo alguém alguem ninguém ninguem nada tudo todo toda todos todas outro outra cada mesmo mesma se ao aos à às
    """.split()  # noqa: SIM905 - two hundred quoted words, one a line, read worse
)
_TALK: Final = frozenset(
    """
    text plaintext cleartext knowledge policy policies practice problem problems issue issues security process thing things part question
    enough trash garbage rubbish nonsense trouble history word words character characters char chars letter letters digit digits number
    numbers symbol symbols hash hashes base64 sha256 sha1 md5 bcrypt argon2 password passwords passphrase passcode username user users
    login logins email account accounts field fields form prompt manager box page screen settings option options value values string type
    format file files server service network database config configuration environment variable production staging default defaults
    access work step proof root cause matter kind sort way form line point piece pain target subject work place source key keys
    company employee admin-only week weeks month months year years day days hour hours minute minutes later ago morning
    monday tuesday wednesday thursday friday saturday sunday segunda terça quarta quinta sexta sábado domingo semana semanas mês meses ano anos
    dia dias hora horas minuto minutos texto problema problemas questão questao coisa coisas parte regra regras política politica palavra
    palavras caractere caracteres letra letras dígito dígitos digito digitos número números numero numeros senha senhas usuário usuario
    usuários usuarios conta contas campos tela página pagina formulário none sistema sistemas servidor rede banco arquivo acesso padrão prova
    motivo obra fonte tipo forma jeito lugar base alvo brincadeira piada bagunça verdade mentira gosto valor valores chave chaves empresa
    cliente clientes aplicativo app aplicação site portal serviço suporte equipe team support tech
    """.split()  # noqa: SIM905 - as above
)
_ORDERS: Final = frozenset(
    """
    see ask enter type use choose check contact click press look get go try follow remember forgot forget sign log create save cancel submit
    confirm next continue proceed add change update reset set pick provide keep leave note refer read find call say tell send share show hide
    write store copy paste make must need needs max min at minimum maximum least between up please sorry thanks expire expires match
    comply work works protect avoid prevent stay open unlock join begin start finish activate secure empty blank zero
    ver veja ver peça peca pergunte pergunta digite insira use escolha consulte informe entre acesse clique confira verifique mude troque
    altere crie salve cancele envie confirme continue esqueci esqueceu lembre lembrar anote guarde mantenha deixe peguei pegue fale mande
    mín máx mínimo máximo usual mesmo anterior atual última último primeira segunda previous current last first latest newest one ones
    """.split()  # noqa: SIM905 - as above
)
_ABSTRACT: Final = re.compile(
    r".{3,}(?:dade|[cçs][aã]o|mento|tude|[eâê]ncia|ancia|ismo|agem|ity|tion|sion|ment|ness|ency|ance|ence|ism|ship|mente)s?",
    re.IGNORECASE,
)
_NO_ADVERBS: Final = frozenset(
    """
    butterfly dragonfly firefly fly family jelly lily holly belly italy july molly kelly emily sally billy bully willy polly assembly curly
    silly ugly lovely lonely chilly hilly
    """.split()  # noqa: SIM905 - as above
)
_INFINITIVE: Final = re.compile(r".{2,}[aei]r", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"(?:a|o|as|os|um|uma|the|an)[ \t]{1,2}(?=[A-Za-zÀ-ÿ])", re.IGNORECASE)
_WORDS_BEHIND_ARTICLE_MAX: Final = 3


def end_of_words(text: str, start: int, *, listed: bool) -> int | None:
    """Return where the secret of two words or more ends that begins at `start`; None where the words are no secret.

    Args:
        text: the analysis text.
        start: the first character behind the link.
        listed: whether the link is a colon or the like: an article may stand before the words then, and one word behind it is enough.
    """
    article = _ARTICLE.match(text, start) if listed else None
    if article is not None:
        words, ends = _words(text, article.end())
        content = 0 < len(words) <= _WORDS_BEHIND_ARTICLE_MAX and all(map(_may_be_part, words))
        return (
            ends[-1]
            if content and _may_begin(words[0]) and _INFINITIVE.fullmatch(words[0]) is None and _END.match(text, ends[-1])
            else None
        )
    words, ends = _words(text, start)
    count = _secret_words(words) if words and _may_begin_praise(words) else 0
    # Where a full clause is no secret, what stands before "and", "on", "for" may be.
    while count:
        if (
            count > 1
            and _may_end(words[:count])
            and (_END.match(text, ends[count - 1]) or (count < len(words) and words[count].lower() in _STOPS))
        ):
            return ends[count - 1]
        count -= 1
    return None


def is_ordinary(word: str) -> bool:
    """Tell whether one word behind the word for a secret and no clear link belongs to a sentence."""
    return not _may_begin(word) or not _may_be_part(word)


def _words(text: str, start: int) -> tuple[list[str], list[int]]:
    """Return up to `WORDS_MAX` words from `start` on, on one line, and where each ends."""
    words: list[str] = []
    ends: list[int] = []
    position = start
    while len(words) <= WORDS_MAX and (match := _WORD.match(text, position)) is not None:
        words.append(match["word"])
        ends.append(match.end())
        between = _BETWEEN.match(text, match.end())
        if between is None:
            break
        position = between.end()
    return words, ends


def _secret_words(words: list[str]) -> int:
    """Return how many words from the first on hold nothing of a sentence."""
    count = 0
    for word in words:
        lowered = word.lower()
        if lowered in _INSIDE and count > 0:
            count += 1
        elif lowered in _HARD or not _may_be_part(word):
            break
        else:
            count += 1
    if count > WORDS_MAX:
        return 0
    if count < len(words):
        # A sentence goes on behind: only a small word ends the secret.
        while count and words[count - 1].lower() not in _STOPS:
            count -= 1
        return max(0, count - 1)
    return count


def _may_begin_praise(words: list[str]) -> bool:
    """The first word of three may look like a predicate: "correct horse battery"."""
    return _may_begin(words[0]) or (words[0].lower() in {"correct", "correto"} and len(words) > 2 and not is_about_itself(words[1]))


def _may_begin(word: str) -> bool:
    lowered = word.lower()
    return not (
        is_about_itself(word)
        or lowered in _ORDERS
        or lowered in _INSIDE
        or lowered in _STOPS
        or word.isdigit()
        or _ABSTRACT.fullmatch(word)
    )


def _may_be_part(word: str) -> bool:
    lowered = word.lower()
    return (
        lowered not in _HARD
        and lowered not in _TALK
        and not lowered.endswith("mente")
        and not (lowered.endswith("ly") and lowered not in _NO_ADVERBS)
    )


def _may_end(words: list[str]) -> bool:
    """Behind one noun a participle makes a predicate ("user defined"), behind two it may be a word of the secret."""
    last = words[-1].lower()
    if last in _INSIDE or last in PREDICATES:
        return False
    return not says_how_it_is(last) or (len(words) > 2 and not _INSIDE.intersection(word.lower() for word in words))
