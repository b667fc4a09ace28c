from __future__ import annotations

import pytest

from governance.redaction.digits import stands_apart, windows
from governance.redaction.nearby import LOOK_BACK, kind_of, naming
from governance.redaction.reading import Reading, read
from governance.redaction.vocabulary import NUMBER, OTHER


def kind(marked: str) -> str | None:
    """The kind of the value between « and »."""
    before, value, behind = marked.replace("«", "»").split("»")
    return kind_of(read(before + value + behind), len(before), len(before) + len(value))


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("CPF nº «1»", "cpf"), ("o rg dela é «1»", "rg"), ("HABILITAÇÃO: «1»", "cnh"), ("habilitac\u0327a\u0303o «1»", "cnh"), ("userCpf=«1»", "cpf"), ("cpf«1»", "cpf"), ("CPFs: «1»", "cpf"),
        ("cartão do SUS «1»", "cns"), ("cartão de crédito «1»", "card"), ("social security card «1»", "ssn"), ("c/c «1»", "account"), ("e-mail: «1»", "email"), ("WhatsApp «1»", "phone"),
        ("conta de luz «1»", OTHER), ("order number «1»", OTHER), ("Eric’s number «1»", "phone"), ("o número «1»", NUMBER), ("card number «1»", "card"), ("CPF, número «1»", "cpf"),
        ("RG e CPF: «1»", "cpf"), ("CPF do pedido: «1»", "cpf"), ("CPF e pedido: «1»", OTHER), ("a placa do meu carro é «1»", "plate"), ("nada «1»", None), ("scpf «1»", None), ("cpfx «1»", None),
    ],
)  # fmt: skip
def test_the_nearest_word_before_names_a_value(marked: str, expected: str | None) -> None:
    assert kind(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [("«1» (RG)", "rg"), ("«1» é o RG dela", "rg"), ("«1» is my CPF", "cpf"), ("«1»-Fax", "phone"), ("«1» e o CPF é 2", None), ("«1», CPF 2", None), ("«1» / CPF: 2", None), ("«1» CPF, 2", "cpf"), ("pedido «1» (CPF)", OTHER)],
)  # fmt: skip
def test_a_word_right_behind_names_a_value_that_no_word_before_names(marked: str, expected: str | None) -> None:
    assert kind(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("Perdi o RG. Custou «1»", None), ("RG do Sr. João: «1»", "rg"), ("RG de A. M. Souza: «1»", "rg"), ("qual o RG? «1»", "rg"), ("My card. The number is «1»", "card"), ("RG\n\n«1»", "rg"),
        ("CPF 529.982.247-25 e «1»", "cpf"), ("CPF 529.982.247-25, 390.533.447-05 ou «1»", "cpf"), ("CPF \uffff\uffff\uffff, «1»", "cpf"), ("CPF 529.982.247-25 custou «1»", None), ("CPF 529.982.247-25 «1»", None),
        (f"RG {'x' * (LOOK_BACK - 4)} «1»", "rg"), (f"RG {'x' * LOOK_BACK} «1»", None),
    ],
)  # fmt: skip
def test_a_word_reaches_through_its_sentence_and_its_list(marked: str, expected: str | None) -> None:
    assert kind(marked) == expected


def test_what_a_word_names_is_told_with_the_gap_and_the_word_before() -> None:
    text = read("CPF no contrato nº 1")
    named = naming(text, 19, 20)
    assert named is not None
    assert (named.kind, named.gap, named.further) == ("cpf", " no contrato no ", "cpf")
    named = naming(read("CPF que consta no contrato é 1"), 29, 30)
    assert named is not None
    assert (named.kind, named.further) == (OTHER, "cpf")


def test_a_reading_is_its_text() -> None:
    text = read("Ação é 12")
    assert text == "Ação é 12"
    assert read(text) is text
    assert text.folded == "Acao e 12"
    assert len(Reading("ﬁ é İ ß ’").folded) == len("ﬁ é İ ß ’")
    assert type(text[1:3]) is str


def test_windows_are_whole_groups_of_one_run() -> None:
    found = [(window.digits, window.lengths, window.alone) for window in windows(read("12 34-56, x 1234 56789"), 4)]
    assert found == [("1234", (2, 2), False), ("3456", (2, 2), False), ("1234", (4,), False)]
    assert [window.alone for window in windows(read("a 12.34"), 4)] == [True]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [("a «1» b", True), ("user_«1»_x", True), ("cpf«1»", True), ("«1»。", True), ("abc-«1»", False), ("9f«1»", False), ("fa«1»", False), ("a1b2-«1»", False), ("x9_«1»", False)],
)  # fmt: skip
def test_a_number_stands_apart_unless_it_may_be_part_of_a_code(marked: str, expected: object) -> None:
    before, value, behind = marked.replace("«", "»").split("»")
    assert stands_apart(before + value + behind, len(before), len(before) + len(value)) is expected
