"""Words that several rules share, as patterns on plain text."""

# ruff: noqa: E501 - a list that is broken into lines of 140 is harder to extend than a long one

from __future__ import annotations

import re
from typing import Final


def one_of(*parts: str) -> str:
    """Alternatives of a pattern that are written in several pieces, because they are many."""
    return "|".join(parts)


MOCK_EN: Final = re.compile(
    r"^(?:meetings?|jira|mondays?|mornings?|(?:hard )?work\b|deadlines?|paperwork|excel|change|nonsense|commitment|people|fun|money|effort|bullshit|drama|stupid\w*|spreadsheets?|slides|responsibility|exercise|everything|you|this|that|it)\b"
)
MOCK_PT: Final = re.compile(
    r"^(?:reuni\w+|segunda|trabalh\w+|planilhas?|gente|acordar|compromisso|drama|burrice|responsabilidade|academia|tudo|voce|isso)\b"
)

FOOD_EN: Final = one_of(
    r"(?:red meat|meat|pork|beef|fish|seafood|shellfish|shrimp|prawns|dairy|milk|gluten|sugar|alcohol|caffeine|coffee|nuts|peanuts|eggs?|wheat|lactose",
    r"soy|cheese|spicy food|bread|onions?|garlic|mushrooms?|cilantro|coriander|tomatoes|chicken|lamb|pasta|rice|chocolate|animal products",
    r"chickpeas|lentils|beans|yogh?urt|cream|butter|bacon|ham|sausages?|tofu|oats|corn|celery|mustard|sesame|almonds|walnuts|cashews|hazelnuts|pistachios",
    r"strawberries|bananas|kiwis?|avocados?|pineapple|citrus(?: fruit)?|oranges|grapefruit|mango(?:es)?|raw fish|sushi|raw eggs|fried food|fast food|sweets|beer|wine|soda)",
)
FOOD_PT: Final = one_of(
    r"(?:carne vermelha|carne de porco|carnes?|porco|frango|peixes?|frutos do mar|camarao|leite|lactose|laticinios?|trigo|gluten|acucar|alcool|bebida alcoolica",
    r"cafe|cafeina|amendoim|castanhas?|nozes|ovos?|soja|queijo|pimenta|farinha|cerveja|vinho|cebola(?: crua)?|alho|coentro|cogumelos?|tomate|pao|doces?|frituras?",
    r"refrigerante|derivados de leite|nada de origem animal|grao de bico|lentilha|feijao|iogurte|manteiga|bacon|presunto|linguica|mortadela|tofu|aveia|milho|mostarda",
    r"gergelim|amendoas?|morango|banana|kiwi|abacate|abacaxi|laranja|manga|mel|peixe cru|comida (?:japonesa|apimentada|gordurosa)|massas?|arroz|chocolate|carne de boi|mariscos?",
    r"marisco)",
)
DIETS_EN: Final = r"(?:vegan|vegetarian|pescatarian|pescetarian|halal|kosher|teetotal\w*|gluten[- ]free|lactose[- ]free)"
DIETS_PT: Final = r"(?:vegan[oa]|vegetarian[oa]|ovolactovegetarian[oa]|pescetarian[oa]|abstemi[oa])"
CONDITIONS_EN: Final = r"(?:diabetic|type [12] diabetic|asthmatic|epileptic|celiac|coeliac|colou?r[- ]?blind|dyslexic|deaf|hard of hearing|blind|hypertensive|pregnant|autistic|ha?emophiliac|left-handed|ambidextrous)"
CONDITIONS_PT: Final = r"(?:diabetic[oa]|asmatic[oa]|epilept?ic[oa]|celiac[oa]|daltonic[oa]|dislexic[oa]|surd[oa]|ceg[oa]|hipertens[oa]|hipertens[oa]|autista|hemofilic[oa]|canhot[oa]|gravida)"

