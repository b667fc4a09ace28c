# ruff: noqa: E501 - a row of words broken over lines reads worse
"""The words that name a number in Portuguese and English, folded: lower case, no accents, signs between words left out.

To add a kind: one row here, one recognizer that asks `nearby.naming` for it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHER: Final = "other"
"""Names of numbers that are nobody's. They keep a number from being taken for what a word further away says."""

NUMBER: Final = "number"


def _words(row: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in row.split(", "))


_KINDS: Final = {
    "cpf": _words("cpf, cpfs, cpf mf, cadastro de pessoa fisica, cadastro de pessoas fisicas, taxpayer id, taxpayer number, taxpayer registry"),
    "cnpj": _words("cnpj, cnpjs, cnpj mf, cadastro nacional da pessoa juridica, cadastro nacional de pessoa juridica, cadastro nacional de pessoas juridicas"),
    "rg": _words("rg, rgs, registro geral, carteira de identidade, cedula de identidade, documento de identidade, numero de identidade, numero da identidade, identidade, identity card, identity document, identity number, id card, id number, id no, national id, national id number"),
    "cnh": _words("cnh, cnhs, habilitacao, carteira nacional de habilitacao, carteira de habilitacao, carta de habilitacao, numero da habilitacao, carteira de motorista, carta de motorista, driver s license, driver s licence, drivers license, drivers licence, driver license, driver licence, driver s license number, driver license number, driving license, driving licence"),
    "nis": _words("pis, nis, nit, pasep, pis pasep, pis nis, nis pis, pis nit, pis pasep nit, pis pasep nis, nis pis pasep, nit pis pasep, numero de identificacao social, numero de inscricao do trabalhador, inscricao no inss, inscricao do inss"),
    "cns": _words("cns, sus, cartao sus, cartao do sus, cartoes do sus, carteira do sus, carteirinha do sus, numero do sus, cadastro do sus, cartao nacional de saude, cartao nacional da saude, cartao de saude, carteira nacional de saude, cartao cidadao, health card"),
    "voter": _words("titulo, titulo eleitoral, titulo de eleitor, titulo de eleitora, titulos de eleitor, titulo do eleitor, inscricao eleitoral, numero de eleitor, numero do titulo, voter id, voter number, voter card, voter registration, voter s registration, voter registration number, electoral id, electoral number"),
    "card": _words("card, cards, credit card, debit card, bank card, payment card, card number, cartao, cartoes, cartao de credito, cartao de debito, numero do cartao, ccn, visa, mastercard, master card, amex, american express, hipercard, diners, diners club"),
    # A credit card in English, a current account in Portuguese.
    "cc": _words("cc"),
    "cep": _words("cep, ceps, codigo postal, codigos postais, codigo de enderecamento postal, zip, zip code, zipcode, zip codes, postcode, post code, postal code"),
    "plate": _words("placa, placas, placa do carro, placa da moto, placa do veiculo, plate, plates, license plate, licence plate, license plates, number plate, registration plate, plate number, license plate number, emplacado, emplacada, emplacamento"),
    "vehicle": _words("carro, carros, moto, motos, motocicleta, veiculo, veiculos, caminhao, caminhoes, caminhonete, furgao, onibus, automovel, automoveis, uber, taxi, car, cars, vehicle, vehicles, truck, trucks, pickup, motorbike, motorcycle, renavam, detran, multa, multas, multado, multada, estacionado, estacionada, estacionamento, parking, parked, garagem, garage"),
    "agency": _words("agencia, ag, agency number, bank agency, branch number, branch code, bank branch, sort code, routing number"),
    "account": _words("conta, contas, conta corrente, conta poupanca, conta salario, conta bancaria, conta de pagamento, conta digital, conta pj, conta pf, numero da conta, poupanca, dados bancarios, bank details, c c, c p, cta, account, account number, account no, account num, bank account, checking account, savings account, bank account number, acct, acct no, acct number"),
    "ssn": _words("ssn, ssns, social security, social security number, social security no, social security card, social insurance, social insurance number"),
    "iban": _words("iban, ibans"),
    "pix": _words("pix, chave pix, chave aleatoria, chaves aleatorias, evp"),
    "email": _words("email, emails, e mail, e mails, mail, correio, correio eletronico"),
    "phone": _words("phone, phones, phone number, phone no, telephone, telephone number, mobile, mobile number, cell, cells, cellphone, cell phone, cell number, tel, telefone, telefones, numero de telefone, celular, celulares, numero do celular, cel, fone, fones, whatsapp, whats app, whats, wpp, wa me, zap, zapzap, telegram, fax, sms, ramal, hotline, disque, discar, dial, dialed, dialled, dialing, dialling, landline, s number, s cell, my number, his number, her number, their number, our number, your number, my new number, his new number, her new number, their new number, my old number, contact number, ddd, numero novo, novo numero, meu novo numero, numero de contato, numero para contato, numero pra contato, meu numero, seu numero, numero dele, numero dela"),
    # These announce a phone, and other numbers as well.
    "call": _words("call, calls, called, calling, ring, text, texts, text me, reach, reached, answer, answers, answered, answering, message, messages, contact, contato, contatos, mensagem, mensagens, ligar, ligue, liga, ligou, liguem, ligando, retornar, recado, atende, atender, atendeu, chama, chame, chamar, falar com, fala com, desk, office, pager, emergencia, emergency"),
    # The number of what was named before, of a phone else.
    NUMBER: _words("number, numbers, numero, numeros"),
    OTHER: _words("conta de luz, conta de agua, conta de gas, conta de energia, conta de telefone, conta de internet, codigo de barras, codigo de barra, codigo de rastreio, codigo de rastreamento, codigo de verificacao, codigo de erro, placa de video, placa grafica, placa mae, placa de rede, placa de som, placa solar, placas solares, placa de transito, order number, order no, order id, invoice number, invoice no, serial number, serial no, tracking number, tracking code, part number, model number, reference number, confirmation number, ticket number, case number, batch number, lot number, flight number, protocol number, numero do pedido, numero de protocolo, numero do protocolo, numero do processo, numero da nota, numero de serie, numero do lote, numero do contrato, numero do boleto, numero da fatura, pedido, pedidos, encomenda, encomendas, protocolo, protocolos, processo, processos, autos, nota fiscal, notas fiscais, nf, nf e, nfe, nfse, danfe, order, orders, invoice, invoices, receipt, receipts, fatura, faturas, boleto, boletos, ticket, tickets, chamado, chamados, codigo, codigos, code, codes, rastreio, rastreamento, tracking, isbn, issn, ean, gtin, imei, serie, series, serial, sku, lote, lotes, batch, version, versions, versao, versoes, commit, commits, build, builds, release, hash, hashes, uuid, uuids, id, ids, lei, leis, artigo, artigos, decreto, decretos, portaria, contrato, contratos, contract, contracts, apolice, apolices, matricula, matriculas, case, cases, docket, ref, refs, referencia, reference, references, transacao, transacoes, transaction, transactions, coordenada, coordenadas, coordinate, coordinates, latitude, longitude, preco, precos, price, prices, valor, valores, total, populacao, population, patente, patent, concurso, edital, inscricao, sessao, session, request, trace, doi, modelo, model, peca, pecas, produto, produtos, product, products, km"),
}  # fmt: skip


def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """First word to the phrases that begin with it, longest first; an earlier kind wins over a later one."""
    by_first: dict[str, dict[tuple[str, ...], str]] = {}
    for kind, row in _KINDS.items():
        for words in row:
            by_first.setdefault(words[0], {}).setdefault(words, kind)
    return {first: tuple(sorted(found.items(), key=lambda item: -len(item[0]))) for first, found in by_first.items()}


PHRASES: Final[Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]] = MappingProxyType(_phrases())
"""First word of a phrase to (words of the phrase, kind), longest phrase first."""
