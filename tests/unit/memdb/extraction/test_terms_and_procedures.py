"""Terms, procedures, amounts, and what somebody asks to be remembered."""

from __future__ import annotations

import pytest

from memdb.extraction.rules.procedural import procedural
from memdb.extraction.rules.semantic import semantic
from memdb.extraction.rules.taxonomic import taxonomic
from tests.unit.memdb.extraction.talk import ANA, BOT, BRUNO, said, talk

TERMS = (
    ("en-means-here", '"brownout" here means we switch off the live map', "brownout", "we switch off the live map"),
    ("en-means-here", "P0 for us = customers can't get a quote", "P0", "customers can't get a quote"),
    ("en-for-us-means", "for us, dry run means a deploy without traffic", "dry run", "a deploy without traffic"),
    ("en-stands-for", "SLO stands for service level objective", "SLO", "service level objective"),
    ("en-stands-for", "TBD is short for to be decided", "TBD", "to be decided"),
    ("en-quoted-means", 'and "the ledger" is the shipment event store', "the ledger", "the shipment event store"),
    ("en-code-means", "P1 means one customer is down", "P1", "one customer is down"),
    ("en-when-we-say", "when we say freeze we mean no merges at all", "freeze", "no merges at all"),
    ("en-by-we-mean", "by 'done' we mean deployed and watched", "done", "deployed and watched"),
    ("en-stands-for", "Bluebird is our code name for the launch", "Bluebird", "the launch"),
    ("en-name-for", "our code name for the launch is Bluebird", "Bluebird", "the launch"),
    ("en-acronym", "ETA is the estimated time of arrival", "ETA", "estimated time of arrival"),
    ("en-acronym", "SLA is the maximum time of a response", "SLA", "maximum time of a response"),
    ("en-kind-of", "a cold cart is a basket that nobody touched for 30 days", "cold cart", "a basket that nobody touched for 30 days"),
    ("pt-name-for", "o codinome do lançamento é Sabiá", "Sabiá", "lançamento"),
    ("pt-name-of", "Sabiá é o codinome do lançamento", "Sabiá", "lançamento"),
    ("pt-acronym", "CD é centro de distribuição", "CD", "centro de distribuição"),
    ("pt-loan", "picking é a separação dos itens", "picking", "a separação dos itens"),
    ("pt-when-we-say", "quando a gente fala logo a gente quer dizer em uma semana", "logo", "em uma semana"),
    ("pt-by-we-mean", "por 'toca' a gente quer dizer o porão", "toca", "o porão"),
    ("pt-means", "virada significa a entrega do mês", "virada", "a entrega do mês"),
    ("pt-stands-for", "CR é a sigla de conselho da república", "CR", "conselho da república"),
    ("pt-is-when", "mutirão é quando todo mundo limpa a casa", "mutirão", "todo mundo limpa a casa"),
    ("pt-here-is", "plantão aqui é o turno da noite", "plantão", "o turno da noite"),
    ("pt-quoted-is", '"caixinha" é o dinheiro do gás', "caixinha", "o dinheiro do gás"),
    ("pt-equals", "caixinha = 50 reais por cabeça todo mês", "caixinha", "50 reais por cabeça todo mês"),
    ("pt-equals", "passagem de som = soundcheck, got it", "passagem de som", "soundcheck"),
    ("pt-we-call", 'aqui a gente chama a limpeza pesada de "faxinão"', "faxinão", "a limpeza pesada"),
)
NO_TERMS = (
    "this means a lot to me", "being a parent means everything to Bruno", "it means we are late", "which means we lose", "that stands for itself",
    '"California Love" is a classic', '"Inception" is the best movie', "art means hope for many", "isso significa que vamos atrasar", "amar é quando dói",
    "it means the world", "what does SLO mean?", "SLO means what?", "yes means yes", "MAYBE I mean it",
    "a spike is bad", "a spike is what I need", "a hug is a great way to start a day", "a woman who is a manager of a big shop called", "NASA is the best place of all", "HR is not here right now", "CD é coisa de velho",
    "picking é uma droga", "a toca é escura", "Paris is a city",
    "everything here is on fire", "the policy focus here is for older people", "o foco aqui é vender mais", "x = y + 1 no código", "total = 42 reais mais frete", "API = 30 req/s", "ele aqui é o chefe", "a = b",
)  # fmt: skip


@pytest.mark.parametrize(("rule", "words", "term", "definition"), TERMS)
def test_a_term_is_read(rule: str, words: str, term: str, definition: str) -> None:
    (found,) = taxonomic(said(words))
    assert (found.rule, found.data) == (rule, {"term": term, "definition": definition, "aliases": []})
    assert found.content == f"{term[:1].upper()}{term[1:]}: {definition}."
    assert found.about == ()
    assert found.quote in words


@pytest.mark.parametrize("words", NO_TERMS)
def test_what_only_sounds_like_a_definition_is_left_alone(words: str) -> None:
    assert [one.content for one in taxonomic(said(words))] == []


