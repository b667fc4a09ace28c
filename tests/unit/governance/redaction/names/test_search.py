from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import spacy

from governance.errors import InvalidInput, RedactionUnavailable
from governance.redaction import redactor as redactor_module
from governance.redaction.entities import LOCATION, PERSON
from governance.redaction.findings import Action, Finding
from governance.redaction.names.known import KnownNames
from governance.redaction.names.model import SpacyModel, load_spacy_model
from governance.redaction.names.search import search_names
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules

KEY = b"k" * 32
NAMES_GO = RedactionRules().with_overrides({"PERSON": "pseudonymise", "LOCATION": "replace"})


def found(text: str, entity: str, known: KnownNames | None = None) -> list[str]:
    names = search_names(text) if known is None else search_names(text, known=known)
    return [text[name.start : name.end] for name in names if name.entity == entity]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        # titles
        ("Mr. Kowalczyk asked for the report", ["Kowalczyk"]), ("a Dra. Hildegunda atende hoje", ["Hildegunda"]), ("falei com a Dona Eulina ontem", ["Eulina"]),
        ("O Sr. Teófilo mora aqui", ["Teófilo"]), ("dr. szabo will call", ["szabo"]),
        # what introduces somebody
        ("My name is Rubija", ["Rubija"]), ("my name is zsuzsa toth.", ["zsuzsa toth"]), ("meu nome é Iracy Xisto", ["Iracy Xisto"]), ("me chamo ana", ["ana"]),
        ("I'm Oluwaseun and I work here", ["Oluwaseun"]), ("Please follow up with Kirsten Aalto", ["Kirsten Aalto"]), ("tá no nome de Zoé", ["Zoé"]), ("fala com o osvaldo", ["osvaldo"]),
        ("my wife Tuulikki is here", ["Tuulikki"]), ("a minha mãe, Jurema, chegou", ["Jurema"]), ("What's your name? Sölvi", ["Sölvi"]), ("atenciosamente, Bartira", ["Bartira"]),
        # capitalised runs, particles, initials, suffixes
        ("We met Ludwig van der Berg and Ana Maria de Souza Neto", ["Ludwig van der Berg", "Ana Maria de Souza Neto"]), ("It was John F. Kennedy", ["John F. Kennedy"]),
        ("Why is Katrine so impulsive?", ["Katrine"]), ("though Meza's song was about a boat", ["Meza"]), ("Hello Ronald Bodnár, are you there?", ["Ronald Bodnár"]),
        ("naomi ryan called", ["naomi ryan"]),
        # legal Portuguese in capitals, with spaces around the signs
        ("RELATOR : MIN . RICARDO LEWANDOWSKI AGTE . ( S ) : UNIÃO", ["RICARDO LEWANDOWSKI AGTE"]), ("O Senhor Desembargador JOSAPHÁ FRANCISCO DOS SANTOS - Vogal", ["JOSAPHÁ FRANCISCO DOS SANTOS"]),
        ("AGRAVANTE : NELSON BARROSO FERREIRA", ["NELSON BARROSO FERREIRA"]), ("Documento assinado eletronicamente por Cleonilson Nicácio Silva", ["Cleonilson Nicácio Silva"]),
        # lists and repetitions
        ("They had Malon, Mark, Kaylee and Jennifer.", ["Malon", "Mark", "Kaylee", "Jennifer"]), ("Maciej Borkowski left. Later the Borkowski family came", ["Maciej Borkowski", "Borkowski"]),
    ],
)  # fmt: skip
def test_people_are_found(text: str, people: list[str]) -> None:
    assert found(text, PERSON) == people


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("May met April in Paris, Texas", ["Paris", "Texas"]), ("She lives in Kenosha now", ["Kenosha"]), ("ele mora em Xique-Xique", ["Xique-Xique"]), ("Brasília ( DF ) , 21 de março", ["Brasília ( DF )"]),
        ("moro na Rua das Flores, 10, ap 3 - Centro, Campinas/SP desde 2020", ["Rua das Flores, 10, ap 3 - Centro, Campinas/SP"]), ("meet at 28 Old Mill Road today", ["28 Old Mill Road"]),
        ("O Governador do Distrito Federal prestou informações", ["Distrito Federal"]), ("Certificado do Estado do Ceará", ["Ceará"]), ("viajei para São Paulo e Rio de Janeiro", ["São Paulo", "Rio de Janeiro"]),
        ("My flight to Sofia is late", ["Sofia"]),
    ],
)  # fmt: skip
def test_places_are_found(text: str, places: list[str]) -> None:
    assert found(text, LOCATION) == places


