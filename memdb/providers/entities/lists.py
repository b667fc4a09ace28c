"""Words that decide what a capital letter means, English and Portuguese, folded."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PARTICLES: Final = _words("de da do dos das del della di du la le van von der den ter bin ibn al el of y")
"""May stand in lower case between two capitalised words of one name."""

CALENDAR: Final = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    segunda terca quarta quinta sexta sabado domingo segunda-feira terca-feira quarta-feira quinta-feira sexta-feira
    janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro fev abr mai ago set out dez
    today tomorrow yesterday hoje amanha ontem
    """
)

ROLES: Final = _words(
    """
    user assistant agent customer client speaker system bot admin boss manager team mom mum dad mother father wife husband son daughter
    brother sister grandma grandpa friend doctor teacher everyone someone
    usuario usuaria assistente agente cliente sistema chefe gerente equipe equipa mae pai esposa esposo marido filho filha irmao irma avo
    avo amigo amiga medico medica professor professora todos alguem voce
    """
)
"""Roles and relations: "The User" and "Mom" are no names; whom they mean is not in the text."""

STARTERS: Final = _words(
    """
    yes yeah yep nope ok okay please thanks thank hi hello hey bye sorry sure great good nice maybe actually also note remember reminder
    todo fyi btw wow oh ah well right let let's lets see call ask tell mail email message ping visit meet send make take get give go come
    buy book add use check keep put read write try think know want need like love hate prefer prefers likes loves wants
    needs said says works lives moved bought started stopped
    working living meeting going having being based according instead later earlier finally recently usually currently first second third
    next last new old every many most several two three four five six seven eight nine ten once twice people things nothing everything
    today's tomorrow's update updated question answer example summary decision
    sim nao claro obrigado obrigada oi ola tchau desculpa desculpe talvez alias lembre lembrar lembrete nota aviso veja ligue peca diga
    mande envie faca pegue compre use verifique leia escreva tente acho sei quero preciso gosto gosta prefere prefiro trabalha mora mudou
    comprou comecou parou disse falou fala vamos vou estou segundo primeiro depois antes agora sempre nunca muito cada todo toda dois tres
    quatro cinco seis sete oito nove dez pessoas coisas tudo pergunta resposta exemplo resumo decisao bom boa bem otimo otima
    """
)
"""Common first words of a sentence that are not names."""

HONORIFICS: Final = _words("mr mrs ms miss dr dra prof profa sr sra srta dom dona seu sir lady tia tio aunt uncle capt rev")

ORG_WORDS: Final = _words(
    """
    inc ltd llc corp co gmbh plc sa ltda cia group bank university college school institute foundation association hospital airlines
    ministry agency labs studio studios records
    banco universidade faculdade escola instituto fundacao associacao ministerio prefeitura camara grupo editora clube
    """
)

PLACE_WORDS: Final = _words(
    """
    street avenue road square park river lake mount island airport station rua avenida praca parque rio lago serra ilha
    bairro aeroporto
    """
)

BEFORE_PLACES: Final = _words(
    """
    live lives lived living move moves moved moving born based travel travels travelled traveled flew fly flying visit
    visits visited mora moro morava vive vivia nasceu mudou mudei viajou viajei viaja visitou visitei fica
    """
)
"""Verbs after which a name, with or without a preposition, is a place."""

PERSON_VERBS: Final = _words(
    """
    said says likes loves hates prefers wants needs thinks asked told works lives married moved called wrote agreed knows
    disse gosta ama odeia prefere quer precisa acha perguntou contou trabalha mora casou mudou ligou escreveu sabe
    """
)
"""Verbs whose subject is a person."""

BEFORE_MONTHS: Final = _words(
    """
    in on since until till by last next this of early late mid before after em no na de desde ate proximo proxima ultimo
    ultima
    """
)
"""Before "May" or "Abril", these make it a month."""

NOT_SUBJECT_OF_VERB: Final = _words(
    """
    i you he she it we they the a an this that these those there my your his her our their eu voce ele ela nos eles elas
    o os as
    """
)
"""After "Will" or "May" at the start of a sentence, these make it an auxiliary verb."""