def test_an_answer_defines_what_was_asked() -> None:
    (found,) = taxonomic(talk((BRUNO, "o que é faxinão? tá no quadro"), (ANA, "faxinão é a limpeza pesada do primeiro sábado")))
    assert (found.rule, found.data["definition"], found.said_by) == ("pt-asked-term", "a limpeza pesada do primeiro sábado", ANA)
    (found,) = taxonomic(talk((BRUNO, "what's a brownout?"), (ANA, "a brownout is a planned switch-off of the map")))
    assert found.data["term"] == "brownout"
    assert taxonomic(talk((ANA, "faxinão é a limpeza pesada do primeiro sábado"))) == []


def test_the_last_definition_stands() -> None:
    (found,) = taxonomic(said("SLO stands for service level objective", "SLO stands for slow learning office"))
    assert found.data["definition"] == "slow learning office"


LIST = "how to rotate the cert so I'm not the only one:\n1. pull the bundle\n2. sign it\n3. reload nginx"


def test_numbered_steps_under_a_header() -> None:
    (found,) = procedural(said(LIST))
    assert found.data == {"name": "how to rotate the cert", "steps": ["pull the bundle", "sign it", "reload nginx"]}
    assert found.content == "How to rotate the cert: pull the bundle; sign it; reload nginx."
    assert found.quote in LIST


@pytest.mark.parametrize(
    ("words", "name", "steps"),
    [
        ("esquema do aquecedor, decorem:\n1) fecha o registro\n2) segura o botão", "esquema do aquecedor", 2),
        ("about the generator: start order matters\n- check the fuel\n- start it", "the generator", 2),
        ("receita do bolo:\n1. bate os ovos\n2. assa", "receita do bolo", 2),
        ("para ligar o forno:\n1) abre o gás\n2) acende", "para ligar o forno", 2),
        ("steps to restore the backup\n1. stop the app\n2. restore\n3. start", "steps to restore the backup", 3),
        ("how to descale the kettle: 1. fill it with vinegar 2. boil 3. rinse twice", "how to descale the kettle", 3),
        ("o deploy é assim: 1. builda 2. cria a tag 3. dá push", "o deploy", 3),
        ("o deploy é assim: primeiro builda, depois cria a tag, depois dá push", "o deploy", 3),
        ("the deploy goes like this: first build, then tag, then push", "the deploy", 3),
        ("for refunds: open the order, click refund, then note the reason", "for refunds", 3),
        ("to open the gate, push the red button", "to open the gate", 1),
        ("pra abrir o portão, aperta o botão vermelho", "pra abrir o portão", 1),
        ("pra pedir férias, preenche o formulário e depois avisa o RH", "pra pedir férias", 2),
        ("to open the studio: unlock the gate, then switch on the fans, then open the blinds", "to open the studio", 3),
        ("o esquema fica: fecha o registro, espera 2 min, abre, e aí abre a água", "o esquema", 4),
    ],
)
def test_procedures(words: str, name: str, steps: int) -> None:
    (found,) = procedural(said(words))
    assert found.data["name"] == name
    assert len(found.data["steps"]) == steps  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("when staging is down, restart the proxy, then the workers", "staging is down"),
        ("if the alarm goes off, type 1 then call Bruno", "the alarm goes off"),
        ("se o alarme disparar, digita 1 e depois liga pro Bruno", "o alarme disparar"),
        ("quando dá erro 500, reinicia o worker", "dá erro 500"),
    ],
)
def test_what_is_done_when_something_happens(words: str, when: str) -> None:
    (found,) = procedural(said(words))
    assert (found.data["use_when"], found.about) == (when, ())


def test_when_it_is_used() -> None:
    (found,) = procedural(said("how to restart it when the heater goes out:\n1. close the valve\n2. press the button"))
    assert found.data["use_when"] == "the heater goes out"


@pytest.mark.parametrize(
    "words",
    [
        "my top films:\n1. Alien\n2. Heat",
        "1. pull the bundle\n2. sign it",
        "how to do it?\n1. pull the bundle\n2. sign it",
        "how to rotate the cert:\n1. pull the bundle",
        "how to rotate the cert:\n3. pull the bundle\n7. sign it",
        "how to rotate the cert:\npull the bundle\nsign it",
        "to be honest: nice, then",
        "to be honest, I then left, and then cried, and then slept",
        "to make matters worse, it rained, then snowed, then hailed",
        "pra ser sincera, eu saí, depois voltei, depois chorei",
        "how to be happy: 1. stop 2. trying",
        "to join the fun, call your friends",
        "if the shoe fits, wear it",
        "when the client asks, send the password to the new address",
        "se o cliente pedir, manda o pix",
        "to open the gate tomorrow, push the red button",
        "when you get home, call me",
        "as notas de vocês:\n1) 9,5\n2) 7",
    ],
)
def test_what_is_no_procedure(words: str) -> None:
    assert procedural(said(words)) == []


