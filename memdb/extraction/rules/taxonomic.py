"""Terms: what a word means here. "X means Y", "X stands for Y", "X é quando …", and the answer to "what is X?"."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from governance.redaction.findings import JsonValue
from memdb.extraction.candidates import Candidate
from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.leads import after_lead
from memdb.extraction.rules.reading import Sentence, has_correction, is_spoken, is_unsure, sentences
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.settling import propose
from memdb.extraction.rules.values import is_readable
from memdb.extraction.rules.vocabulary import one_of
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind
from memdb.text.normalise import fold

_TERM: Final = (
    r"(?:(?:the |o |a |um |uma )?[\"“'](?P<quoted>[^\"”'\n]{2,40})[\"”']|(?:the |o |a |um |uma )?(?P<bare>[\w-]+(?: [\w-]+){0,2}?))"
)
_DEFINITION: Final = r"(?P<definition>[^.!?;\n\ufffc]{6,200})"
_GENUS_EN: Final = r"(?:list|period|document|meeting|process|set|collection|promise|agreement|contract|method|measure|metric|type|kind|form|system|tool|technique|practice|stage|step|file|report|indicator|environment|version|copy|rule|code|deadline|budget|account|record|log|plan|schedule|ceremony|check|test|database|table|format|protocol|standard|unit|amount|fee|tax|technique)"
_GENUS_PT: Final = r"(?:lista|periodo|documento|reuniao|processo|conjunto|colecao|promessa|acordo|contrato|metodo|medida|metrica|tipo|especie|sistema|ferramenta|tecnica|pratica|etapa|arquivo|relatorio|indicador|ambiente|versao|copia|regra|codigo|prazo|orcamento|registro|plano|cronograma|cerimonia|teste|tabela|formato|protocolo|padrao|unidade|quantia|taxa|imposto|fila|ciclo|quadro)"
_PATTERNS: Final = (
    # Only a quoted term, or one that is said to be ours, may just "mean": "parenthood means a lot" defines nothing.
    ("en-means-here", "en", re.compile(rf"{_TERM} (?:here|for us|around here|at our place|in this (?:team|house|channel|lab|project)) (?:means|=|stands for|is(?= (?:the|an?|when|what|our) )) (?:that )?{_DEFINITION}")),
    ("en-for-us-means", "en", re.compile(rf"(?:for us|here|around here|in this (?:team|house|channel|lab|project))[, ]+{_TERM} (?:means|stands for) (?:that )?{_DEFINITION}")),
    ("en-stands-for", "en", re.compile(rf"{_TERM} (?:stands for|is short for|is an abbreviation (?:of|for)|is (?:our|the) (?:code ?name|nickname|working title|word|name|term|shorthand) (?:for|of)|is what we call) {_DEFINITION}")),
    ("en-quoted-means", "en", re.compile(rf"(?:the )?[\"“'](?P<quoted>[^\"”'\n]{{2,40}})[\"”'] (?:means|is when|is(?= the | our | what )|=) (?:that )?{_DEFINITION}")),
    ("en-code-means", "en", re.compile(rf"(?P<bare>[a-z]{{1,4}}[0-9]{{1,2}}|[a-z]{{2,6}})(?: for us)? (?:means|=) (?:that )?{_DEFINITION}")),
    ("en-when-we-say", "en", re.compile(rf"when (?:we|i|people here) say {_TERM},? (?:we|i|they) mean {_DEFINITION}")),
    ("en-by-we-mean", "en", re.compile(rf"by {_TERM},? (?:we|i) mean {_DEFINITION}")),
    ("en-name-for", "en", re.compile(rf"(?:our|the) (?:code ?name|nickname|working title|shorthand|word|term) (?:for|of) (?P<definition>(?:the |our |an? )?[^.!?;\n\ufffc]{{3,60}}?) is {_TERM}(?=$|[.!,;])")),
    ("en-kind-of", "en", re.compile(r"an? [\"“']?(?P<bare>[a-z-]+(?: [a-z-]+)?)[\"”']? is (?P<definition>(?:an? |any |when )[^.!?;\n\ufffc]{12,160})")),
    ("pt-name-for", "pt", re.compile(rf"(?:nosso|o) (?:codinome|apelido|nome interno|nome de codigo) (?:d[eoa]s?|para [oa]|pr[oa]) (?P<definition>[^.!?;\n\ufffc]{{3,60}}?) é {_TERM}(?=$|[.!,;])")),
    ("pt-name-of", "pt", re.compile(rf"{_TERM} é (?:o |nosso )?(?:codinome|apelido|nome interno|nome de codigo) (?:d[eoa]s?|para [oa]|pr[oa]) {_DEFINITION}")),
    ("pt-loan", "pt", re.compile(r"(?:o |a |um |uma )?[\"“']?(?P<bare>(?=[\w-]*(?:k|w|y|ing\b|sh|th|ck|ee|oo))[a-z-]{3,20})[\"”']? é (?P<definition>(?:o |a |os |as |um |uma |quando )[^.!?;\n\ufffc]{10,160})")),
    ("pt-when-we-say", "pt", re.compile(rf"quando (?:a gente|eu|nos|o pessoal) (?:fala|falo|diz|digo|falamos|dizemos) (?:em )?{_TERM},? (?:a gente|eu|nos|ele)? ?(?:quer|quero|queremos) dizer (?:que )?{_DEFINITION}")),
    ("pt-by-we-mean", "pt", re.compile(rf"por {_TERM},? (?:a gente|eu|nos) (?:quer|quero|queremos) dizer {_DEFINITION}")),
    ("pt-means", "pt", re.compile(rf"(?:aqui(?: em casa)?,? )?{_TERM}(?: (?:aqui|pra gente|para nos|na casa|no time))? (?:significa|quer dizer) (?:que )?{_DEFINITION}")),
    ("pt-stands-for", "pt", re.compile(rf"{_TERM} (?:é (?:a )?(?:sigla|abreviacao|apelido|nome) (?:de|do|da|para|que a gente da (?:para|pra))|é como (?:a gente|nos) (?:chama|chamamos)) {_DEFINITION}")),
    ("pt-is-when", "pt", re.compile(rf"{_TERM},?(?: aqui| pra gente| na casa)? é quando {_DEFINITION}")),
    ("pt-here-is", "pt", re.compile(rf"{_TERM} (?:aqui|pra gente|para nos|na casa|no time) é (?=(?:o|a|os|as|um|uma|quando|quem) ){_DEFINITION}")),
    ("pt-quoted-is", "pt", re.compile(rf"(?:o |a )?[\"“'](?P<quoted>[^\"”'\n]{{2,40}})[\"”'] (?:é|=) {_DEFINITION}")),
    ("pt-equals", "pt", re.compile(r"(?P<bare>[\w-]+(?: (?:d[aeo] )?[\w-]+)?) = (?P<definition>(?=[^\d\W])[^.!?;\n\ufffc]{6,200}|\d[^.!?;\n\ufffc]{6,200})")),
    ("pt-we-call", "pt", re.compile(r"(?:aqui )?(?:a gente|nos) (?:chama|chamamos) (?P<definition>(?:o |a |os |as )[^.!?;\n\ufffc]{4,80}?) de [\"“'](?P<quoted>[^\"”'\n]{2,40})[\"”']")),
    ("en-genus", "en", re.compile(rf"(?:(?P<article>an?) )?(?P<bare>[a-z-]{{3,20}}(?: [a-z-]{{3,20}})?) (?:is|are) (?P<definition>(?:an? )?(?:[a-z-]+ ){{0,3}}?{_GENUS_EN} (?:of|for|that|in which|where|when|about|on|between|with|to) [^.!?;\n\ufffc]{{4,160}})")),
    ("pt-genus", "pt", re.compile(rf"(?:(?P<article>o|a|uma?) )?(?P<bare>[a-z-]{{3,20}}(?: [a-z-]{{3,20}})?) é (?P<definition>uma? (?:[a-z-]+ )?{_GENUS_PT} (?:[a-z]+ )?(?:d[eoa]s?|que|para|pra|onde|em que|com|entre|sobre|no qual|na qual) [^.!?;\n\ufffc]{{4,160}})")),
    ("en-acronym", "en", re.compile(rf"(?:(?P<article>the|an?) )?(?P<bare>[a-z]{{2,6}}) (?:is|=) (?:the |an? )?{_DEFINITION}")),
    ("pt-acronym", "pt", re.compile(rf"(?:(?P<article>o|a|uma?) )?(?P<bare>[a-z]{{2,6}}) (?:é|=) (?:o |a |um |uma )?{_DEFINITION}")),
)  # fmt: skip
_ASKED: Final = re.compile(
    r"^(?:[\w ,]{0,30}?\b)?(?:what(?:'s| is| are| does)|o que é|oq é|que é|o que significa|o que quer dizer) (?:the |an? |o |a |um |uma )?[\"“']?(?P<term>[\w-]+(?: [\w-]+)?)[\"”']?(?: mean)?\s*\?"
)
_ANSWERED_WITHIN: Final = 3
_NO_TERM: Final = re.compile(
    one_of(
        r"^(?:it|this|that|which|what|he|she|they|we|i|you|there|here|who|so|and|but|(?:the|an?|os?|as?)$|yes|no|ok|isso|isto|que|ele|ela|eu|voce|vc|quem|e|mas|nao|sim",
        r"everything|nothing|all|everyone|tudo|nada|aqui|ai|la|hope|love|life|family|friendship|home|music|art|it's|being|having|my|your|our|his|her|their|amor|amar|amizade|felicidade",
        r"saudade|vida|viver|familia|sucesso|paz|liberdade|respeito|success|happiness|freedom)\b",
    )
)
_PRAISE: Final = re.compile(
    r"\b(?:best|greatest|worst|only|first|last|most|favou?rite|one of|melhor|pior|unic[oa]|primeir[oa]|ultim[oa]|mais|preferid[oa])\b"
)
_TERM_MIN: Final = 3
_KIND_WORDS: Final = 5
_LETTERS_MIN: Final = 3
_EXPLAINED_IN: Final = 4
_ONE_OF: Final = re.compile(
    r"\b(?:one|only|same|first|last|who|not|down|up|on|off|broken|slow|late|open|closed|ready|done|quem|nao|fora|lent[oa]|quebrad[oa]|aqui|here|there|now|today|agora|hoje)\b"
)
_WHICH: Final = re.compile(
    r"\b(?:who|that|which|person|man|woman|boy|girl|guy|friend|few|lot|bit|good|great|nice|big|little|more|better|part|real|true)\b"
)
_LOAN: Final = re.compile(r"k|w|y|ing\b|sh|th|ck|ee|oo|nt\b|og\b")
_NO_KIND: Final = re.compile(
    r"(?:my|our|your|his|her|their|the|this|that|these|those|some|one|it|there|here|what|life|love|today|tomorrow|everything|nothing|each|every|which|she|he|they|we|you|someone"
    r"|meu|minha|nosso|nossa|seu|sua|este|esta|esse|essa|isso|isto|aquilo|tudo|nada|hoje|amanha|cada|ele|ela|voce|vida|amor|aqui|ai|la|so|nao|mas|que)\b"
)
_JUDGES_ALL: Final = re.compile(
    r"\b(?:best|worst|great|good|bad|nice|joy|reminder|love|hope|life|happiness|feelings?|melhor|pior|otim[oa]|bo[am]|ruim|amor|vida|felicidade|alegria|sentimentos?|carinho|my|me|meu|minha|mim|it|this|that one)\b"
)
_JOINING: Final = frozenset("of the and for a an in to de da do das dos e para em".split())  # noqa: SIM905 - a list of words
_JUDGES: Final = re.compile(
    one_of(
        r"\b(?:best|worst|great|good|bad|nice|must|lot|way|thing|joy|pleasure|bit|little|big|huge|real|part|part of|reminder|sign|gift|blessing|treat|journey|matter|challenge|problem",
        r"pain|nightmare|shame|luxury|dream|win|plus|need|necessity|choice|start|mess|joke|disaster|step|friend|like|feeling|must-have|symbol|chance|opportunity",
        r"melhor|pior|otim[oa]|bo[am]|ruim|legal|chat[oa]|droga|coisa|problema|parte|jeito|forma|presente|sonho|saco|piada|vida|amor|maior|que eu|meu|minha|favorit[oa])\b",
    )
)
"""What says how somebody finds something defines nothing."""
_SUM: Final = re.compile(r"[+*/<>{}()\[\]|;]|^(?:total|soma|resultado|resto|media)\b")
"""An equation, not a definition."""
_ASIDE: Final = re.compile(
    r", (?:ta|ne|viu|ok|okay|right|btw|fyi|by the way|por favor|please|gente|pessoal|got it|entendi|anotado|nao|not|nothing)\b"
)
_WHOSE: Final = re.compile(r"\b(?:we|our|us|you|a gente|here|(?<=[a-z] )that)\b")
"""A definition may say "we": it means the room."""
_EMPTY: Final = re.compile(
    r"^(?:a lot|so much|the world|everything|nothing|well|business|more|much|something|muito|tudo|nada|you|i|they|he|she|voce|eu|ele|ela|so|very"
    r"|my|your|not|nao|que (?:eu|voce)|great|good|important|here|there|it)\b"
)


def taxonomic(transcript: Transcript) -> list[Candidate]:
    """Terms that a transcript defines, in order; `term`, `definition` and `aliases`, as said."""
    terms: dict[str, tuple[str, str]] = {}
    found = list(_defined(transcript, terms))
    last = {fold(terms[_id(one)][0]): one for one in found}

    def defined_as(one: Found) -> Mapping[str, JsonValue]:
        term, definition = terms[_id(one)]
        return {"term": term, "definition": definition, "aliases": []}

    return propose([one for one in found if last[fold(terms[_id(one)][0])] is one], transcript, Kind.TAXONOMIC, defined_as)


def _id(found: Found) -> str:
    return f"{found.sentence.utterance.number}:{found.at}"


def _defined(transcript: Transcript, terms: dict[str, tuple[str, str]]) -> Iterator[Found]:
    asked: list[tuple[int, str]] = []
    for utterance in transcript.utterances:
        heard = is_spoken(utterance)
        for sentence in sentences(utterance):
            question = _ASKED.match(sentence.plain)
            if question is not None:
                asked.append((utterance.number, question["term"]))
                continue
            one = None if not heard else _answer(sentence, asked) or _stated(sentence)
            if one is not None:
                found, term, definition = one
                terms[_id(found)] = term, definition
                yield found


def _stated(sentence: Sentence) -> tuple[Found, str, str] | None:
    for start in sentence.clauses():
        at = after_lead(sentence.plain, start)
        for name, language, pattern in _PATTERNS:
            match = pattern.match(sentence.plain, at)
            if match is None or not _looks_like_a_term(name, sentence, match):
                continue
            one = _made(sentence, match, name, language, at)
            if one is not None:
                return one
    return None


def _looks_like_a_term(name: str, sentence: Sentence, match: re.Match[str]) -> bool:
    """Where the form alone says little: an unquoted term has to be a code ("P0", "SLA"), and a quoted one no title ("California Love")."""
    definition = match["definition"]
    shown = sentence.shown[slice(*match.span("quoted" if match.groupdict().get("quoted") else "bare"))]
    match name.partition("-")[2]:
        case "code-means":
            found = shown.isupper() and len(shown) > 1 and not definition[:1].isdigit()
        case "acronym":
            found = shown.isupper() and (_spells(match["bare"], definition) or _explains(shown, definition, match["article"]))
        case "genus":
            found = match.start() == 0 and _names_a_thing(match, shown) and _JUDGES_ALL.search(definition) is None
        case "kind-of":
            found = (
                match.start() == 0 and len(definition.split()) >= _KIND_WORDS and not (_WHICH.search(shown) or _JUDGES.search(definition))
            )
        case "loan":
            found = shown.islower() and _JUDGES.search(definition) is None
        case "equals":
            found = len(shown) >= _TERM_MIN and _SUM.search(match[0]) is None
        case "quoted-means" | "quoted-is":
            found = (shown.islower() or shown.isupper()) and _PRAISE.search(definition) is None
        case _:
            found = True
    return found


def _spells(letters: str, definition: str) -> bool:
    """Tell whether the words of a definition begin with the letters of an abbreviation, in order."""
    initials = "".join(word[0] for word in definition.split() if word not in _JOINING)
    return initials.startswith(letters)


def _names_a_thing(match: re.Match[str], shown: str) -> bool:
    """Tell whether what "is a list of …" is a word for any of its kind, not this one: "a backlog", "sprint", and not "the plan", "Ana"."""
    if match["article"] in {"o", "a"} and not _LOAN.search(match["bare"]):
        return False  # "o plano é um acordo" may be this one
    return (match["article"] is not None or shown[1:].islower()) and _NO_KIND.match(match["bare"]) is None


def _explains(letters: str, definition: str, article: str | None) -> bool:
    """Tell whether a definition says what an abbreviation is, where its words do not begin with the letters."""
    words = definition.split()
    least = _EXPLAINED_IN - (article in {"a", "an", "um", "uma"})
    return len(letters) >= _LETTERS_MIN and len(words) >= least and not (_JUDGES.search(definition) or _ONE_OF.search(definition))


def _answer(sentence: Sentence, asked: list[tuple[int, str]]) -> tuple[Found, str, str] | None:
    """The answer to what somebody asked a few turns before, which names the term again."""
    number = sentence.utterance.number
    for at_turn, term in asked:
        if not 0 < number - at_turn <= _ANSWERED_WITHIN:
            continue
        at = after_lead(sentence.plain, 0)
        pattern = re.compile(
            rf"(?:the |an? |o |a |um |uma )?[\"“']?(?P<bare>{re.escape(term)})[\"”']? (?:is|are|means|é|significa|quer dizer) {_DEFINITION}"
        )
        match = pattern.match(sentence.plain, at)
        if match is not None:
            language = "pt" if re.search(r" (?:é|significa|quer dizer) ", match[0]) else "en"
            return _made(sentence, match, f"{language}-asked-term", language, at)
    return None


def _made(sentence: Sentence, match: re.Match[str], name: str, language: str, at: int) -> tuple[Found, str, str] | None:
    group = "quoted" if match.groupdict().get("quoted") else "bare"
    term = sentence.shown[slice(*match.span(group))].strip()
    start, end = match.span("definition")
    aside = _ASIDE.search(sentence.plain, start, end)
    end = end if aside is None else aside.start()
    if not _is_readable(sentence.plain[start:end]) and "," in sentence.plain[start:end]:
        end = sentence.plain.index(",", start)
    definition = sentence.shown[start:end].strip(" ,:\"“”'")
    plain = sentence.plain[start:end]
    if (
        _NO_TERM.match(match[group])
        or _EMPTY.match(plain)
        or is_unsure(f"= {plain}")
        or has_correction(plain)
        or len(definition.split()) < (1 if name in {"pt-equals", "pt-name-of", "pt-name-for"} else 2)
    ):
        return None
    if not _is_readable(plain):
        return None
    content = f"{term[:1].upper()}{term[1:]}: {definition}."
    found = Found(
        rule=Rule(name=name, verb="", rest=""),
        language=language,
        sentence=sentence,
        at=sentence.start + at,
        subject=None,
        content=content,
        attribute=None,
        value=definition,
        quote=sentence.shown[at:end].strip(),
    )
    return found, term, definition


def _is_readable(plain: str) -> bool:
    return is_readable(_WHOSE.sub("", plain))
