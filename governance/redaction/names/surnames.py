"""Surnames that are common in Brazil and Portugal, and some of the English-speaking world, lower case, without accents.

Those that are ordinary words of Portuguese law and trade as well (`reis`, `leite`, `cruz`) only count beside another name.
"""

from __future__ import annotations

from typing import Final

SURNAMES: Final = frozenset(
    """
    abreu aguiar albuquerque alencar almeida altman alvarenga alves amaral amarante amorim andrade antunes aragao aranha araujo arruda
    assis assuncao
    avila azevedo bandeira barbosa barcelos barros barroso bastos batista benevides bernardes bezerra bittencourt boaventura borges
    botelho braga
    brandao brito bueno cabral caldas caldeira camargo camacho camara campos cardoso caldwell carneiro carvalho casagrande castro
    cavalcante
    cavalcanti chagas chaves cirino coelho conceicao cordeiro correa correia costa coutinho couto cunha damasceno dantas delgado dias
    diniz
    dornelles drummond duarte dutra esteves evangelista fagundes falcao faria farias feijo fernandes ferraz ferreira figueira
    figueiredo fonseca
    fontes fontoura fraga franca franco freire freitas furtado galvao garcia gama gomes goncalves gonzaga goulart gouveia gouvea
    guedes guerra guimaraes
    gusmao holanda jardim jesus junqueira lacerda lago lara leal leao leite lemos lima linhares lira lisboa lobo lopes loureiro
    lourenco lucena
    luz macedo machado maciel magalhaes maia maldonado malheiros mansur marinho marques martins matias matos mattos medeiros meira
    meireles mello melo mendes
    mendonca meneses menezes mesquita miranda monteiro moraes morais moreira mota motta moura mourao munhoz nascimento negrao neves
    nobre nobrega nogueira
    noronha novaes nunes oliveira ortiz pacheco padilha paes paiva palmeira parente passos peixoto penha penna pereira peres perez
    pessoa pestana pimenta
    pimentel pinheiro pinto pires pontes porto prado prates queiroz quintana ramalho ramires ramos rangel rego reis resende rezende
    ribas ribeiro
    rios rocha rodrigues rosario rossi sa sabino salazar sales salles salgado sampaio sanches santana santiago santos saraiva sarmento
    schmidt
    seabra severino silva silveira silverio simoes siqueira soares sobrinho sousa souza tavares teixeira teles telles toledo torres
    trindade uchoa
    valadares valente valverde vargas vasconcelos vaz veiga velloso veloso viana vianna vidal vieira vilela villela xavier zanetti
    zimmermann
    anderson baker bennett brooks brown bryant butler campbell carter clark collins cooper davis edwards evans fisher flores foster
    gonzalez graham
    griffin hall hamilton harris harrison hernandez hughes jackson jenkins johnson jones kelly kennedy kim lee lewis lopez marshall
    martinez mcdonald miller
    mitchell moore morgan morris murphy murray nelson nguyen parker patel peterson phillips ramirez reynolds richardson roberts
    robinson rodriguez rogers
    ross russell sanchez sanders scott simmons smith stevens stewart sullivan taylor thomas thompson torres turner walker wallace
    watson williams
    wilson wright
    """.split()  # noqa: SIM905 - three hundred quoted names, one a line, read worse
)

SUFFIXES: Final = frozenset("junior jr filho neto sobrinho segundo sr ii iii iv phd md".split())  # noqa: SIM905 - as above
"""What stands behind a surname and belongs to the name."""
