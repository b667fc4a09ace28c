"""Places that a memory is likely to name: countries, states of Brazil and the United States, large cities; lower case, without accents."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in text.split(",") if name.strip())


PLACES: Final = _words(
    """
    afghanistan, afeganistao, africa, africa do sul, south africa, albania, alemanha, algeria, argelia, america, america do sul, south
    america,
    america do norte, north america, andorra, angola, antarctica, arabia saudita, saudi arabia, argentina, armenia, asia, australia,
    austria,
    azerbaijan, bahamas, bangladesh, barbados, belarus, belgica, belgium, belize, benin, bolivia, bosnia, botswana, brasil, brazil,
    bulgaria,
    cabo verde, cape verde, cambodia, camboja, cameroon, camaroes, canada, catar, qatar, chile, china, chipre, cyprus, colombia,
    congo, coreia do sul,
    south korea, coreia do norte, north korea, korea, coreia, costa rica, croatia, croacia, cuba, czech republic, czechia, republica
    tcheca, denmark,
    dinamarca, dominican republic, ecuador, equador, egypt, egito, el salvador, england, inglaterra, escocia, scotland, eslovaquia,
    slovakia,
    eslovenia, slovenia, espanha, spain, estados unidos, united states, united states of america, usa, u.s., u.s.a., eua, estonia,
    ethiopia, etiopia,
    europa, europe, fiji, filipinas, philippines, finland, finlandia, france, franca, gabon, georgia, germany, ghana, gana, greece,
    grecia,
    greenland, groenlandia, guatemala, guinea, guine, guyana, guiana, haiti, holanda, holland, honduras, hong kong, hungary, hungria,
    iceland,
    islandia, india, indonesia, iran, iraq, iraque, ireland, irlanda, israel, italy, italia, jamaica, japan, japao, jordan, jordania,
    kazakhstan, kenya,
    quenia, kuwait, laos, latvia, letonia, lebanon, libano, libya, liechtenstein, lithuania, lituania, luxembourg, luxemburgo,
    macedonia, madagascar,
    malawi, malaysia, malasia, mali, malta, marrocos, morocco, mexico, moldova, monaco, mongolia, montenegro, mozambique, mocambique,
    myanmar,
    namibia, nepal, netherlands, paises baixos, new zealand, nova zelandia, nicaragua, niger, nigeria, norway, noruega, oman,
    pakistan, paquistao,
    palestine, palestina, panama, paraguay, paraguai, peru, poland, polonia, portugal, puerto rico, porto rico, reino unido, united
    kingdom, uk,
    great britain, britain, romania, romenia, russia, rwanda, senegal, serbia, servia, singapore, singapura, siria, syria, somalia,
    sri lanka, sudan,
    suecia, sweden, suica, switzerland, suriname, swaziland, tailandia, thailand, taiwan, tanzania, tibet, tunisia, turkey, turquia,
    ucrania, ukraine,
    uganda, uruguay, uruguai, uzbekistan, vaticano, venezuela, vietnam, vietna, wales, yemen, zambia, zimbabwe,
    acre, alagoas, amapa, amazonas, bahia, ceara, distrito federal, espirito santo, goias, maranhao, mato grosso, mato grosso do sul,
    minas gerais,
    paraiba, parana, pernambuco, piaui, rio de janeiro, rio grande do norte, rio grande do sul, rondonia, roraima, santa catarina, sao
    paulo, sergipe,
    tocantins, aracaju, belem, belo horizonte, boa vista, brasilia, campo grande, cuiaba, curitiba, florianopolis, fortaleza, goiania,
    joao pessoa,
    macapa, maceio, manaus, natal, palmas, porto alegre, porto velho, recife, rio branco, salvador, sao luis, teresina, vitoria,
    campinas, guarulhos,
    santos, osasco, sorocaba, ribeirao preto, sao jose dos campos, sao bernardo do campo, santo andre, niteroi, duque de caxias, nova
    iguacu,
    uberlandia, juiz de fora, contagem, betim, joinville, blumenau, londrina, maringa, caxias do sul, pelotas, feira de santana,
    olinda, taguatinga,
    lisboa, coimbra, braga, faro,
    alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, hawaii, idaho, illinois, indiana, iowa,
    kansas,
    kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new
    hampshire,
    new jersey, new mexico, new york, new york city, nova york, nova iorque, north carolina, north dakota, ohio, oklahoma, oregon,
    pennsylvania,
    rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, washington dc, west virginia, wisconsin, wyoming,
    ontario, quebec,
    british columbia, alberta, manitoba, nova scotia, new south wales,
    amsterdam, ankara, athens, atenas, atlanta, auckland, austin, bangalore, bangkok, barcelona, basel, beijing, pequim, beirut,
    belfast, belgrade, berlin, berlim,
    bogota, boston, bratislava, brussels, bruxelas, bucharest, budapest, budapeste, buenos aires, cairo, cape town, caracas, chicago,
    copenhagen,
    copenhague, dallas, delhi, new delhi, denver, detroit, dubai, dublin, edinburgh, frankfurt, geneva, genebra, glasgow, hamburg,
    helsinki, houston,
    istanbul, jakarta, jerusalem, johannesburg, kiev, kyiv, kyoto, la paz, lagos, las vegas, leeds, lima, liverpool, london, londres,
    los angeles, luanda,
    lyon, madrid, manchester, manila, maputo, marseille, medellin, melbourne, mexico city, cidade do mexico, miami, milan, milao,
    minsk, montevideo, montreal, moscow,
    moscou, mumbai, munich, munique, nairobi, naples, new orleans, orlando, oslo, ottawa, paris, philadelphia, phoenix, pisa,
    portland, prague, praga, quito,
    riga, rome, roma, rotterdam, san diego, san francisco, santiago, seattle, seoul, seul, shanghai, xangai, silicon valley, sofia,
    stockholm, estocolmo, sydney,
    tallinn, tehran, tel aviv, tokyo, toquio, toronto, turin, turim, vancouver, venice, veneza, vienna, viena, vilnius, warsaw,
    varsovia, zagreb, zurich, zurique
    """
)

ALSO_NAMES: Final = _words(
    """
    sofia, santiago, salvador, vitoria, israel, jordan, sydney, georgia, virginia, chelsea, austin, lima, braga, lisboa, santos,
    franca, natal, orlando, roma, holanda, washington, india, chile, florence, milan, turkey, phoenix, faro, lagos, mali, niger
    """
)
"""Places that are names of people or words as often: they need a word that puts somebody or something there."""

BRAZILIAN_STATES: Final = frozenset("AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO".split())  # noqa: SIM905 - as in a table
