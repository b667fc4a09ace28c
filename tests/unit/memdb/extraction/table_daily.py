"""English and Portuguese, of what people have, use and did: rule -> what Ana says and what is proposed of it, and what sounds like it and is none.

Said on Wednesday, 28 February 2024.
"""

from __future__ import annotations

from typing import Final

from tests.unit.memdb.extraction.table_english import Case

ENGLISH: Final[dict[str, Case]] = {
    "en-address": ((("I live at 14 Mill Lane", "Ana lives at 14 Mill Lane."), ("Bruno lives on 9B Long Acre", "Bruno lives on 9B Long Acre.")), ("I live at home", "I live on 20 euros a day less", "do you live at 14 Mill Lane?")),
    "en-my-thing": ((("my bike is a red Brompton", "Ana's bike is a red Brompton."), ("Bruno's laptop is an old ThinkPad", "Bruno's laptop is an old ThinkPad.")), ("my car is a mess", "my car is broken", "I wish my car was a Fiat", "my phone is a joke")),
    "en-my-place": ((("my office is on the second floor", "Ana's office is on the second floor."),), ("my office is on fire", "my room is in chaos", "is my office on the second floor?")),
    "en-drives-old": ((("I drive an old Skoda", "Ana drives an old Skoda."),), ("I drive a hard bargain", "I'd drive an old Skoda")),
    "en-swapped-car": ((("I sold my Opel and bought a Kia", "Ana sold their Opel and bought a Kia."),), ("I sold my car and bought nothing", "if I sold my Opel and bought a Kia")),
    "en-bought-car": ((("I bought a Mazda last month", "Ana bought a Mazda."), ("Bruno just bought a new Peugeot", "Bruno bought a new Peugeot.")), ("I bought a Ford poster for it", "I never bought a Mazda")),
    "en-swapped": ((("I sold the van and bought a trailer", "Ana sold their van and bought a trailer."),), ("I sold the idea and bought a bit of time", "they sold the van and bought a trailer")),
    "en-uses": ((("I use Krita for everything", "Ana uses Krita."), ("Bruno uses Debian on his laptop", "Bruno uses Debian.")), ("I use the Kitchen for storage", "I use it for work", "I use words", "I could use Krita for it")),
    "en-plays-every": ((("I play the cello every Tuesday", "Ana plays the cello every Tuesday."),), ("I play the fool every Tuesday", "do I play the cello every Tuesday?")),
    "en-studied": ((("I studied botany in Leeds", "Ana studied botany in Leeds."), ("Bruno studied civil engineering at the university of Porto", "Bruno studied civil engineering at the university of Porto.")), ("I studied hard in Leeds", "I studied all night at home", "I studied the map in the car")),
    "en-promoted": ((("I was promoted to team lead at Bosch", "Ana was promoted to team lead at Bosch."), ("Bruno got promoted to head of design", "Bruno was promoted to head of design.")), ("I was promoted to the next level", "I want to be promoted to manager")),
    "en-day-begins": ((("I usually get up at 6", "Ana gets up at 6."),), ("I get up at 6 tomorrow", "I usually get up late")),
    "en-reply-language": ((("please always reply to me in French", "Ana wants to be answered in French."),), ("he replied in French", "reply in time", "could you reply in French?")),
    "en-send-as": ((("please send me the reports as PDF", "Ana wants to be sent the reports as PDF."),), ("send me the report as PDF", "he sends me reports as PDF", "can you please send me the reports as PDF?")),
}  # fmt: skip