PROFESSION_EN: Final = one_of(
    r"(?:nurse|doctor|teacher|engineer|developer|programmer|designer|lawyer|accountant|architect|chef|cook|electrician|plumber|carpenter|dentist|pharmacist|professor|scientist|researcher|student|librarian|journalist|photographer|translator|pilot|driver",
    r"barista|baker|manager|analyst|consultant|veterinarian|vet|psychologist|therapist|physiotherapist|paramedic|firefighter|musician|mechanic|farmer|biologist|chemist|physicist|economist|secretary|waiter|waitress|postdoc|intern)",
)
PROFESSION_PT: Final = one_of(
    r"(?:enfermeir[oa]|medic[oa]|professora?|engenheir[oa]|desenvolvedora?|programadora?|designer|advogad[oa]|contadora?|arquitet[oa]|chef|cozinheir[oa]|eletricista|encanadora?|dentista|farmaceutic[oa]|cientista|pesquisadora?|estudante|bibliotecari[oa]|jornalista|fotograf[oa]|tradutora?|pilot[oa]",
    r"motorista|barista|padeir[oa]|gerente|analista|consultora?|veterinari[oa]|psicolog[oa]|terapeuta|fisioterapeuta|bombeir[oa]|music[oa]|mecanic[oa]|agronom[oa]|biolog[oa]|quimic[oa]|fisic[oa]|economista|secretari[oa]|garcom|garconete|estagiari[oa]|nutricionista|vendedora?|costureir[oa])",
)

OWN_EN: Final = r"(?:editor|nickname|middle name|surname|shirt size|t-shirt size|shoe size|blood type|dentist|doctor|vet|accountant|landlord|time ?zone|working hours|office hours|working days|lunch break|desk|locker|parking spot|hometown|job title|title|native language|mother tongue|first language|star sign|school|major|team|emergency contact|reading glasses|wheelchair|epi-?pen)"
OWN_PT: Final = r"(?:editor|apelido|tamanho de camiseta|tamanho de camisa|numero de sapato|tipo sanguineo|dentista|medic[oa]|veterinari[oa]|contadora?|fuso(?: horario)?|horario de trabalho|horario de almoco|expediente|mesa|armario|vaga|cidade natal|cargo|lingua materna|signo|escola|faculdade|curso|time(?: do coracao)?|contato de emergencia|turno)"

REACH_EN: Final = r"(?:call|contact|message|text|ping|disturb|bother|notify|page|email|e-mail|phone|wake|schedule)"
STYLE_EN: Final = r"(?:short|brief|concise|direct|long|detailed|formal|informal|plain|bullets?|bullet points|casual|simple)"
STYLE_PT: Final = r"(?:curt[oa]s?|diret[oa]s?|breves?|objetiv[oa]s?|detalhad[oa]s?|formal|formais|informal|informais|simples|resumid[oa]s?)"
UNWANTED_EN: Final = r"(?:emojis?|exclamation (?:marks|points)|jokes|slang|jargon|abbreviations|small talk|voice (?:notes|messages)|gifs?(?: that flash)?|flashing gifs?|audio messages)"
UNWANTED_PT: Final = r"(?:emojis?|girias?|jargao|textao|textoes|piadas?|audios?|figurinhas?|gifs?|formalidades?|enrolacao|caixa alta|diminutivos?|abreviacoes)"

PLAYED_EN: Final = r"(?:guitar|bass|piano|keyboards?|violin|viola|cello|drums|flute|clarinet|saxophone|sax|trumpet|ukulele|harp|banjo|harmonica|accordion|chess|poker|soccer|football|basketball|volleyball|tennis|table tennis|badminton|golf|hockey|baseball|softball|rugby|cricket|handball|water polo|dungeons and dragons|d&d|video games|board games|bridge)"
PASTIME_EN: Final = r"(?:cook|bake|run|hike|swim|read|write|paint|draw|dance|sing|travel|drive|fly|commute|camp|fish|ski|surf|cycle|bike|climb|knit|sew|garden|sail|kayak|play|jog|sketch|grill|explore|collect|watch|listen to|go|do|practi[cs]e|try|make|build|spend|take|learn|experiment|work|eat|drink|wake|get up|wear|use|keep|start|live|meditate|volunteer)"
ACTIVITY_EN: Final = one_of(
    r"(?:run|jog|swim|cycle|bike|walk|hike|meditate|journal|work out|exercise|train|stretch|read|write|paint|cook|bake|volunteer|practi[cs]e|go (?:running|jogging|swimming|hiking",
    r"dancing|climbing|cycling|fishing|surfing|to (?:the gym|church|mass|therapy|yoga|practice|class|the pool|the market|the office))|do (?:yoga|pilates|crossfit|karate|judo|boxing",
    r"meal prep)|take (?:[\w-]+ ){0,2}(?:classes|lessons)|attend (?:[\w-]+ ){0,2}(?:classes|lessons|meetings|mass)|work from home|work remotely|drink coffee|skip breakfast|get up at \d{1,2}(?::\d\d)?(?: ?am)?",
    r"wake up at \d{1,2}(?::\d\d)?(?: ?am)?)",
)
OFTEN_EN: Final = r"(?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|other day|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|evening|night|afternoon))?)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?|on weekends|(?:once|twice|three times|four times|five times|\d times) (?:a|per) (?:day|week|month|year)|daily)"
FIELD_EN: Final = r"(?:marketing|finance|tech|it|healthcare|education|sales|hr|human resources|retail|hospitality|construction|advertising|publishing|banking|insurance|real estate|logistics|consulting|cyber ?security|law|politics|film|fashion|accounting|customer service|customer support|software|data science|engineering|manufacturing|research|public health|social work|journalism|aerospace|agriculture|tourism)"

