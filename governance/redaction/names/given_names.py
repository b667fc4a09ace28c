"""Given names that are common in Brazil, Portugal and the English-speaking world, lower case, without accents.

Written from general knowledge of census tables; no list is complete, so that names are recognised by their place in a sentence as well.
Names that are ordinary words of either language (`will`, `mark`, `vitoria` stays, `luz` goes) are left out unless they are names far more
often than words.
"""

from __future__ import annotations

from typing import Final

GIVEN_NAMES: Final = frozenset(
    """
    abigail adalberto adam adao ademir adenilson adilson adolfo adriana adriano agatha agnes agostinho ahmed aidan ailton aisha alan
    alana alba
    albert alberto alcides aldo alejandro alessandra alessandro alex alexander alexandra alexandre alexis alfredo ali alice alicia
    aline alison
    alisson allan allison almir altair alvaro alyssa amanda amauri amelia amir amy ana anabela andre andrea andreia andres andrew andy ane
    anderson angela angelica angelina angelo anita ann anna anne anthony antonella antonia antonio antony ariana ariane ariel arlindo
    armando
    arnaldo arthur artur ashley augusto aurelio aurora ava ayla barbara barry beatriz becky bella ben benedito benicio benjamin bento
    bernard
    bernardo beth betty bianca bill billy bob bobby bradley brandon brayan breno brenda brian bridget bruce bruna bruno bryan bryce
    caio caleb
    calebe callum camila camilla camille candida carina carl carla carlos carly carmen carol carolina caroline catarina catherine
    cauan caue
    cecilia celeste celia celina celso cesar charles charlie charlotte chloe chris christian christina christine christopher cibele
    cicero cida
    cindy clara clarice clarissa claudia claudio clayton cleber cleide cleiton cleusa cleonice clovis cody colin connor conrado cristiana
    cristiane cristiano cristina curtis cynthia dalila dalva damiao daniel daniela daniele daniella danielle danilo danny dante darci
    darren
    dave davi david debora deborah deise denis denise dennis derek diana diane diego diogo dirceu djalma domingos donald donna dora doris
    douglas dulce duncan dustin dylan eder edgar edilson edite edith edmilson edmundo edna edson eduarda eduardo edward edwin elaine elena
    eleanor eliana eliane elias elisa elisabete elisangela elizabete elizabeth ella ellen elliot elsa elton elza emanuel emanuelly
    emerson emilia
    emily emma enrico enzo erica erick erik erika ernesto esmeralda estela ester esther ethan eugenio eunice eva evan evandro evelyn
    everton
    ezequiel fabiana fabiano fabio fabricio fatima felicia felicity felipe felix fernanda fernando fiona flavia flavio florence frances
    francesca francis francisca francisco frank franklin fred frederick frederico gabriel gabriela gabriella gabrielle gael gary genivaldo
    geoffrey george georgia georgina geovana geraldo gerald gerson gilberto gilmar gilson gina giovana giovanna giovanni giselle
    gisele gislaine
    glaucia glenn gloria graca graham greg gregorio gregory guilherme gustavo hannah harold harriet harry heather heitor helen helena
    heleno
    helio heloisa henrique henry herbert hilda hugo humberto iago ian iara igor ilda inacio ines ingrid ines irene iris irma isaac isabel
    isabela isabella isabelle isadora isaque isis ismael israel itamar ivan ivana ivete ivo ivone jack jackson jacob jacqueline jade
    jaime jair
    jairo james jamie jan jana jane janaina jandira janete janet janice jaqueline jasmine jason jean jeferson jefferson jeffrey jenna
    jennifer
    jenny jeremiah jeremias jeremy jerome jessica jill jim jimmy joana joanna joanne joao joaquim jocelyn joe joel joelma john johnny
    jonas
    jonatas jonathan jordan jorge jose joseane joseph josefa josiane josue joshua joyce juan juarez judith julia julian juliana
    juliano julie
    juliet julieta julio junior jurandir jussara justin kaique karen karin karina karl kate katherine kathleen kathryn kathy katia
    katie kauan
    kaue kayla keila keith kelly kelvin ken kenneth kevin kim kimberly kleber kyle lais lara larissa larry laura lauren laurence lavinia
    lawrence leandra leandro leila leo leonard leonardo leonor leticia levi lewis lia liam lidia ligia lilian liliana lilly lillian linda
    lindsay lisa livia logan lorena lorenzo louisa louise lourdes lourenco luan luana luca lucas lucca lucia luciana luciano lucien
    lucy luigi luis
    luisa luiz luiza luke lurdes luzia lydia lynn madalena madison magda magali maicon maira maite malcolm manoel manoela manuel
    manuela marcel marcela
    marcelo marcia marcio marco marcos marcus margaret margarida margarete maria mariah mariana mariane maricelia marilda marilene
    marilia marina
    mario marisa marissa maristela maristella marlene marlon marta martha martin martina mary mateus matheus mathew mathias matilde
    matt matthew
    maura mauricio mauro max maya megan meire melissa mercedes mia michael micaela michel michele michelle miguel mike milena millie
    milton miranda
    miriam mirian moacir mohamed mohammed moises molly monica monique murilo muhammad nadia naiara nancy naomi natalia natalie natan
    natasha
    nathalia nathan nathaniel neide nelson neusa newton neymar nicholas nick nicola nicolas nicole nicolly nigel nilton nilza nina
    nivaldo noah
    noel noemi nora norma octavio odair odete olga olivia oliver omar orlando oscar osmar osvaldo otavio otto owen pablo pamela
    patricia patrick
    patty paul paula paulina paulo pedro penelope percival peter petra phillip philip phoebe pietra pietro priscila rachel rafael
    rafaela raimunda
    raimundo raissa ralph ramiro ramon randy raphael raquel raul ravi raymond rebeca rebecca regiane regina reginaldo renan renata renato
    ricardo richard rita robert roberta roberto robin robson rodney rodolfo rodrigo roger rogerio romario romeu romulo ronald ronaldo
    roque
    rosa rosalia rosana rosangela roseli rosemary rosilene ross roy rubens ruby russell rute ruth ryan sabrina sally salome salvador
    samanta samantha
    samara sam samuel sandra sandro sara sarah scott sean sebastian sebastiana sebastiao selma sergio shane sharon sheila shirley
    sidnei sidney silas
    silvana silvia silvio simao simon simone sofia solange sonia sophia sophie stacey stella stefan stefany stephan stephanie stephen
    steve steven stuart
    suelen sueli susan susana suzana suzanne sybil sydney sylvia tainara taina talita tamara tania tara tarcisio tatiana tatiane ted
    telma teodoro
    teresa tereza terezinha terry thais thales theo theodore theresa thiago thomas tiago tiffany tim timothy tina tom tomas tommy tony
    tracy
    trevor tyler ubirajara ulisses ursula valdemar valdir valentim valentina valeria valter vanda vanderlei vanessa vania vasco vera
    veronica vicente
    victor victoria vinicius virginia vitor vitoria vivian viviane wagner waldemar waldir walmir walter wanda wanderley washington
    wayne welington wellington
    wendy wesley william willian wilma wilson wilton xavier yago yara yasmin yolanda yuri zachary zelia zenaide zilda zoe zuleica
    josefina leonel lucio lino nuno rui goncalo afonso duarte salvadora tomaz mafalda constanca carlota benedita silvano narciso nereu
    napoleao eustaquio nidia angelo saulo ulysses waldyr lauro mozart olavo plinio rosalvo
    """.split()  # noqa: SIM905 - a thousand quoted names, one a line, read worse
)