@pytest.mark.parametrize(
    "text",
    [
        "The team met on Monday and agreed with Google and Microsoft on Postgres", "In January we use Docker, Kubernetes and Redis.", "Carnaval é em Fevereiro", "Please Call Me Back",
        "NEGATIVA DE EMISSÃO DE CERTIFICADO DE REGULARIDADE PREVIDENCIÁRIA .", "Surge relevante pedido voltado ao implemento de tutela antecipada", "Lei Orgânica do Distrito Federal",
        "a União , os Estados , o Distrito Federal e os Municípios", "Recurso de Apelação conhecido e não provido .", "O Tribunal de Justiça do Distrito Federal decidiu", "TODO: FIX the API ASAP",
        "from governance.redaction import Redactor", "see README.md, GitHub and JavaScript", "English and Brazilian Portuguese", "Dias e Filhos Ltda. e Araújo - ME", "I work for Rapid Cycle Inc",
        "esqueci minha senha, como redefino?", "Definitely! Yeah, sounds good. Congrats!", "Painting is fun. Cooking too.", "miss exploring nature", "a 3 hour drive", "[PERSON_1] met [PERSON_2] in [LOCATION]",
    ],
)  # fmt: skip
def test_what_is_no_name_stays(text: str) -> None:
    assert search_names(text) == ()


def test_names_of_the_org_go_before_everything_else() -> None:
    known = KnownNames.of(["Bento Quixaba", "Will", "Zé"], ["Sala Verde"])
    assert found("bento quixaba will ask Will about ZÉ in Sala Verde", PERSON, known) == ["bento quixaba", "Will", "ZÉ"]
    assert found("bento quixaba will ask Will about ZÉ in Sala Verde", LOCATION, known) == ["Sala Verde"]
    assert found("the postgres team uses Quixaba", PERSON, KnownNames.of(["Quixaba"])) == ["Quixaba"]
    # The longest name wins, and a full stop with a new sentence ends one.
    assert found("Ana Costa. Lima is far", PERSON, KnownNames.of(["Ana", "Ana Costa", "Ana Costa Lima"]))[0] == "Ana Costa"
    assert KnownNames.of(["", "  ", "a b c d e f g h i"]) == KnownNames.of([])


def test_what_was_found_before_is_never_touched() -> None:
    text = "mail Ana Silva <ana.silva@example.com>"
    names = search_names(text, [Finding(PERSON, 16, 37, 1.0)])
    assert [text[name.start : name.end] for name in names] == ["Ana Silva"]


def test_offsets_are_those_of_the_original_text() -> None:
    text = "e\u0301 \u200bmy name is Ru\u200bbija, \uffff ok"
    (name,) = search_names(text)
    assert text[name.start : name.end] == "Ru\u200bbija"


# ---------------------------------------------------------------- the seam in the redactor


