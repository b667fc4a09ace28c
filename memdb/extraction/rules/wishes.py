"""How somebody wants to be answered, in English and Portuguese: "keep your answers short", "respostas curtas, por favor". Pure.

Such a wish is kept as what its speaker prefers; nothing here follows it. It counts only where it says that answers are meant, so that "be
brief" to a colleague is none.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

from typing import Final

from memdb.extraction.rules import english, portuguese
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import STYLE_EN, STYLE_PT, UNWANTED_EN, UNWANTED_PT

_ANSWERS_EN: Final = r"(?:answers|replies|responses|explanations|summaries)"
_ANSWERS_PT: Final = r"(?:respostas|explicacoes|resumos)"
_POLITE_EN: Final = r"(?:please |always |can you |just |from now on,? ){0,3}"
_POLITE_PT: Final = r"(?:por favor,? |sempre |pode |de agora em diante,? ){0,3}"
_STYLE_EN: Final = rf"(?:(?:very|more|really) )?{STYLE_EN}(?:(?:,| and|, and) {STYLE_EN}){{0,2}}"
_STYLE_PT: Final = rf"(?:(?:mais|bem|muito) )?{STYLE_PT}(?:(?:,| e) {STYLE_PT}){{0,2}}"
_SO_EN: Final = r"(?: as possible| if possible| please| to me| for me){0,2}"
_SO_PT: Final = r"(?:,? (?:por favor|pfv|sempre|pra mim|para mim)){0,2}"
_FORM_EN: Final = r"(?:in (?:bullet points|bullets|short sentences|full sentences|plain english|plain language|simple words|simple terms|markdown|one sentence|one paragraph|detail|lower ?case)|with (?:bullet points|examples|sources|code)|briefly|concisely|formally|informally|without (?:jargon|emojis?|slang))"
_FORM_PT: Final = r"(?:em (?:topicos|frases curtas|uma frase|um paragrafo|linguagem simples|detalhes?|markdown)|com (?:exemplos|fontes|detalhes|topicos)|de (?:forma|maneira|modo) [a-z]+|brevemente|resumidamente|sem (?:girias?|jargao|emojis?|enrolacao))"
_VERBS_EN: Final[dict[str, Verb]] = {
    **{name: english.VERBS[name] for name in ("want", "like", "need", "prefer")},
    "keep": Verb(rf"{_POLITE_EN}(?:keep|make)", r"(?!)", ""),
    "reply": Verb(rf"{_POLITE_EN}(?:reply|answer|respond|explain(?: things)?)(?: to)?(?: me)?", r"(?!)", ""),
    "avoid": Verb(rf"{_POLITE_EN}(?:(?:do not|don't|never) use|avoid(?: using)?|stop using)", r"(?!)", ""),
    "be so": Verb(rf"{_POLITE_EN}be", r"(?!)", ""),
}  # fmt: skip
_VERBS_PT: Final[dict[str, Verb]] = {
    **portuguese.regular({"querer": ("quero", "quer", "quer")}),
    "mantenha": Verb(rf"{_POLITE_PT}(?:mantenha|mantem|mantenham|deixe|deixa|faca|faz)", r"(?!)", ""),
    "responda": Verb(rf"{_POLITE_PT}(?:me )?(?:responda|responde|respondam|explique|explica)(?: sempre)?", r"(?!)", ""),
    "evite": Verb(rf"{_POLITE_PT}(?:(?:nao|nunca) (?:use|usa|usem|usar)|evite|evita|evitem)", r"(?!)", ""),
    "seja": Verb(rf"{_POLITE_PT}(?:seja|sejam)(?: sempre)?", r"(?!)", ""),
    "": portuguese.VERBS[""],
}  # fmt: skip

WISHES: Final = (
    *compile_rules(
        (
            Rule(name="en-keep-answers", verb="keep", rest=rf" (?:all )?(?:your |the |my )?{_ANSWERS_EN} (?:as )?(?P<value>{_STYLE_EN}){_SO_EN}{{end}}", attribute="tone", shown="wants {value} answers", first_only=True),
            *(Rule(name=f"en-{verb}-answers", verb=verb, rest=rf" (?P<value>{_STYLE_EN}) {_ANSWERS_EN}{_SO_EN}{{end}}", attribute="tone", shown="wants {value} answers") for verb in ("want", "like", "need")),
            *(Rule(name=f"en-{verb}-answers-so", verb=verb, rest=rf" (?:your |the |my )?{_ANSWERS_EN} (?:to be )?(?P<value>{_STYLE_EN}){_SO_EN}{{end}}", attribute="tone", shown="wants {value} answers") for verb in ("want", "like", "need", "prefer")),
            Rule(name="en-answer-so", verb="reply", rest=rf" (?P<value>{_FORM_EN}){_SO_EN}{{end}}", attribute="format", shown="wants to be answered {value}", first_only=True),
            Rule(name="en-avoid", verb="avoid", rest=rf" (?P<value>{UNWANTED_EN})(?: (?:with me|in (?:your |the )?{_ANSWERS_EN}|when (?:you )?(?:reply|answer)(?:ing)?(?: to)?(?: me)?))?{_SO_EN}(?=\s*(?:$|[.!]))", attribute="tone", shown="wants no {value}", first_only=True),
            Rule(name="en-be-so", verb="be so", rest=rf" (?P<value>{_STYLE_EN}) (?:with me|in (?:all )?(?:your )?{_ANSWERS_EN}|when (?:you )?(?:reply|replying|answer|answering|explain|explaining)(?: to)?(?: me)?(?: things)?){_SO_EN}{{end}}", attribute="tone", shown="wants {value} answers", first_only=True),
        ),
        "en", _VERBS_EN, english.ADVERBS,
    ),
    *compile_rules(
        (
            Rule(name="pt-keep-answers", verb="mantenha", rest=rf" (?:as |os |suas |seus |tuas )?{_ANSWERS_PT} (?P<value>{_STYLE_PT}){_SO_PT}{{end}}", attribute="tone", shown="quer respostas {value}", first_only=True),
            Rule(name="pt-want-answers", verb="querer", rest=rf" {_ANSWERS_PT} (?P<value>{_STYLE_PT}){_SO_PT}{{end}}", attribute="tone", shown="quer respostas {value}"),
            Rule(name="pt-answers-please", verb="", rest=rf"{_ANSWERS_PT} (?P<value>{_STYLE_PT}),? (?:por favor|pfv|sempre)\b", attribute="tone", shown="quer respostas {value}", first_only=True),
            Rule(name="pt-answer-so", verb="responda", rest=rf" (?P<value>{_FORM_PT}){_SO_PT}{{end}}", attribute="format", shown="quer respostas {value}", first_only=True),
            Rule(name="pt-avoid", verb="evite", rest=rf" (?P<value>{UNWANTED_PT})(?: (?:comigo|nas (?:suas )?{_ANSWERS_PT}|ao responder))?{_SO_PT}(?=\s*(?:$|[.!]))", attribute="tone", shown="não quer {value}", first_only=True),
            Rule(name="pt-be-so", verb="seja", rest=rf" (?P<value>{_STYLE_PT}) (?:comigo|nas (?:suas )?{_ANSWERS_PT}|ao (?:me )?(?:responder|explicar)|quando (?:me )?(?:responder|explicar)){_SO_PT}{{end}}", attribute="tone", shown="quer que se responda assim: {value}", first_only=True),
        ),
        "pt", _VERBS_PT, portuguese.ADVERBS,
    ),
)  # fmt: skip
"""Wishes of whoever speaks; none of them is told of somebody else but "Bruno wants short answers"."""
