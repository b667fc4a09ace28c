"""Portuguese: rule -> what Ana says and what is proposed of it, and what sounds like it and is none. Said on Wednesday, 28 February 2024."""

from __future__ import annotations

from typing import Final

from tests.unit.memdb.extraction.table_english import Case

FACTS: Final[dict[str, Case]] = {
    "pt-allergic": (
        (("sou alérgica a camarão", "Ana é alérgica a camarão."), ("o Bruno é alérgico a amendoim", "Bruno é alérgico a amendoim.")),
        ("sou alérgica a reuniões", "o Bruno é alérgico a camarão?", "o Mike é alérgico a camarão", "ela é alérgica a camarão", "acho que o Bruno é alérgico a camarão"),
    ),
    "pt-not-allergic": ((("não sou alérgica a leite", "Ana não é alérgica a leite."),), ("não sou alérgica a trabalho",)),
    "pt-allergy": ((("eu tenho alergia a dipirona", "Ana tem alergia a dipirona."),), ("eu tenho alergia a segunda-feira", "minha irmã tem alergia a dipirona")),
    "pt-no-allergy": ((("não tenho alergia a gatos", "Ana não tem alergia a gatos."),), ("não tenho alergia",)),
    "pt-intolerant": ((("sou intolerante à lactose", "Ana é intolerante à lactose."),), ("sou intolerante com atraso",)),
    "pt-intolerance": ((("tenho intolerância a lactose", "Ana tem intolerância a lactose."),), ("tenho intolerância zero",)),
    "pt-condition": ((("eu sou celíaca, gente", "Ana é celíaca."),), ("será que sou celíaca",)),
    "pt-has-condition": ((("tenho rinite braba com pelo de gato", "Ana tem rinite braba com pelo de gato."),), ("tenho uma doença chamada preguiça",)),
    "pt-diet": ((("sou vegetariana", "Ana é vegetariana."), ("o Bruno é vegano", "Bruno é vegano.")), ("quem é vegana é a minha irmã", "se eu fosse vegana")),
    "pt-not-diet": ((("não sou vegana, quem é vegana é a minha irmã", "Ana não é vegana."),), ("nunca disse que não sou vegana",)),
    "pt-not-eat": ((("o Bruno não come glúten", "Bruno não come glúten."), ("não como carne nem peixe", "Ana não come carne nem peixe.")), ("não come isso", "não como nada hoje")),
    "pt-cannot-eat": ((("não posso comer camarão", "Ana não pode comer camarão."),), ("não posso comer agora",)),
    "pt-not-stand-food": ((("eu só não aguento cebola crua", "Ana não suporta cebola crua."),), ("não aguento mais cebola",)),
    "pt-cannot-take": ((("não posso tomar dipirona", "Ana não pode tomar dipirona."),), ("não posso tomar decisões", "não posso tomar sol")),
    "pt-not-drink": ((("não bebo", "Ana não bebe."), ("o Bruno não bebe café", "Bruno não bebe café.")), ("não bebo isso",)),
    "pt-not-smoke": ((("não fumo", "Ana não fuma."),), ("não fumo há horas",)),
    "pt-smoke": ((("fumo", "Ana fuma."),), ("fumo de corda na feira",)),
    "pt-call-me": ((("podem me chamar de Nogs", "Ana atende por Nogs."), ("me chama de bia", "Ana atende por bia.")), ("me chama de volta", "me chama depois", "só meu pai me chama Aninha")),
    "pt-everyone-calls": ((("todo mundo me chama de Nogs", "Ana atende por Nogs."),), ("todo mundo me chama de chata",)),
    "pt-prefer-called": ((("prefiro ser chamada de Nina", "Ana atende por Nina."),), ("prefiro ser chamada antes da reunião",)),
    "pt-named": ((("me chamo Ana Prado", "Ana se chama Ana Prado."),), ("me chamo quando der",)),
    "pt-name": ((("meu nome é Ana Prado", "Ana se chama Ana Prado."),), ("meu nome é difícil",)),
    "pt-birthday": ((("meu aniversário é dia 3 de maio", "Ana faz aniversário em 3 de maio."),), ("meu aniversário é um caos",)),
    "pt-age": ((("tenho 34 anos", "Ana tem 34 anos."),), ("tenho 34 anos de casa", "tenho 34 abas abertas")),
    "pt-born": ((("nasci em Santos", "Ana nasceu em Santos."),), ("nasci em 1990", "nasci em casa")),
    "pt-from": ((("sou de Recife", "Ana é de Recife."),), ("sou de boa",)),
    "pt-live": ((("eu moro em Recife", "Ana mora em Recife."), ("o Bruno mora em Porto Alegre desde 2020", "Bruno mora em Porto Alegre desde 2020.")), ("moro em casa", "onde você mora", "minha tia mora em Recife")),
    "pt-live-2": ((("vivo em Lisboa", "Ana vive em Lisboa."),), ("vivo em paz",)),
    "pt-moved": ((("me mudei pra Curitiba mês passado", "Ana se mudou pra Curitiba em janeiro de 2024."),), ("me mudei para o quarto",)),
    "pt-work-at": ((("trabalho na Orion", "Ana trabalha na Orion."),), ("trabalho em casa", "trabalho no sábado", "minha mãe trabalha na Orion")),
    "pt-work-as": ((("trabalho como enfermeira", "Ana trabalha como enfermeira."),), ("trabalho de casa",)),
    "pt-profession": ((("sou enfermeira", "Ana é enfermeira."),), ("sou um desastre",)),
    "pt-intern": ((("faço estágio no Museu da Imagem", "Ana faz estágio no Museu da Imagem."),), ("faço estágio não remunerado",)),
    "pt-study": ((("estudo direito", "Ana estuda direito."),), ("estudo muito", "estudo à noite")),
    "pt-joined": ((("comecei a trabalhar na Orion", "Ana começou na Orion."),), ("comecei a trabalhar na planilha",)),
    "pt-married": ((("sou casada com o Davi", "Ana é casada com o Davi."),), ("sou casada com o trabalho mesmo assim",)),
    "pt-dating": ((("namoro a Lu", "Ana namora a Lu."),), ("namoro faz tempo",)),
    "pt-dating-now": ((("tô namorando a Lu", "Ana está namorando a Lu."),), ("tô namorando aquele sofá",)),
    "pt-family": ((("tenho dois filhos", "Ana tem dois filhos."),), ("tenho dois filhos da vizinha aqui",)),
    "pt-pet": ((("tenho um gato chamado Feijão", "Ana tem um gato chamado Feijão."),), ("tenho um gato na garganta",)),
    "pt-relative-called": ((("minha filha se chama Inês", "Ana tem filha que se chama Inês."),), ("minha filha se chama atenção",)),
    "pt-favourite": ((("meu editor favorito é o vim", "Ana tem como editor favorito: o vim."),), ("minha parte favorita é essa",)),
    "pt-own-thing": ((("meu tipo sanguíneo é O negativo", "Ana tem como tipo sanguíneo: O negativo."),), ("minha mesa é aquela",)),
    "pt-team": ((("torço pro Santos", "Ana torce pro Santos."),), ("torço pra dar certo",)),
    "pt-no-contact": ((("não me liga antes das 9", "Ana não quer contato antes das 9."),), ("não me liga",)),
    "pt-not-receive": ((("não leio mensagens depois das 22h", "Ana não responde mensagens depois das 22h."),), ("não leio mensagens longas",)),
    "pt-style": ((("pra mim resposta curta, por favor", "Ana quer resposta curta."),), ("pra mim tá ótimo",)),
    "pt-no-style": ((("sem emoji comigo", "Ana não quer emoji."),), ("sem emoji fica triste",)),
    "pt-prefer-style": ((("prefiro respostas curtas", "Ana prefere respostas curtas."),), ("prefiro respostas",)),
    "pt-prefer-over": ((("prefiro chá a café", "Ana prefere chá a café."),), ("prefiro isso a café",)),
    "pt-prefer": ((("prefiro janela", "Ana prefere janela."),), ("prefiro não", "prefiro o segundo")),
    "pt-like": ((("gosto de jazz", "Ana gosta de jazz."),), ("gosto disso", "gosto de você", "gosto de saber")),
    "pt-adore": ((("adoro samba", "Ana adora samba."),), ("adoro!", "adoro quando chove")),
    "pt-love": ((("amo praia", "Ana ama praia."),), ("amo que ele lembra", "amo vocês")),
    "pt-hate": ((("odeio coentro", "Ana odeia coentro."),), ("odeio isso",)),
    "pt-detest": ((("detesto calor", "Ana detesta calor."),), ("detesto quando atrasa",)),
    "pt-not-like": ((("não gosto de futebol", "Ana não gosta de futebol."),), ("não gosto disso",)),
    "pt-cannot-stand": ((("não suporto barulho", "Ana não suporta barulho."),), ("não suporto mais isso",)),
    "pt-speak": ((("falo inglês e espanhol", "Ana fala inglês e espanhol."),), ("falo com ele amanhã",)),
}  # fmt: skip