PORTUGUESE: Final[dict[str, Case]] = {
    "pt-address": ((("moro na Rua das Flores, 123", "Ana mora na Rua das Flores, 123."), ("o Bruno mora na Avenida Brasil, 40, apto 12", "Bruno mora na Avenida Brasil, 40, apto 12.")), ("moro na rua de cima", "você mora na Rua das Flores, 123?")),
    "pt-my-thing": ((("meu carro é um Gol prata", "Ana tem como carro: um Gol prata."),), ("meu carro é uma porcaria", "meu carro é novo", "queria que meu carro fosse um Gol")),
    "pt-my-place": ((("minha sala fica no segundo andar", "Ana tem sala no segundo andar."),), ("minha sala fica longe", "minha mesa é no canto")),
    "pt-has-car": ((("tenho um Fiat", "Ana tem um Fiat."),), ("tenho um Fiat pra consertar", "tenho um problema")),
    "pt-swapped-car": ((("vendi meu Fiat e comprei um Honda", "Ana vendeu Fiat e comprou um Honda."),), ("vendi meu Fiat e comprei nada", "vendi meu Fiat")),
    "pt-swapped": ((("vendi a moto e comprei uma bicicleta", "Ana vendeu a moto e comprou uma bicicleta."),), ("vendi a ideia e comprei uma coisa", "eles venderam a moto e compraram uma bicicleta")),
    "pt-uses": ((("uso Mac no trabalho", "Ana usa Mac."), ("a Ana usa Debian em casa", "Ana usa Debian.")), ("uso o ônibus no sábado", "uso isso no trabalho")),
    "pt-plays-often": ((("toco violão todo sábado", "Ana toca violão todo sábado."),), ("toco no assunto todo sábado", "toco violão mal")),
    "pt-learning": ((("estou aprendendo violão", "Ana está aprendendo violão."), ("comecei a aprender libras em janeiro", "Ana está aprendendo libras.")), ("estou aprendendo muito", "quero aprender violão")),
    "pt-studied": ((("estudei engenharia civil na UFPR", "Ana estudou engenharia civil na UFPR."),), ("estudei muito na faculdade", "estudei isso na escola", "estudei pra prova na biblioteca")),
    "pt-promoted": ((("fui promovida a gerente na Petrobras", "Ana foi promovida a gerente na Petrobras."), ("o Bruno foi promovido a coordenador", "Bruno foi promovido a coordenador.")), ("fui promovida a um novo nível", "queria ser promovida a gerente")),
    **{f"pt-day-{first}": (((f"normalmente {said} às 6h", f"Ana {told} às 6h."),), (f"{said} às 6h amanhã", f"{said} às pressas", f"se {said} às 6h")) for first, said, told in (
        ("acordo", "acordo", "acorda"), ("levanto", "levanto", "levanta"), ("durmo", "durmo", "dorme"), ("almoco", "almoço", "almoça"), ("janto", "janto", "janta"),
    )},
    "pt-reply-language": ((("me responda sempre em inglês", "Ana quer respostas em inglês."),), ("ele respondeu em inglês", "me responda em breve")),
    "pt-send-as": ((("por favor, me mande os relatórios em PDF", "Ana quer receber os relatórios em PDF."),), ("me mande o relatório em PDF", "ele me manda os relatórios em PDF")),
}  # fmt: skip

PLANS: Final[dict[str, Case]] = {
    "pt-plan-mean": ((("pretendo visitar a exposição amanhã", "Ana pretende visitar a exposição em 29 de fevereiro de 2024."),), ("pretendo dormir amanhã", "pretendo visitar a exposição", "você pretende viajar amanhã?")),
}  # fmt: skip