PLAYED_PT: Final = (
    r"(?:violao|guitarra|baixo|piano|teclado|bateria|violino|cavaquinho|flauta|sax|saxofone|pandeiro|ukulele|gaita|sanfona|trompete)"
)
SPORT_PT: Final = r"(?:bola|futebol|futsal|volei|basquete|handebol|tenis|beach tennis|tenis de mesa|pingue-pongue|xadrez|poker|truco|rpg|videogame|sinuca|domino|lol)"
ACTIVITY_PT: Final = r"(?:pilates|yoga|ioga|natacao|academia|musculacao|crossfit|terapia|capoeira|judo|jiu-?jitsu|boxe|muay thai|danca|bale|ballet|hidroginastica|caminhada|aula de [a-z]+|trilha|fisioterapia|teatro|ceramica|croche|trico|home office)"
OFTEN_PT: Final = one_of(
    r"(?:tod[oa]s? (?:(?:os|as|o|a) )?(?:dias?|manhas?|noites?|tardes?|semanas?|mes|segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?: (?:de manha|de noite|a tarde",
    r"à tarde|à noite|a noite|cedo))?|(?:as|às|à|aos?|nas|nos) (?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?: e (?:segundas?|tercas?|quartas?|quintas?|sextas?",
    r"sabados?|domingos?))?|(?:uma|duas|tres|quatro|\d) vez(?:es)? (?:por|na) semana)",
)
ENDEAVOUR_PT: Final = r"(?:faculdade|mestrado|doutorado|pos|pos-graduacao|graduacao|curso tecnico|cursinho|curso|licenciatura|residencia|mba|ensino medio|intercambio|pos-doutorado)"
STANDING_PT: Final = r"(?:aposentad[oa]|autonom[oa]|mei|freelancer|freela|concursad[oa]|dona de casa|funcionari[oa] public[oa]|servidora? public[oa]|desempregad[oa]|militar|empresari[oa]|microempreendedora?|pensionista)"
ORIGIN_PT: Final = one_of(
    r"(?:mineir[oa]|carioca|paulistan[oa]|paulista|baian[oa]|gauch[oa]|pernambucan[oa]|cearense|paranaense|catarinense|capixaba|goian[oa]|paraense|amazonense|maranhense|potiguar",
    r"paraiban[oa]|alagoan[oa]|sergipan[oa]|piauiense|mato-?grossense|brasiliense|candang[oa]|acrean[oa]|manauara|soteropolitan[oa]|brasileir[oa]|portugues[a]?|angolan[oa]|mocambican[oa]",
    r"argentin[oa]|chilen[oa]|colombian[oa]|mexican[oa]|italian[oa]|japones[a]?|alema[o]?|frances[a]?|espanhola?|american[oa])",
)
FANS_PT: Final = r"(?:flamenguista|corintian[oa]|corinthian[oa]|palmeirense|sao-?paulin[oa]|santista|vascain[oa]|botafoguense|tricolor|gremista|colorad[oa]|atletican[oa]|cruzeirense|rubro-?negr[oa]|benfiquista|sportinguista|portista)"

