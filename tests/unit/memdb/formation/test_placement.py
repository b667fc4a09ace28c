"""What is offered the front of a card, in both languages, and what only sounds like it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.formation.placement import DETAIL, Proposal, propose
from memdb.formation.placement_words import HINTS, PATTERNS
from memdb.models.memory import Kind, Placement

FRONT = (
    ("address", "Please call me Bia"),
    ("address", "Marco wants to be called Doc"),
    ("address", "Theodora goes by Teddy"),
    ("address", "Never call her Lizzie"),
    ("address", "Sam's pronouns are they/them"),
    ("address", "O Rodrigo prefere ser chamado de Digo"),
    ("address", "Pode me chamar de Lu"),
    ("address", "A dona Célia quer ser tratada por senhora"),
    ("address", "Usa o nome social Helena"),
    ("tone", "Ivy prefers short answers"),
    ("tone", "Please reply to Omar in Portuguese"),
    ("tone", "Greta hates emoji"),
    ("tone", "Yuri doesn't like small talk"),
    ("tone", "Keep messages brief with Noor"),
    ("tone", "O Davi gosta de respostas curtas"),
    ("tone", "Responder curto para a Rita"),
    ("tone", "Mensagens sem emoji para o chefe"),
    ("tone", "A Laís não gosta de áudio"),
    ("tone", "Falar devagar com o seu Nelson"),
    ("contact_hours", "Never call Ivy before 9"),
    ("contact_hours", "Omar only answers messages after 18:00"),
    ("contact_hours", "Greta is available from 8am to noon"),
    ("contact_hours", "Do not disturb Noor on Sundays"),
    ("contact_hours", "Não ligar para a Rita depois das 22h"),
    ("contact_hours", "O Davi só responde a partir das 10h"),
    ("contact_hours", "Não mandar mensagem para a Laís no fim de semana"),
    ("allergy", "Ivy is allergic to shellfish"),
    ("allergy", "Omar has a severe nut allergy"),
    ("allergy", "Noor is lactose intolerant"),
    ("allergy", "Greta carries an EpiPen"),
    ("allergy", "O Davi é alérgico a camarão"),
    ("allergy", "A Rita tem alergia a penicilina"),
    ("allergy", "A Laís é celíaca"),
    ("allergy", "O Nelson é intolerante à lactose"),
    ("medical", "Omar is diabetic"),
    ("medical", "Ivy must not take ibuprofen"),
    ("medical", "O Davi tem asma"),
    ("medical", "A Rita não pode tomar anti-inflamatório"),
    ("diet", "Greta is vegetarian"),
    ("diet", "Noor does not drink alcohol"),
    ("diet", "Yuri never eats pork"),
    ("diet", "Ivy needs gluten-free meals"),
    ("diet", "A Laís não bebe álcool"),
    ("diet", "O Davi é vegano desde 2019"),
    ("diet", "A Rita não come carne vermelha"),
    ("diet", "O Nelson come tudo sem glúten"),
    ("accessibility", "Omar uses a wheelchair"),
    ("accessibility", "Greta is deaf in the left ear"),
    ("accessibility", "Ivy is colour-blind"),
    ("accessibility", "Noor needs captions in every video"),
    ("accessibility", "O Davi é daltônico"),
    ("accessibility", "A Rita usa leitor de tela"),
    ("accessibility", "O Nelson tem baixa visão"),
    ("safety", "The old freezer is a shock hazard"),
    ("safety", "Always wear goggles in the grinding room"),
    ("safety", "Never share Ivy's address with anybody"),
    ("safety", "Em caso de incêndio, sair pela escada B"),
    ("safety", "Nunca deixar o bebê sozinho na varanda"),
    ("safety", "Usar o laser sem ninguém olhar: risco de queimadura"),
    ("protection", "Payments above 500 always need approval from two people"),
    ("protection", "Never store patient names in the shared sheet"),
    ("protection", "Nunca fazer Pix sem confirmar por telefone"),
    ("protection", "Todo reembolso precisa de aprovação da Carla: nenhum pagamento sem assinatura"),
)
DRAWER = (
    "Ana is planning a trip to the Allergy Conference",
    "Ivy is not allergic to anything",
    "Omar has no allergies",
    "Is Greta allergic to cats?",
    "Noor used to be vegetarian",
    "Yuri recommended a vegan restaurant",
    "Call me back tomorrow",
    "Ivy asked to be called at 5",
    "Omar goes by train",
    "The call goes to Greta before the release",
    "Greta is allergic to meetings",
    "Noor is on a blind date on Friday",
    "The demo is moved to 14:00",
    "Yuri pays the rent on the 5th",
    "Ivy bought a tone generator",
    "Omar likes to eat out",
    "Never call Ivy before 9 today",
    "The vegan festival is in May",
    "Greta answers the phone at the front desk",
    "Noor works on the payments service",
    "A Rita não é alérgica a nada",
    "O Davi já foi vegetariano",
    "A Laís vai ao congresso de alergia em maio",
    "O Nelson abriu um chamado de suporte",
    "Ligar para a Rita amanhã cedo",
    "O Davi marcou um jantar na sexta",
    "A Laís indicou um restaurante vegano",
    "O Nelson mudou de casa em março",
    "A Rita não come fora durante a semana",
    "Davi, você é alérgico a gato?",
    "O projeto usa Postgres e fila por tópico",
    "A Laís chamou de volta depois do almoço",
)


@pytest.mark.parametrize(("reason", "text"), FRONT, ids=[text for _, text in FRONT])
def test_what_must_be_kept_in_mind_is_offered_the_front(reason: str, text: str) -> None:
    assert propose(Kind.SEMANTIC, text, None, (), about=True) == Proposal(Placement.FRONT, reason)


@pytest.mark.parametrize("text", DRAWER)
def test_plans_events_denials_and_mere_words_go_to_the_drawer(text: str) -> None:
    assert propose(Kind.SEMANTIC, text, None, (), about=True) == Proposal(Placement.DRAWER, DETAIL)


@pytest.mark.parametrize("kind", [Kind.EPISODIC, Kind.WORKING])
def test_events_and_working_notes_are_details(kind: Kind) -> None:
    assert propose(kind, "Ivy is allergic to shellfish", None, (), about=True) == Proposal(Placement.DRAWER, DETAIL)


def test_what_is_about_nobody_has_no_card() -> None:
    assert propose(Kind.SEMANTIC, "Ivy is allergic to shellfish", "allergies", ("allergy",), about=False) == Proposal(
        Placement.DRAWER, DETAIL
    )


@pytest.mark.parametrize(
    ("text", "topic", "tags", "reason"),
    [
        ("Shellfish: two trips to the ward so far", "health/Allergies", (), "allergy"),
        ("Shellfish", None, ("alergia",), "allergy"),
        ("Doctor", "people/ivy/form-of-address", (), "address"),
        ("Ivy is going to the Allergy Conference", None, ("allergy",), DETAIL),
        ("Consulta com o alergista dia 12/08", "saude/alergias", (), DETAIL),
        ("Shellfish?", None, ("allergy",), DETAIL),
        ("Shellfish", "allergies/research", (), DETAIL),
    ],
)
def test_a_topic_or_tag_speaks_for_the_front_unless_the_text_is_a_plan(
    text: str, topic: str | None, tags: tuple[str, ...], reason: str
) -> None:
    assert propose(Kind.SEMANTIC, text, topic, tags, about=True).reason == reason


def test_what_can_hurt_stays_at_the_front_on_a_given_day() -> None:
    assert propose(Kind.SEMANTIC, "Nothing with nuts today: Ivy is allergic to them", None, (), about=True).reason == "allergy"


def test_reasons_of_hints_are_reasons_of_patterns() -> None:
    assert set(HINTS.values()) <= {reason for reason, _ in PATTERNS}


@given(st.text(max_size=400), st.sampled_from(Kind), st.booleans())
def test_it_answers_for_any_text(text: str, kind: Kind, about: bool) -> None:
    proposal = propose(kind, text, None, (), about=about)
    assert (proposal.placement is Placement.DRAWER) == (proposal.reason == DETAIL)
    assert about or proposal.placement is Placement.DRAWER


def test_a_long_text_is_a_detail() -> None:
    assert propose(Kind.SEMANTIC, "Ivy is allergic to shellfish. " * 30, None, (), about=True).reason == DETAIL


def test_hostile_text_is_read_in_time() -> None:
    texts = (
        "never " * 2_700,
        "nao come " * 60,
        "prefers very short, and " * 25,
        "is a b c d " * 50,
        "never payment " * 42,
        "so pode ligar " * 42,
    )
    begin = time.process_time()
    for text in texts:
        propose(Kind.SEMANTIC, text, None, (), about=True)
    assert time.process_time() - begin < 1
