"""Personal data: what must stay, the cases of known failures, and forms that the tables of the recognizers do not show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from governance.redaction.canonical import canonical
from governance.redaction.entities import BR_CPF, BR_PLATE, EMAIL_ADDRESS, PHONE_NUMBER
from governance.redaction.findings import EntityType, RedactedText
from governance.redaction.recognizers.registry import RECOGNIZERS
from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules

Redact = Callable[[str], RedactedText]
KEY = b"k" * 32

HARMLESS = (
    "trace 110bcd25-a55d-453a-8046-1297901ea002 failed",
    "commit 9f86d081884c7d65, 3eb6f2c585f5e1699204e3c3bdf7adc5c28cb376",
    "MAC 3c:22:fb:10:45:9a",
    "build 2024.11.3, versão 1.2.3-45, v10.0.19045.3693",
    "em 12/05/2026 às 14:30, 2026-05-12T14:30:00Z, 12.05.2026, 12-05-2026",
    "de 2019 a 2024, 2019-2024",
    "R$ 1.234.567,89; US$ 12,345,678.90; 12.345.678 habitantes; 1 234 567 890 euros",
    "order #2025550143, invoice 123456789, pedido nº 12345678901",
    "nota fiscal 000.123.456, NF-e 3524 0511 2223 3300 0181 5500 1000 0001 2310 0000 1230",
    "chave de acesso 35240511222333000181550010000001231000001230",
    "ISBN 978-85-359-0277-8, ISBN 9788535902778",
    "código de barras 7891234567895, EAN 7891000100103",
    "o processo 0001234-56.2025.8.26.0100 foi arquivado",
    "-23.5505199, -46.6333094 e 40.7127753",
    "tracking 9400111899223197428490, código de rastreio AA123456789BR",
    "IMEI 356938035643809",
    "boleto 23793.38128 60000.000003 00000.000400 1 84340000012345",
    "protocolo 20261129001234567",
    "unix 1700000000, 1700000000000",
    "at 10:30 on 2024 11 03 102",
    "1 2 3 4 5 6 7 8 9 10 11 12 13",
    "for i in range(10): x[1234567890] += 0x1234567890",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "550e8400-e29b-41d4-a716-446655440000",
    "SAC 0800 123 4567, 4004-1234, disque 190",
    "look at example dot com, meet me at google.com, see amazon.com",
    "npm i lodash@4.17.21 @types/node icon@2x.png",
    "BR-101 km 245, voo LA3456, sala 301-B",
    "Windows 10.0.19045.3693, chrome 120.0.6099.109",
    "std::vector<int> a; 127.0.0.1 localhost ::1 0.0.0.0",
    "a conta deu 150,50 e a conta de luz 1234567 veio alta",
    "a agência de viagens 2024 fechou; travel agency 1234",
    "o título do livro é 1984; título 2001",
    "o artigo 5º, lei 8.078/1990, lei nº 13.709 de 14.08.2018",
    "CRM 12345, OAB/SP 123.456",
    "12 345 678 people; 299 792 458 m/s; pi 3.14159265358979",
    "R$ 52998224725",
    "o modelo GTX-1080, ISO-9001, ABC1234 é um código; código ABC1D23",
    "comprei o carro em MAR 2024 por R$ 45.000",
    "1-800-FLOWERS",
    "cartão de embarque 12345678",
    "meu CPF é XXX.XXX.XXX-XX",
    "111.111.111-11, 000.000.000-00, CPF 000.000.000-00",
    "10.5281/zenodo.1234567, arXiv:2301.12345",
    "1,2,3,4,5,6,7,8,9,10,11",
    "temperatura 38,5 graus, 1.500 kg, 2.000.000",
    "room 202-555, page 123-456-789",
    "Bitcoin at 65000; 0x52908400098527886E0F7030069857D2E4169EE7 in the log",
    "vol. 12, n. 3, p. 345-378",
    "100-200-3000 range",
    '{"id": 12345678, "ts": 1700000000123, "size": 529982247}',
    "score 3-2, 10-15 minutes, 24/7",
    "part number 123-45-6789",
    "serial 123-45-6789",
    "2024-01-31 12:30:45.123456",
    "13 01 2024 1530",
    "a nota 12345-678 da peça; peça 12345-678",
    "matrícula 123456 no concurso 2024, edital 12/2024",
    "contrato nº 2024/000123-4",
    "o ticket 2025550143 foi fechado",
    "Python 3.11.7, numpy 1.26.4, postgres 18.1",
    "10.0.0.0.1 e 1.3.6.1.4.1.311",
    "ver 1.2.3.4, firmware 4.3.2.1",
    "altura 1,75 m, peso 70,5 kg, CEP não informado",
    "latitude -23.550520 longitude -46.633308",
    "o placar foi 3-2; ABC1234 no placar",
    "meeting at 14:00-15:30 on 2024-05-06, room 12-345",
    "O PIB foi de 10.123.456.789 reais",
    "see RFC 2822 section 3.4.1.2",
    "https://example.com/a/1234567890?b=9876543210",
    "id=7f3e9c1a2b4d5e6f, key=0000-1111",
    "ean 4006381333931 sku 123-456-7890",
    "2024-11-03T10:20:30.123456Z 1699006830",
    "Ele tem 2 filhos e 3 cachorros em 2024",
    "arr = [123, 456, 789, 10, 11]",
    "ação 12345678901234 do lote 98765432109876",
    "NCM 8471.30.12, CFOP 5.102",
    "UTM 23K 333333 7394000",
    "a rua tem 100-200 casas",
    "the order shipped: UPS 1Z999AA10123456784",
    "look at this @ home . it is nice",
    "we met at work. dot com era at its peak",
    "o ponto com mais gente ficou cheio; no ponto de ônibus",
    "liga dos campeões 2023-2024; a liga 1234",
    "contact lens -3.25 -2.75; text 160 characters",
    "answer 42, answers 1234567",
    "visa de turista 2024-2025, american express 1850",
    "o celular custou 2999,90 e o telefone 1.299,00",
    "iPhone 15, Galaxy S24, moto G84, moto 2024",
    "tel aviv 2024-05-06",
    "12345678 é o total; total: 123456789",
    "numero 5551234 do sorteio",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_of_nobody_stay(redact: Redact, text: str) -> None:
    assert redact(text) == RedactedText(text)


# ---------------------------------------------------------------- known failures of others


@pytest.mark.parametrize("joint", ["{}", "id {} end", "'{}'", "/{}/", "x={}&y"])
@pytest.mark.parametrize(
    "value", ["110bcd25-a55d-453a-8046-1297901ea002", "9f86d081884c7d65", "3c:22:fb:10:45:9a", "2024.11.3", "01JD8Z5V7Q9M3N4P5R6S7T8V9W"]
)
def test_b090_parts_of_ids_are_no_numbers(redact: Redact, value: str, joint: str) -> None:
    assert redact(joint.format(value)).redactions == ()


def test_b092_glued_and_repeated_values_get_a_label_each(redact: Redact) -> None:
    assert redact("ana@example.com/+1 202-555-0143/ana@example.com").text == "[EMAIL_1]/[PHONE_1]/[EMAIL_1]"
    assert redact("CPF 529.982.247-25/390.533.447-05;529.982.247-25").text == "CPF [CPF_1]/[CPF_2];[CPF_1]"
    assert redact("a@example.com,b@example.com;c@example.com").text == "[EMAIL_1],[EMAIL_2];[EMAIL_3]"


def test_b093_no_tail_is_left_behind_a_shorter_or_longer_label(redact: Redact) -> None:
    text = "👩\u200d👩\u200d👧 cafe\u0301 RG 12.345.678-9, placa ABC1D23, ag 1234 cc 56789-0, CEP 01310-100, " * 5
    redacted = redact(text).text
    assert re.search(r"\d{3}|ABC", redacted) is None
    assert redacted.count("👩\u200d👩\u200d👧 cafe\u0301 RG [RG_1], placa [PLATE_1]") == 5


@pytest.mark.parametrize("separators", ["..-", "   ", "\u00a0\u00a0\u00a0", "..\u2011", "\n\n\n", "___", "///", "--.", "．．－"])
@pytest.mark.parametrize("digits", ["52998224725", "39053344705", "12345678909"])
def test_b096_check_digits_prove_a_cpf_whatever_stands_between_its_groups(redact: Redact, digits: str, separators: str) -> None:
    value = f"{digits[:3]}{separators[0]}{digits[3:6]}{separators[1]}{digits[6:9]}{separators[2]}{digits[9:]}"
    assert redact(f"Paid by {value} today").text == "Paid by [CPF_1] today"


@pytest.mark.parametrize("value", ["529.982.247-26", "111.111.111-11", "52998224726", "12.ABC.345/01DE-36"])
def test_b096_wrong_check_digits_alone_prove_nothing(redact: Redact, value: str) -> None:
    assert redact(f"the value {value} was read").redactions == ()


CLEAN = (
    "Ana contou que a reunião de 12/05/2026, às 14h30, durou 45 minutos; o orçamento subiu de R$ 1.250,00 para R$ 3.400,50 (172 %) e a versão 2.14.0 sai em maio. "
    "She said the build 2024.11.3 took 12.5 s on 8 cores, page 345 of volume 12; see RFC 2822 section 3.4.1, order 20417 and room 301-B. May met April in Paris, Texas. "
)


def test_b099_long_clean_text_is_untouched(redact: Redact) -> None:
    text = CLEAN * 10
    assert len(text) > 3000
    assert redact(text) == RedactedText(text)


def test_b099_code_is_untouched(redact: Redact) -> None:
    text = "```python\nfor i, row in enumerate(rows[10:2048]):\n    total += row['price'] * 1.0825  # 8.25 %\n    if i % 1000 == 0: log(f'{i:>8} {total:.2f}')\nMASK = 0xDEADBEEF & 4294967295\n```"
    assert redact(text) == RedactedText(text)


# ---------------------------------------------------------------- one value, one token


@pytest.mark.parametrize(
    ("entity", "values"),
    [
        (EMAIL_ADDRESS, ["ana.silva@example.com", "Ana.Silva@Example.com", "ana ponto silva arroba example ponto com", "ana dot silva at example dot com", "ana.silva [at] example [dot] com", "ana.silva @ example . com", "ana.silva%40example.com"]),
        (PHONE_NUMBER, ["+55 11 98765-4321", "(11) 98765-4321", "011 98765 4321", "11987654321", "+55(11)98765-4321", "0055 11 98765-4321"]),
        (BR_CPF, ["529.982.247-25", "52998224725", "529 982 247\n25", "５２９.９８２.２４７-２５"]),
        (BR_PLATE, ["ABC-1234", "ABC1234", "abc 1234"]),
    ],
)  # fmt: skip
def test_spellings_of_one_value_have_one_canonical_form(entity: EntityType, values: list[str]) -> None:
    assert len({canonical(entity, value) for value in values}) == 1


def test_the_key_of_a_json_number_names_it(redactor: Redactor) -> None:
    value = {
        "cpf": 1234567890,
        "rg": "123456789",
        "plate": "ABC1D23",
        "zip": "01310-100",
        "userPhone": "33334444",
        "orderId": 12345678901,
        "bank": {"agencia": "1234", "conta": "56789-0"},
    }
    redacted = redactor.redact_json(value, rules=RedactionRules(), key=KEY, field="data")
    assert redacted.value == {
        "cpf": "[CPF_1]", "rg": "[RG_1]", "plate": "[PLATE_1]", "zip": "[CEP_1]", "userPhone": "[PHONE_1]", "orderId": 12345678901, "bank": {"agencia": "[BANK_AGENCY_1]", "conta": "[BANK_ACCOUNT_1]"},
    }  # fmt: skip


# ---------------------------------------------------------------- no pattern can explode

MODULES = ("digits", "domains", "named", "nearby", "normalise", "phone_numbers", *(f"recognizers.{name}" for name in (
    "bank_account", "br_documents", "card", "cep", "cpf_cnpj", "crypto", "email", "email_spoken", "iban", "ip", "phone", "pix_key", "plate", "rg", "ssn",
)))  # fmt: skip
PATTERN = type(re.compile(""))


def patterns(module: ModuleType) -> Iterator[re.Pattern[str]]:
    for value in vars(module).values():
        if isinstance(value, type):
            continue
        if isinstance(value, PATTERN):
            yield value
        for owner in (value, *getattr(value, "patterns", ())):
            regex = owner[0] if isinstance(owner, tuple) else getattr(owner, "regex", None)
            if isinstance(regex, PATTERN):
                yield regex


def unbounded(tree: Any, *, inside: bool = False) -> bool:
    """Tell whether an unbounded repeat stands inside another one, in what `re._parser.parse` returns."""
    if isinstance(tree, (list, tuple)):
        operation = str(tree[0]) if len(tree) == 2 and not isinstance(tree[0], (list, tuple)) else ""
        if operation.endswith("REPEAT"):
            repeats = str(tree[1][1]) == "MAXREPEAT"
            return (repeats and inside) or unbounded(list(tree[1][2]), inside=inside or repeats)
        return any(unbounded(list(part) if hasattr(part, "data") else part, inside=inside) for part in tree)
    return unbounded(list(tree), inside=inside) if hasattr(tree, "data") else False


def test_no_repeat_without_bound_stands_inside_another() -> None:
    parse = import_module("re._parser").parse
    assert unbounded(list(parse("(?:a+b?)*")))
    seen = [pattern for name in MODULES for pattern in patterns(import_module(f"governance.redaction.{name}"))]
    assert len(seen) > 50
    assert [pattern.pattern for pattern in seen if unbounded(list(parse(pattern.pattern, pattern.flags)))] == []


def test_every_recognizer_of_personal_data_has_its_own_name() -> None:
    names = [recognizer.name for recognizer in RECOGNIZERS]
    assert len(names) == len(set(names))