EVENTS: Final[dict[str, Case]] = {
    **{f"en-did-{verb}": (((f"I {verb} {what} yesterday", f"Ana {verb} {what} on 27 February 2024."),), (f"I {verb} {what}", f"I {verb} it yesterday", f"if I {verb} {what} yesterday")) for verb, what in (
        ("hired", "a gardener"), ("fell", "off a ladder"), ("replaced", "the pump"), ("restored", "an old desk"), ("led", "a workshop"), ("released", "the record"), ("shipped", "the parcels"),
        ("opened", "a bakery"), ("closed", "the account"), ("booked", "the venue"), ("ordered", "a desk"), ("planted", "an oak"), ("painted", "the fence"),
        ("fixed", "the boiler"), ("repaired", "the roof"), ("installed", "a heat pump"), ("celebrated", "the anniversary"), ("renewed", "the licence"),
        ("landed", "in Oslo"), ("arrived", "in Oslo"), ("returned", "from Oslo"), ("submitted", "the thesis"), ("presented", "the results"), ("built", "a shed"),
        ("donated", "old books"), ("rented", "a van"), ("sprained", "an ankle"), ("injured", "a shoulder"), ("interviewed", "the candidate"),
        ("delivered", "the cake"), ("received", "the award"), ("migrated", "the database"), ("upgraded", "the server"), ("deployed", "the release"),
        ("watched", "the eclipse"), ("hiked", "up the hill"), ("organized", "a fair"), ("organised", "a fair"),
    )},
    "en-did-had": ((("I had a picnic by the lake last month", "Ana had a picnic by the lake in January 2024."),), ("I had a blast yesterday", "I had a great time yesterday", "I had a picnic")),
    "pt-did-tive": ((("tive uma consulta ontem", "Ana teve uma consulta em 27 de fevereiro de 2024."),), ("tive uma ideia ontem", "tive uma consulta", "tive sono ontem")),
    **{f"pt-did-{first}": (((f"{said} {what} ontem", f"Ana {told} {what} em 27 de fevereiro de 2024."),), (f"{said} {what}", f"{said} isso ontem", f"se {said} {what} ontem")) for first, said, told, what in (
        ("cai", "caí", "caiu", "da escada"), ("contratei", "contratei", "contratou", "um jardineiro"), ("lancei", "lancei", "lançou", "o disco"), ("abri", "abri", "abriu", "uma padaria"), ("fechei", "fechei", "fechou", "a conta"),
        ("aluguei", "aluguei", "alugou", "uma van"), ("reformei", "reformei", "reformou", "o banheiro"), ("renovei", "renovei", "renovou", "a licença"), ("enviei", "enviei", "enviou", "a proposta"),
        ("construi", "construí", "construiu", "um galpão"), ("celebrei", "celebrei", "celebrou", "o noivado"), ("comemorei", "comemorei", "comemorou", "o noivado"), ("doei", "doei", "doou", "livros"),
        ("machuquei", "machuquei", "machucou", "o joelho"), ("torci", "torci", "torceu", "o tornozelo"), ("cheguei", "cheguei", "chegou", "em Natal"), ("reservei", "reservei", "reservou", "o salão"),
        ("inaugurei", "inaugurei", "inaugurou", "a loja"), ("ensaiei", "ensaiei", "ensaiou", "a peça"),
    )},
}  # fmt: skip

ROOM: Final[dict[str, Case]] = {
    "en-never": ((("never push to main without a review", "Never push to main without a review."),), ("never give up on Fridays", "never pay anybody without a receipt", "I never deploy on Fridays")),
    "en-do-not": ((("do not deploy on Fridays", "Do not deploy on Fridays."), ("please don't park in the yard at night", "Do not park in the yard at night.")), ("do not deploy on Friday", "don't open it", "do not send the keys on Fridays", "don't deploy on Fridays?")),
    "pt-never": ((("nunca faça deploy na sexta", "Nunca faça deploy na sexta."),), ("nunca desista na sexta", "nunca mande a senha sem o token", "eu nunca faço deploy na sexta")),
    "pt-do-not": ((("não estacione no pátio à noite", "Não estacione no pátio à noite."),), ("não estacione aqui", "não pague ninguém sem o recibo", "não faça deploy hoje")),
}  # fmt: skip

KIN: Final[tuple[tuple[str, str, str, str, str | None], ...]] = (
    ("en-allergic-kin", "my daughter Rosa is allergic to bees", "Ana's daughter Rosa is allergic to bees.", "daughter/allergy", "bees"),
    ("en-work-at-kin", "My husband works at Bosch", "Ana's husband works at Bosch.", "husband/work/employer", "Bosch"),
    ("en-profession-kin", "my younger brother is a nurse", "Ana's younger brother is a nurse.", "brother/work/role", "a nurse"),
    ("en-live-kin", "my parents live in Cork", "Ana's parents live in Cork.", "parents/home", "Cork"),
    ("en-own-thing-kin", "my son's school is Hillcrest", "Ana's son's school is Hillcrest.", "son/school", "Hillcrest"),
    ("en-work-at-once-kin", "my mother worked at Nokia from 1999 to 2005", "Ana's mother worked at Nokia from 1999 to 2005.", "mother/work/employer", "Nokia"),
    ("en-plan-trip-kin", "my sister is flying to Rome tomorrow", "Ana's sister is flying to Rome on 29 February 2024.", "sister/plan", "flying to Rome"),
    ("pt-work-at-kin", "meu marido trabalha na Copel", "O marido de Ana trabalha na Copel.", "marido/work/employer", "Copel"),
    ("pt-live-kin", "minha irmã Paula mora em Curitiba", "A irmã de Ana, Paula, mora em Curitiba.", "irma/home", "Curitiba"),
    ("pt-live-kin", "meus pais moram em Londrina", "Os pais de Ana moram em Londrina.", "pais/home", "Londrina"),
    ("pt-not-eat-kin", "meu irmão não come carne", "O irmão de Ana não come carne.", "irmao/diet", "sem carne"),
    ("pt-allergic-kin", "a minha filha é alérgica a camarão", "A filha de Ana é alérgica a camarão.", "filha/allergy", "camarão"),
)  # fmt: skip
"""Rule, what Ana says, what is proposed about her, attribute, value."""