TRADE_EN: Final = one_of(
    rf"(?:{PROFESSION_EN[3:-1]}|[a-z]{{3,}}(?:ist|keeper|master|woman)|drummer|singer|bass player|guitar player|treasurer|coach|trainer|tutor|mentor|supervisor|landlord|landlady",
    r"lead|leader|maintainer|organi[sz]er|producer|director|coordinator|captain|goalkeeper|goalie|cleaner|gardener|caretaker|janitor|carer|host|guide|interpreter|editor|proofreader",
    r"receptionist|recruiter|tester|moderator|admin|administrator|chair|chairman|chairperson|president|contact|supplier|webmaster|dj|[a-z]+ (?:guy|person|expert|specialist|lady))",
)
DUTY_EN: Final = r"(?:handles|does|runs|manages|organi[sz]es|books|pays|keeps|maintains|takes care of|looks after|drives|cooks|orders|writes|coordinates|leads|cleans|waters|collects|teaches|checks|approves|deploys|translates|edits|feeds)"
CHORE_EN: Final = one_of(
    r"(?:lighting|lights|sound|posters?|cooking|shopping|dishes|laundry|books|accounts|bookkeeping|newsletter|minutes|scheduling|catering|payroll|design|website|invoices|invoicing",
    r"billing|photos|photography|editing|translations?|reports|rota|backups|deploys|releases|testing|onboarding|driving|cleaning|school run|bins|garden|gardening|admin|social media",
    r"decorations?|music|make-?up|costumes|subtitles|backend|frontend|back-end|front-end|devops|qa|marketing|sales|support|customer support|infra|infrastructure|hr|ops|ux|research",
    r"data)",
)
WORKPLACE_EN: Final = one_of(
    r"(?:bakery|hospital|school|library|restaurant|bank|pharmacy|clinic|factory|warehouse|shop|store|supermarket|cafe|bar|hotel|museum|university|kindergarten|nursery|garage|salon",
    r"gym|court|post office|call cent(?:er|re)|law firm|start-?up|lab|farm|airport|kitchen|bookshop|bookstore|nursing home|care home|newspaper|radio station|studio|theatre|theater",
    r"town hall|council|prison|zoo|aquarium|shelter|charity|agency|brewery|publisher|consultancy)",
)
VENTURE_EN: Final = r"(?:shop|store|bakery|cafe|restaurant|company|business|dance studio|studio|salon|farm|gallery|agency|start-?up|blog|podcast|youtube channel|food truck|bookshop|bookstore|gym|garage|clinic|bar|hostel|consultancy|bed and breakfast|nursery|laundrette|workshop)"
LANGUAGE_EN: Final = one_of(
    r"(?:english|portuguese|spanish|french|german|italian|japanese|mandarin|cantonese|chinese|korean|arabic|hindi|urdu|bengali|tamil|punjabi|farsi|dutch|flemish|russian|polish|czech",
    r"slovak|hungarian|romanian|bulgarian|serbian|croatian|ukrainian|turkish|swedish|norwegian|danish|finnish|icelandic|greek|hebrew|welsh|irish|gaelic|catalan|basque|swahili|yoruba",
    r"igbo|amharic|vietnamese|thai|tagalog|malay|indonesian|sign language|bsl|asl)",
)
BREED_EN: Final = r"(?:labrador|golden retriever|retriever|poodle|beagle|border collie|collie|bulldog|french bulldog|pug|terrier|spaniel|cocker spaniel|dachshund|husky|german shepherd|greyhound|whippet|corgi|chihuahua|boxer|rottweiler|dalmatian|labradoodle|cockapoo|siamese|maine coon|budgie|canary|cockatiel|gecko|iguana|bearded dragon|chinchilla|ferret|gerbil|tortoise|snake)s?"
HOUR_EN: Final = r"(?:\d{1,2}(?:[:.]\d\d)?(?![:.]?\d)(?: ?(?:am|pm|h))?|noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: ?(?:am|pm))?)(?: in the (?:morning|evening|afternoon)| at night)?"
_DAYS_EN: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days"
REGULARLY_EN: Final = rf"(?:on {_DAYS_EN}(?:(?:,| and|, and| or| to) {_DAYS_EN}){{0,4}}|on (?:weekends|weekdays|the weekend|school nights|holidays)|at (?:weekends|night)|in the (?:mornings?|evenings?|afternoons?)|(?:after|before|past) {HOUR_EN}(?: on (?:weekdays|weekends|{_DAYS_EN}))?|during (?:lunch|the day|working hours|dinner))"