PLANS: Final[dict[str, Case]] = {
    "pt-plan-go": ((("vou pra Santos amanhã", "Ana vai pra Santos em 29 de fevereiro de 2024."), ("semana que vem o Bruno vai viajar a trabalho", "Bruno vai viajar a trabalho na semana 2024-03-04/2024-03-10.")), ("vou dormir", "vou pra Santos", "vou pra Santos sexta que vem")),
    "pt-plan-have": ((("amanhã cedo tenho prova de estatística", "Ana tem prova de estatística em 29 de fevereiro de 2024."),), ("tenho prova", "tinha prova ontem")),
    "pt-plan-away": ((("estou de férias mês que vem", "Ana está de férias em março de 2024."),), ("estou fora",)),
    "pt-plan-mine": ((("minha mudança é no dia 21 de março de 2024", "Ana tem como mudança: no dia 21 de março de 2024."),), ("minha mudança é grande",)),
    "pt-plan-day-of": ((("amanhã é minha prova", "Ana tem prova em 29 de fevereiro de 2024."),), ("amanhã é meu dia",)),
    "pt-plan-viajo": ((("viajo pra Roma mês que vem", "Ana viaja pra Roma em março de 2024."),), ("viajo muito",)),
    "pt-plan-embarco": ((("embarco pra Roma amanhã", "Ana embarca pra Roma em 29 de fevereiro de 2024."),), ("embarco nessa",)),
    "pt-plan-comeco": ((("começo na Orion mês que vem", "Ana começa na Orion em março de 2024."),), ("começo cedo",)),
    "pt-plan-me-mudo": ((("me mudo pra Curitiba mês que vem", "Ana se muda pra Curitiba em março de 2024."),), ("me mudo logo",)),
    "pt-plan-saio": ((("saio de férias mês que vem", "Ana sai de férias em março de 2024."),), ("saio já",)),
    "pt-plan-defendo": ((("defendo a tese mês que vem", "Ana defende a tese em março de 2024."),), ("defendo o time",)),
    "pt-plan-chego": ((("chego em Recife amanhã", "Ana chega em Recife em 29 de fevereiro de 2024."),), ("chego já",)),
    "pt-plan-opero": ((("opero o joelho mês que vem", "Ana opera o joelho em março de 2024."),), ("opero o guindaste",)),
}  # fmt: skip