def test_names_stay_by_default_and_are_not_even_looked_for(redactor: Redactor, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("names are kept")

    monkeypatch.setattr(redactor_module, "search_names", refuse)
    text = "my name is Ana Silva and I live in Lisbon"
    assert redactor.redact(text, rules=RedactionRules(), key=KEY, field="content").text == text


def test_a_policy_decides_by_type(redactor: Redactor) -> None:
    text = "Ana Silva lives in Lisbon; Ana Silva wrote to ana@example.com"
    assert (
        redactor.redact(text, rules=NAMES_GO, key=KEY, field="content").text
        == "[PERSON_1] lives in [LOCATION]; [PERSON_1] wrote to [EMAIL_1]"
    )
    places_only = RedactionRules().with_overrides({"LOCATION": "mask"})
    redacted = redactor.redact(text, rules=places_only, key=KEY, field="content")
    assert redacted.text == "Ana Silva lives in [LOCATION ****]; Ana Silva wrote to [EMAIL_1]"
    assert {redaction.action for redaction in redacted.redactions} == {Action.MASK, Action.PSEUDONYMISE}


def test_known_names_reach_every_door_of_the_redactor(redactor: Redactor) -> None:
    known = KnownNames.of(["Quixaba"])
    assert redactor.redact("ask Quixaba", rules=NAMES_GO, key=KEY, field="content", known=known).text == "ask [PERSON_1]"
    assert redactor.redact_many(["o Quixaba"], rules=NAMES_GO, key=KEY, field="content", known=known)[0].text == "o [PERSON_1]"
    assert redactor.redact_json({"x": ["o Quixaba"]}, rules=NAMES_GO, key=KEY, field="data", known=known).value == {"x": ["o [PERSON_1]"]}


def test_keys_of_json_introduce_names(redactor: Redactor) -> None:
    assert redactor.redact_json({"name": "Tuulikki"}, rules=NAMES_GO, key=KEY, field="data").value == {"name": "[PERSON_1]"}


@pytest.mark.parametrize(
    "text",
    [
        "Ana, Bob, Zsófia and Mr. Kowalczyk met Ana's friend Tuulikki in Lisbon, Rua das Flores, 10 - Centro, Campinas/SP",
        "O Senhor Ministro RICARDO LEWANDOWSKI e a Dra. Ana Souza , do Estado do Ceará",
        "dear maria silva, my name is zsuzsa toth and I moved here from Kenosha",
    ],
)
def test_redaction_of_names_is_idempotent(redactor: Redactor, text: str) -> None:
    once = redactor.redact(text, rules=NAMES_GO, key=KEY, field="content").text
    assert redactor.redact(once, rules=NAMES_GO, key=KEY, field="content").text == once


# ---------------------------------------------------------------- models


class _Model:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def find(self, text: str) -> Iterator[Finding]:
        self.seen.append(text)
        if "boom" in text:
            raise ValueError(f"cannot read {text}")
        start = text.find("quixaba")
        if start >= 0:
            yield Finding(PERSON, start, start + 7, 0.5)


def test_a_model_adds_names_and_never_sees_secrets() -> None:
    model = _Model()
    redactor = Redactor(name_model=model)
    text = "ask quixaba: the password is hunter22, mail ana@example.com"
    assert (
        redactor.redact(text, rules=NAMES_GO, key=KEY, field="content").text == "ask [PERSON_1]: the password is [PASSWORD], mail [EMAIL_1]"
    )
    assert model.seen
    assert not any("hunter22" in seen or "ana@" in seen for seen in model.seen)
    with pytest.raises(RedactionUnavailable) as caught:
        redactor.redact("boom yranac", rules=NAMES_GO, key=KEY, field="content")
    assert caught.value.__context__ is None


def test_a_spacy_pipeline_is_asked_about_english_only() -> None:
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "quixaba"}, {"label": "GPE", "pattern": "ulm"}, {"label": "ORG", "pattern": "acme"}])  # type: ignore[attr-defined]  # a component is typed as a callable
    model = SpacyModel(pipeline)
    text = "they say that quixaba of acme is in ulm"
    assert [(name.entity, text[name.start : name.end]) for name in model.find(text)] == [(PERSON, "quixaba"), (LOCATION, "ulm")]
    assert list(model.find("dizem que o quixaba da acme mora em ulm e não sai de lá")) == []


@pytest.mark.parametrize("package", ["en_core_web_sm", "en-core-web-trf", "pt_core_news_sm", "no_such_package", "os.path", "../x", ""])
def test_models_of_upstream_names_and_absent_ones_are_refused(package: str) -> None:
    with pytest.raises(InvalidInput):
        load_spacy_model(package)


HOSTILE = [
    "Ana ", "Boston ", "A. ", "Ana, ", "Rua Da ", "Rua A, 1 - B, C ", "da ", "ana silva ", "my name is ", "1 A ", "Mr. ", "Suite 1\nAna\n", "Xx-", "É", "name: Ann ", "O'", "1 a a a a ", " ",
]  # fmt: skip
SHORT, LONG = 2_000, 8_000  # characters
GROWTH_MAX = 10  # four times the text: linear work is 4 times as much, quadratic work 16 times
NOTHING = 0.002  # seconds of work below which growth says nothing
TRIES = 6


def seconds(unit: str, length: int, known: KnownNames) -> float:
    text = (unit * length)[:length]
    started = time.process_time()
    search_names(text, known=known)
    return time.process_time() - started


@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_with_the_length_of_a_hostile_text_and_no_faster(unit: str) -> None:
    """The least of several measurements counts, of this process's own work: a busy machine makes none of them smaller."""
    known = KnownNames.of(["Ana Ana Ana Bob", "da da da x"])
    short = long = float("inf")
    for _ in range(TRIES):
        long, short = min(long, seconds(unit, LONG, known)), min(short, seconds(unit, SHORT, known))
        if long <= GROWTH_MAX * max(short, NOTHING):
            break
    assert long <= GROWTH_MAX * max(short, NOTHING)