def test_the_agents_steps_are_nobodys() -> None:
    assert procedural(talk((BOT, LIST))) == []


def test_the_last_of_a_name_stands() -> None:
    (found,) = procedural(said(LIST, LIST.replace("sign it", "sign it twice")))
    assert (found.evidence, found.data["steps"]) == ((2,), ["pull the bundle", "sign it twice", "reload nginx"])


REMEMBERED = (
    ("remember that the bins go out on Tuesday mornings", "The bins go out on Tuesday mornings."),
    ("deploy rule reminder, no deploys after 3pm on Fridays", "No deploys after 3pm on Fridays."),
    ("please note that the alarm code panel is behind the door", "The alarm code panel is behind the door."),
    ("for the record, the offsite is on 12 March 2024", "The offsite is on 12 March 2024."),
    ("lembrete: a coleta de lixo passa toda terça", "A coleta de lixo passa toda terça."),
    ("anota aí: visita só pode dormir duas noites", "Visita só pode dormir duas noites."),
    ("regra da casa: louça nunca fica na pia de noite", "Louça nunca fica na pia de noite."),
)
FORGOTTEN = (
    "remember that?", "remember that time we got lost", "remember that I told you so", "remember that it is here", "remember that you owe Bruno lunch",
    "lembra que você falou isso", "anota aí: não é isso", "remember that Bruno and Ana never work on Fridays", "do you remember that the bins go out",
    "remember that the bins go out tomorrow or so", "remember that the bins go out next Friday",
)  # fmt: skip


@pytest.mark.parametrize(("words", "told"), REMEMBERED)
def test_what_is_to_be_remembered(words: str, told: str) -> None:
    (found,) = semantic(said(words))
    assert (found.content, found.about, found.attribute) == (told, (), None)
    assert found.quote in words


@pytest.mark.parametrize("words", FORGOTTEN)
def test_what_cannot_be_read_later_is_not_kept(words: str) -> None:
    assert [one.content for one in semantic(said(words))] == []


def test_a_remembered_statement_is_about_whom_it_names() -> None:
    (found,) = semantic(said("remember that Bruno never opens the safe"))
    assert (found.content, found.about) == ("Bruno never opens the safe.", (BRUNO,))


def test_a_first_person_statement_is_for_the_rules() -> None:
    (found,) = semantic(said("remember that I'm allergic to latex"))
    assert found.content == "Ana is allergic to latex."


MEASURED = (
    ("the rent is 1,250 euros", "The rent is 1,250 euros."),
    ("p95 on the quote API is 240ms", "P95 on the quote API is 240ms."),
    ("event retention is 30 days, the connection pool stays at 40", "The connection pool stays at 40."),
    ("a luz de março veio 241 reais", "A luz de março veio 241 reais."),
    ("a partir de maio o aluguel vai pra 3450", "O aluguel vai pra 3450 a partir de maio de 2024."),
    ("o bolo custa R$ 90", "O bolo custa R$ 90."),
    ("capacidade aprovada: 4.500 pessoas", "Capacidade aprovada: 4.500 pessoas."),
)
UNMEASURED = (
    "the score is 3", "the temperature is 30", "she is 30", "the kid is 7", "is the rent 1,250 euros?", "if the rent is 1,250 euros", "the answer is 42",
    "o placar é 3", "a senha é 1234", "the code is 9911", "that is 30", "a proposta é 2.900 euros", "the rent is 1,250 euros lol", "my rent is 20",
)  # fmt: skip

DAYS = (
    ("the demo is tomorrow", "The demo is on 29 February 2024."),
    ("our release is scheduled for March 12", "The release is scheduled for 12 March 2024."),
    ("a vistoria da casa é amanhã de manhã", "A vistoria da casa é em 29 de fevereiro de 2024."),
    ("a prova ficou para 12 de março de 2024", "A prova ficou para 12 de março de 2024."),
)
NO_DAYS = ("the demo was yesterday", "the demo is next Friday", "the demo is hard", "my demo is bigger", "is the demo tomorrow?", "a prova é difícil", "a prova era ontem", "the demo is on 1 February 2024", "the demo is a week from tomorrow")  # fmt: skip


@pytest.mark.parametrize(("words", "told"), DAYS)
def test_a_day_is_read(words: str, told: str) -> None:
    (found,) = semantic(said(words))
    assert (found.content, found.about) == (told, ())
    assert found.quote in words


@pytest.mark.parametrize("words", NO_DAYS)
def test_what_is_no_day_of_a_thing(words: str) -> None:
    assert [one.content for one in semantic(said(words))] == []


@pytest.mark.parametrize(("words", "told"), MEASURED)
def test_an_amount_is_read(words: str, told: str) -> None:
    (found,) = semantic(said(words))
    assert (found.content, found.about) == (told, ())
    assert found.quote in words


@pytest.mark.parametrize("words", UNMEASURED)
def test_what_is_no_amount_of_a_thing(words: str) -> None:
    assert [one.content for one in semantic(said(words))] == []