TRADE_PT: Final = one_of(
    rf"(?:{PROFESSION_PT[3:-1]}|[a-z]{{3,}}ista|baixista|baterista|vocalista|cantora?|goleir[oa]|tesoureir[oa]|treinadora?|tecnic[oa]|supervisora?|sindic[oa]|lider|organizadora?",
    r"produtora?|diretora?|coordenadora?|capita|capitao|faxineir[oa]|jardineir[oa]|porteir[oa]|zelador[a]?|cuidadora?|guia|interprete|editora?|revisora?|recepcionista|moderadora?",
    r"administradora?|presidente|representante|fornecedora?|contato|diarista|tutora?|mentora?|monitora?)",
)
DUTY_PT: Final = r"(?:cuida|organiza|faz|paga|compra|marca|coordena|administra|gerencia|mantem|dirige|cozinha|lidera|limpa|rega|recolhe|ensina|confere|aprova|traduz|edita|atende|fecha|abre|escreve)"
CHORE_PT: Final = r"(?:iluminacao|som|cartazes|comida|compras?|contabilidade|newsletter|atas?|escala|folha(?: de pagamento)?|design|site|notas|faturas|fotos|edicao|traducao|relatorios|backups?|deploys?|testes|limpeza|faxina|jardim|redes sociais|decoracao|musica|maquiagem|figurino|legendas|divulgacao|caixa|cozinha|almoco|janta|mercado|bolo)"
WORKPLACE_PT: Final = one_of(
    r"(?:padaria|hospital|escola|biblioteca|restaurante|banco|farmacia|clinica|fabrica|loja|supermercado|mercado|cafe|bar|hotel|museu|universidade|creche|oficina|salao|academia",
    r"forum|correio|correios|call center|escritorio de [a-z]+|startup|laboratorio|fazenda|aeroporto|cozinha|livraria|posto(?: de saude)?|asilo|jornal|radio|estudio|teatro|prefeitura",
    r"camara|presidio|zoologico|ong|agencia|cervejaria|editora|consultoria|portaria|almoxarifado|recepcao|obra|petshop|pet shop|upa)",
)
VENTURE_PT: Final = r"(?:loja|lojinha|padaria|cafe|cafeteria|restaurante|empresa|negocio|estudio|salao|fazenda|sitio|galeria|agencia|startup|blog|podcast|canal|food truck|livraria|academia|oficina|clinica|bar|pousada|consultoria|confeitaria|barbearia|mercadinho|escola|atelie|brecho|marmitaria|floricultura)"
LANGUAGE_PT: Final = r"(?:ingles|portugues|espanhol|frances|alemao|italiano|japones|mandarim|chines|coreano|arabe|hebraico|libras|holandes|russo|polones|ucraniano|turco|sueco|noruegues|dinamarques|finlandes|grego|catalao|galego|guarani|hindi|romeno|tcheco|hungaro)"
_DAYS_PT: Final = r"(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?:-feiras?)?"
REGULARLY_PT: Final = rf"(?:(?:às|as|aos?|nas|nos) {_DAYS_PT}(?: (?:e|nem|ou) (?:(?:às|as|aos?|nas|nos) )?{_DAYS_PT})?|(?:no|nos|aos?) (?:fins?|finais) de semana|(?:fim|final) de semana|de (?:noite|madrugada|manha)|à noite|a noite|(?:depois|antes) d[ae]s? \d{{1,2}}h?|fora do (?:horario|expediente)|em feriados?|nos feriados)"
WHEN_PT: Final = r"(?P<value>(?:(?:so )?(?:depois|antes|a partir) d[ae]s? \d{1,2}(?:h\d{0,2}|:\d\d)?|entre \d{1,2}h? e \d{1,2}h?|só à noite|so à noite|so a noite|so de manha|à noite,? durante o dia nao))(?: da (?:noite|manha|tarde))?"

CAR_MAKES: Final = one_of(
    r"(?:alfa romeo|audi|bmw|byd|cadillac|chevrolet|chevy|chrysler|citroen|cupra|dacia|dodge|ferrari|fiat|ford|gmc|haval|honda|hyundai|infiniti|jaguar|jeep|kia|lancia|land rover",
    r"lexus|maserati|mazda|mercedes|mini cooper|mitsubishi|nissan|opel|peugeot|polestar|porsche|range rover|renault|saab|skoda|subaru|suzuki|tesla|toyota|vauxhall|volkswagen|volvo",
    r"vw|yamaha|ducati|vespa|harley(?:-davidson)?|corolla|civic|fusca|palio|onix|hb20|corsa|prius|fiesta|kombi)",
)
"""Makes, and models that are called by their own name."""