NOT_OF_KIN: Final = (
    "my friend is allergic to bees", "her daughter is allergic to bees", "is my daughter allergic to bees?", "my brother said he works at Shell", "my sister's friend works at Bosch",
    "my mother would live in Cork", "my kids are at home", "I wish my husband worked at Bosch", "my brother works at night", "my daughter isn't here", "if my daughter is allergic to bees",
    "minha filha disse que é alérgica a abelha", "minha irmã queria morar em Curitiba", "meu marido trabalha em casa", "a filha dela é alérgica a camarão", "meus pais moram longe", "minha irmã é chata",
)  # fmt: skip

TOGETHER: Final = (
    ("we signed the contract yesterday", "Ana and others signed the contract on 27 February 2024."),
    ("we hired a new designer last month", "Ana and others hired a new designer in January 2024."),
    ("we're flying to Rome tomorrow", "Ana and others are flying to Rome on 29 February 2024."),
    ("we have a meeting with the bank tomorrow", "Ana and others have a meeting with the bank on 29 February 2024."),
    ("we will be on holiday from 20 December to 4 January", "Ana and others will be on holiday from 20 December 2024 to 4 January 2025."),
    ("we sold the van and bought a trailer", "Ana and others sold their van and bought a trailer."),
    ("we live in Ghent", "Ana and others live in Ghent."),
    ("ontem assinamos o contrato", "Ana e outros assinaram o contrato em 27 de fevereiro de 2024."),
    ("lançamos o aplicativo ontem", "Ana e outros lançaram o aplicativo em 27 de fevereiro de 2024."),
    ("a gente comprou uma casa mês passado", "Ana e outros compraram uma casa em janeiro de 2024."),
)
NOT_TOGETHER: Final = (
    "we signed the contract", "did we sign the contract yesterday?", "if we signed the contract yesterday", "we love pizza", "we are allergic to work", "we signed it yesterday", "we work at Orion", "we could fly to Rome tomorrow",
    "assinamos o contrato", "a gente adora pizza", "se assinamos o contrato ontem", "vamos ao cinema amanhã?",
)  # fmt: skip

PAST: Final = (
    ("I worked at Spotify from 2019 to 2022", "Ana worked at Spotify from 2019 to 2022.", "2019-01-01", "2023-01-01"),
    ("I lived in Rome from 2010 to 2014", "Ana lived in Rome from 2010 to 2014.", "2010-01-01", "2015-01-01"),
    ("Bruno lived in Rome until 2014", "Bruno lived in Rome until 2014.", None, "2015-01-01"),
    ("I was a nurse between March 2010 and May 2012", "Ana was a nurse between March 2010 and May 2012.", "2010-03-01", "2012-06-01"),
    (
        "I worked at Spotify from 2019 to 2022 as a designer",
        "Ana worked at Spotify as a designer from 2019 to 2022.",
        "2019-01-01",
        "2023-01-01",
    ),
    ("trabalhei na Vale de 2010 a 2014", "Ana trabalhou na Vale de 2010 a 2014.", "2010-01-01", "2015-01-01"),
    ("o Bruno morou em Roma até 2014", "Bruno morou em Roma até 2014.", None, "2015-01-01"),
)
NOT_PAST: Final = (
    "I worked at Spotify", "I worked at Spotify from 2019", "I worked at it from 2019 to 2022", "I worked at Spotify from 2022 to 2019", "I'd have worked at Spotify from 2019 to 2022", "I lived in fear from 2010 to 2014",
    "I was there from 2010 to 2014", "did I live in Rome from 2010 to 2014?", "I worked at Spotify from 9 to 5", "I lived in Rome from 2020 to 2030", "trabalhei na Vale", "morei em Roma de favor até 2014?", "trabalhei muito de 2010 a 2014",
)  # fmt: skip
