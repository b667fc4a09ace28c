"""Capitalised words that are no names: what begins sentences, calendars, institutions, law, products; lower case, without accents."""

from __future__ import annotations

from typing import Final

from spacy.lang.en.stop_words import STOP_WORDS as ENGLISH_STOP_WORDS
from spacy.lang.pt.stop_words import STOP_WORDS as PORTUGUESE_STOP_WORDS

from governance.redaction.names.folding import folded


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH: Final = frozenset(folded(word) for word in ENGLISH_STOP_WORDS) | {"i", "i'm", "it's", "what's"}
PORTUGUESE: Final = frozenset(folded(word) for word in PORTUGUESE_STOP_WORDS) | _words("e o a os as do da de em um uma cpf art lei que")
"""Function words, by which the language of a text is told."""

CALENDAR: Final = _words(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun spring summer autumn winter christmas easter
    halloween thanksgiving ramadan hanukkah today tomorrow yesterday
    janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro fev set out dez segunda segunda-feira terca
    terca-feira quarta quarta-feira quinta quinta-feira sexta sexta-feira sabado domingo pascoa carnaval natal hoje amanha ontem
    """
)

LANGUAGES: Final = _words(
    """
    english french german spanish portuguese italian dutch russian chinese japanese korean arabic hebrew hindi greek turkish polish czech
    danish swedish norwegian finnish hungarian romanian ukrainian vietnamese thai latin american british european african asian brazilian
    canadian mexican australian indian irish scottish welsh christian jewish muslim catholic buddhist hindu internet
    ingles inglesa frances alemao alema espanhol portugues portuguesa italiano italiana russo chines japones coreano arabe hebraico grego
    turco polones brasileiro brasileira brasileiros brasileiras americano americana europeu europeia africano catolico judeu islamico
    """
)

EVERYDAY: Final = _words(
    """
    accept accepted according account action add address admin advisory after again agent agreed all allow almost already also
    alternatively although always amazing
    and android another answer anyone anything anyway api app apparently apple application apr are art article ask asked assistant
    attach attached avoid awesome back
    bad based basic because before best better between big birthday block blog book both bot box brand bring budget bug build business
    but button buy bye
    call called can cancel capitalized card care case cash change check checked choose city class clean clear click client close code
    coffee come
    comment common company complete conclusion confirm congratulations consider contact continue cool copy corner cost could country
    course create created credit
    critical current customer daily data database date day dear debit decide decision default delete deploy deployed describe design
    despite detail details devil did different
    dinner disclaimer discipline discuss dispatch display doctor document does dog done double download draft drive drop due during
    each early easy eat edit
    eight either else email end enjoy enough enter error especially estimated even ever every everyone everything example excellent
    except exciting excuse exactly expires explain export
    extra fact fair fall family fantastic fax feature feel few file final finally find fine first five fix fixed focus follow food for
    forget form
    former four free fresh from full fun further game get gift give given glad god going good great green group guess guide guys had half
    happy hard has have having hello help hence her here hey hi high him his history hold holiday home hope hot hotel hour how however
    html http https
    idea if image imagine important in include incredible indeed info information inside instead interesting into invalid is issue it
    item its job join just
    keep key kind know large last late later learn least leave left legal less let lets letter level life light like likely limit line
    link list little live
    local location log login long look looking looks lost lot love low lunch made mail main make man manager many market master matter
    maybe me meaning meanwhile
    meet meeting meeting memory mention menu message metal middle might mind minute miss mission mobile model modern moment money
    month monthly more morning moreover mortgage
    most mother move movie much music must my name near need net never new news next nice night nine no nobody non none nope nor not
    note nothing notice
    now number obviously occupation of off offer office often oh ok okay old on once one online only onto open option or order
    original other otherwise our out over own
    page paid paper parent part party pass passport patient pay payment people perfect perhaps person phone photo pick picture place
    plan play please plus pm point policy
    possible post power prefer present press price private probably problem procedure process product profile program project promise
    proof public pull push put python
    question questions quick quite rather reach read ready real really reason recent recently record red reference regarding register
    related release remember remind remove
    reply report request required reset response rest result return review right road room rule run safe said same save say says
    schedule school score sea
    search season second secret secretary section security see seem select send sent server service set setting seven several shall
    share she ship shop short should show
    sign signed similar simple simply since sir six size skip small so social software some somebody someone something sometimes song
    soon sorry sort sound source south southern
    speak special specific staff stage standard start started state statement status stay still stock stop store story street strong
    student stuff style subject such
    suddenly suggest suite summary super support suppose sure surely surprise switch system table take taken talk task tax team tell
    ten term terms test text
    than thank thanks that the their them then there therefore these they thing things think third this those though three through
    thus ticket till time tip title
    to together token tone too top topic total toward track trade training travel treat tribute tried trip true truly trust try turn
    two type ugh under understand union
    unfortunately unit unlike until up update upon us use used useful user users using usually value various version very via video
    view visit vote wait walk want
    war was watch water way we weather web website week weekend welcome well were what whatever when whenever where whether which
    while white who whole whom
    whose why wife will window wine wireless wisdom wish with within without woman wonder word work working world worry would wow
    write wrong year years yep yes yet
    you young your yours yourself zero zip
    yeah yup nah nope congrats haha hahaha lol woah whoa woohoo wow yum oof ooh ooo btw anytime bummer definitely absolutely totally
    lately actually
    sounds lots tons hang bet cheers sweet dude bro sis folks guys man men women girls boys kids pets dogs cats animals plants trees
    nature words movies
    songs books pictures photos pics painting family friends hugs kisses yay yikes hmm huh eh ah aw aww dang damn omg fyi asap diy rn
    tbh imo
    abaixo abra acabei acesso acho acima acordo adicione agencia agenda agora ah ai ainda alem alguem algum alguma ali alias amanha
    amigo amiga ano anos anota antes ao aos apartamento apenas
    aperte app apos aqui arquivo as assim assunto ate atencao atenciosamente atendimento atualize aula aviso avise banco bem boa boas
    boleto bom bora busca cada cade cadastro caro cara cartao casa caso cep
    certo chama chave chegou cidade cliente claro coloca colocamos com combinado comigo como comprei comprovante confirma confirmado
    conforme consegue consulta conta contato contrato copie correto cpf cnpj cria
    cuidado cuide da dado dados das de deixa deixe depois deposita desculpa desculpe desde despesa dia dias disse diz do documento doi
    dois dona dos e ela ele eles elas em email empresa
    empresas encontro endereco enquanto entao entendi entrada entre entrega enviado envia envie era escola escreva essa esse esta
    estamos estao estava este estou eu evento existe faca fala falar falei
    faltou favor faz fazer feito feliz ficou fiz foi foram forma fornecedor foto galera gastei gente gostaria gosto grande grupo ha
    haja historico hora horario horas ideia importante info
    informe inicio inscricao isso isto ja jantar junto la lembra lembre lembrete liga ligue lista logo login loja lugar mae maioria
    mais manda mande manha mas me medico meia melhor
    mensagem mes mesa mesmo meta meu meus minha minhas moro mora morador muita muito muitos na nada nao nas nasci nascimento nem
    nenhum nessa nesse nesta neste ninguem no noite nome nos nossa
    nosso nota nova novo nunca numero obrigado obrigada observacao oi ola onde ontem opa orcamento ou outra outro pagamento pai pais
    para parabens parece parte passa pedido pega pela pelo pergunta pessoa pessoal
    pode podem por porque portanto porem pra prazo precisa precisamos preciso prezado prezada preco primeiro principal problema
    processo produto professor professora projeto protocolo prova proxima proximo qual
    qualquer quando quanto quarto que quem quer quero quase rapaz realmente receita recebi registro relatorio remetente resposta
    resumo reuniao rg rua saiu salve se segue segundo seja sem
    sempre senha senao ser sera servico servidor setor seu seus sim site so sob sobre solicito sou sua suas tal talvez tambem tarde
    tarefa te tel telefone tem temos tenho ter teve tive titular
    todo todos todas total trabalho tres tudo um uma umas uns usuario vai vaga valor vamos veja vem ver verdade vez viagem vida vou
    voce voces vi zap
    """
)

LAW: Final = _words(
    """
    acordao acordaos acordam acao acoes agravo agravante agravado administracao administrativa administrativo advogado ajuizamento
    alegacao amparo anexo apelacao apelante apelado apelo apurado arguicao artigo assinado ato atos
    ausencia auto autos autor autora autoridade autoria autorizacao camara capital capitulo carta cartorio caso causa certidao
    certificado chefe ciencia circunscricao cite civel civil classe clausula codigo colegiado
    comarca comissao companhia competencia compete composicao conclusao concurso conselho conselheiro constitucional constituicao
    contas corte credito crime criminal cumpre data decisao declara decreto defensor defensoria defesa
    delegacia delegado demanda denuncia departamento deputado desembargador desembargadora despacho diario direito direitos direta
    diretor disposicao distrital distrito dispositivo documento doutor doutora doutrina efeito egregia egregio eleitoral
    eleitorado embargante embargado embargos ementa ensino estadual estado estados estatuto examinados excelencia excelentissimo
    excelentissima execucao executivo expediente extraordinario fazenda federal federacao federais fiscal fls fundacao fundamentacao
    fundo gabinete
    garantia geral governador governo guarda habeas habitacao honra ilegalidade impetrado impetrante imposto improcedente impugnacao
    incidente inciso inconstitucionalidade indice infancia inicial inquerito instancia
    instituicao instituto instrucao instrumento intime inteiro interno interessado interesse internacional juiz juiza juizado juizo
    julgado julgador julgamento junta juridica juridico jurisprudencia jurisdicao juri justica legislacao legislativa legislativo lei
    leis liminar mandado mandato materia matricula medida mediante mensagem merito militar militares ministerio ministra ministro
    ministros moral municipal municipio municipios nacional negativa norma normas nulidade numero oficial orcamento
    ordem ordinaria ordinario organica orgao originaria paciente pagina parecer parlamentar parte partido patrimonio pecas pedido pena
    penal plenario pleno poder poderes policia portaria posto praticas preliminar preliminares prescricao
    presidencia presidente previdencia previdenciaria previdenciario primeira privado procedente processo processual procuracao
    procurador procuradora procuradoria promotor promotoria prova publica publicacao publicas publico publicos quarta queixa quinta
    razoes reclamacao
    reclamante recorrente recorrido recurso recursos reexame regiao regime regimental regimento registro regularidade relator relatora
    relatorio remessa renda repercussao republica requerente requerido reexame reserva resolucao responsabilidade resultado revisor
    revisora salario sao seara secao secretaria secretario segredo seguranca segunda senado senador senhor senhora senhores sentenca
    servicos sessao sindicato social sociedade solicitacao subprocurador sumula superior supremo suplementar
    suspensao suspeicao tema terceira territorio territorios testemunha titulo trabalho tramitacao transito tribunal tribunais
    tributario turma uniao unanime unidade unificada universidade vara vencimento verbis vereador vice vigencia virtual vista voto
    votos vogal votacao zona
    matricula cargo carreira certifico cedula cinge codigos coisa contrarrazoes convencao conhecido data decido deliberacao desprovido
    dje djf dou edicao efetivo eletronica eletronicamente elementos evidencia extinto fato fatos figura garantias
    hipotese improvido incide incabivel instancias irdr licao local mantida mora motivo na nego nesse obs oficio omissao paradigma
    penas portador precedente precedentes prejudicado prejuizo provido provimento questao rejeitados req reu rol sobrevindo
    trata-se trecho usina utilidade infraestrutura estrutura especial vencido vice-presidente
    """
)

INSTITUTIONS: Final = _words(
    """
    inc inc. ltd ltd. ltda ltda. llc plc corp corp. corporation company co co. gmbh s.a. s/a sa me epp eireli mei cia cia. group grupo
    holding holdings industries partners associates associados filhos sons
    bank banco university universidade college school escola faculdade hospital clinic clinica institute instituto foundation fundacao
    association associacao ministry ministerio department departamento agency agencia
    tribunal corte court supremo superior senado senate congress congresso camara council conselho committee comite comissao
    secretaria procuradoria defensoria justica policia police army exercito marinha igreja church museum museu
    orchestra orquestra band banda club clube team party partido union sindicato federation federacao league liga airlines airways
    motors systems software technologies technology labs studio studios records media times news journal magazine
    restaurant restaurante cafe hotel store loja shop supermercado mercado pharmacy farmacia center centre centro project projeto
    award awards prize festival cup copa act treaty article amendment constitution constituicao
    google microsoft apple amazon facebook meta instagram whatsapp twitter linkedin youtube netflix spotify uber airbnb paypal ebay
    tesla samsung sony nintendo playstation xbox ibm intel nvidia oracle cisco adobe slack zoom github gitlab
    bitwarden postgres postgresql mysql redis mongodb docker kubernetes linux ubuntu debian windows macos ios android chrome firefox
    safari python javascript typescript java rust django flask react angular kafka rabbitmq terraform jenkins
    openai anthropic claude chatgpt gpt gemini copilot llama mistral notion jira confluence trello asana figma stripe shopify visa
    mastercard amex nubank itau bradesco santander caixa pix inter picpay petrobras embraer
    vale natura magalu ifood nike adidas coca-cola pepsi starbucks ikea lego disney marvel harry-potter spotify wikipedia reddit
    tiktok telegram signal excel word powerpoint outlook gmail dropbox
    fbi cia nasa nato un onu ue eu who oms fifa uefa nba nfl bbc cnn nyt usp unicamp ufrj puc fgv ibge inss sus stf stj tse tst trf
    tjsp oab anvisa anatel detran procon receita correios
    """
)

STREETS: Final = _words(
    """
    street st st. road rd rd. avenue ave ave. boulevard blvd blvd. lane ln ln. drive dr way court place square plaza highway hwy
    parkway alley terrace crescent gardens park bridge gateway route suite apt apt. apartment floor box zip
    rua r. avenida av av. travessa alameda praca rodovia estrada largo viela quadra lote bloco conjunto vila jardim parque residencial
    chacara sitio fazenda setor condominio edificio bairro km
    """
)

ORDINARY: Final = (ENGLISH | PORTUGUESE | CALENDAR | LANGUAGES | EVERYDAY | LAW) - frozenset(
    {"maria", "jose", "joao", "mark", "rose", "grace"}
)