EVENTS: Final[dict[str, Case]] = {
    f"pt-did-{rule}": (((f"{first} {what} ontem", f"Ana {third} {what} em 27 de fevereiro de 2024."),), (f"{first} {what}", f"{first} isso ontem", f"a gente {third} {what} ontem"))
    for rule, first, third, what in (
        ("fui", "fui", "foi", "ao museu"), ("visitei", "visitei", "visitou", "a tia Rosa"), ("comprei", "comprei", "comprou", "uma bicicleta"), ("adotei", "adotei", "adotou", "um gato"),
        ("quebrei", "quebrei", "quebrou", "um dente"), ("pedi-demissao", "pedi demissão", "pediu demissão", "da Orion"), ("me-formei", "me formei", "se formou", "em direito"),
        ("conheci", "conheci", "conheceu", "a prefeita"), ("corri", "corri", "correu", "a maratona"), ("ganhei", "ganhei", "ganhou", "um torneio"), ("perdi", "perdi", "perdeu", "o voo"),
        ("passei", "passei", "passou", "na prova"), ("terminei", "terminei", "terminou", "o relatório"), ("assinei", "assinei", "assinou", "o contrato"), ("viajei", "viajei", "viajou", "para Roma"),
        ("vendi", "vendi", "vendeu", "o carro"), ("defendi", "defendi", "defendeu", "a tese"), ("operei", "operei", "operou", "o joelho"), ("casei", "casei", "casou", "com o Davi"),
        ("fiz", "fiz", "fez", "um exame"), ("voltei", "voltei", "voltou", "para Recife"), ("comecei", "comecei", "começou", "um curso"), ("participei", "participei", "participou", "da feira"),
        ("apresentei", "apresentei", "apresentou", "o projeto"), ("publiquei", "publiquei", "publicou", "um artigo"), ("recebi", "recebi", "recebeu", "uma proposta"),
    )
}  # fmt: skip
