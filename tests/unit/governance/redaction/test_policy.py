"""Redaction policies: brains over org over defaults, the strictest of several, and the same again from their stored form."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import InvalidInput
from governance.policy.document import PolicyDocument
from governance.redaction.entities import CREDIT_CARD, EMAIL_ADDRESS, ENTITIES, PHONE_NUMBER
from governance.redaction.findings import Action
from governance.redaction.policy import RedactionPolicy

ONE, TWO, OTHER = UUID(int=1), UUID(int=2), UUID(int=3)
open_entities = sorted(str(entity) for entity, spec in ENTITIES.items() if not spec.secret and str(entity) not in {"DATE_TIME", "URL"})
some_actions = st.dictionaries(st.sampled_from(open_entities), st.sampled_from([a.value for a in Action]), max_size=5)


def test_a_brain_starts_from_its_org_and_the_org_from_the_defaults() -> None:
    policy = PolicyDocument({"EMAIL_ADDRESS": "mask"}, {ONE: {"PHONE_NUMBER": "keep"}}).compile(3).redaction
    assert policy.version == 3
    assert policy.rules_for(ONE).action(EMAIL_ADDRESS) is Action.MASK
    assert policy.rules_for(ONE).action(PHONE_NUMBER) is Action.KEEP
    assert policy.rules_for(OTHER).action(PHONE_NUMBER) is ENTITIES[PHONE_NUMBER].default
    assert policy.rules_for(OTHER).action(CREDIT_CARD) is ENTITIES[CREDIT_CARD].default


def test_a_question_is_treated_as_the_strictest_brain_would() -> None:
    policy = (
        PolicyDocument({"EMAIL_ADDRESS": "keep"}, {ONE: {"EMAIL_ADDRESS": "mask"}, TWO: {"EMAIL_ADDRESS": "replace"}}).compile(1).redaction
    )
    found = {
        brains: policy.strictest(brains).action(EMAIL_ADDRESS).value for brains in [(), (OTHER,), (OTHER, ONE), (ONE, TWO), (TWO, OTHER)]
    }
    assert list(found.values()) == ["keep", "keep", "mask", "replace", "replace"]


def test_of_brains_without_rules_of_their_own_nothing_is_compared() -> None:
    policy = RedactionPolicy()
    assert policy.strictest([uuid4() for _ in range(10_000)]) is policy.rules


@pytest.mark.parametrize("brains", [{}, {ONE: {"API_KEY": "keep"}}])
def test_secrets_stay_replaced(brains: dict[UUID, dict[str, str]]) -> None:
    with pytest.raises(InvalidInput, match="is a secret"):
        PolicyDocument({} if brains else {"PASSWORD": "mask"}, brains).check()


def test_a_stored_document_of_another_release_fails_nobody_and_loosens_nothing() -> None:
    stored = PolicyDocument(
        {"NO_SUCH_TYPE": "keep", "PASSWORD": "keep", "DATE_TIME": "replace", "EMAIL_ADDRESS": "blur", "PHONE_NUMBER": "mask"},
        {ONE: {"API_KEY": "mask", "EMAIL_ADDRESS": "keep"}},
    )
    policy = stored.compile(7).redaction
    assert policy.rules.action(PHONE_NUMBER) is Action.MASK
    assert {str(e) for e, spec in ENTITIES.items() if policy.rules.action(e) is not spec.default} == {"PHONE_NUMBER"}
    assert {str(e) for e, a in policy.rules_for(ONE).actions.items() if a is not policy.rules.action(e)} == {"EMAIL_ADDRESS"}
    with pytest.raises(InvalidInput):
        stored.check()


@given(some_actions, st.dictionaries(st.uuids(), some_actions, max_size=4))
def test_the_stored_form_says_the_same(actions: dict[str, str], brains: dict[UUID, dict[str, str]]) -> None:
    document = PolicyDocument(actions, brains)
    again = PolicyDocument.from_json(json.loads(json.dumps(document.to_json())))
    assert again == document
    for brain, own in brains.items():
        expected = {**{str(e): s.default.value for e, s in ENTITIES.items()}, **actions, **own}
        assert {str(e): a.value for e, a in again.compile(1).redaction.rules_for(brain).actions.items()} == expected
