"""What an org says of doubtful writes only makes decisions stricter, whatever it says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import InvalidInput
from governance.inspection.signals import Signal, SignalCode
from governance.policy.decide import decide
from governance.policy.decision import Effect, WriteRequest
from governance.policy.screening import BRAIN_KINDS, EFFECTS, KINDS, LOW_TRUST, ScreeningDocument
from governance.trust import Trust, lower

LEVELS = [level.label for level in Trust]
SCORES = st.floats(0.05, 0.9).map(lambda score: round(score, 2))
PAIRS = st.tuples(SCORES, SCORES).map(lambda pair: {"moderate": min(pair), "high": max(pair)})
LISTED = {"findings": [code.value for code in SignalCode], "kinds": list(KINDS), "brains": list(BRAIN_KINDS)}


def some(name: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(LISTED[name]), min_size=1, max_size=3, unique=True)


RULES = st.fixed_dictionaries(
    {"name": st.from_regex(r"[a-z]{3,12}", fullmatch=True), "effect": st.sampled_from(EFFECTS)},
    optional={
        "findings": some("findings"), "kinds": some("kinds"), "brains": some("brains"),
        "score": SCORES, "trust": st.sampled_from(LEVELS),
    },
)  # fmt: skip
DOCUMENTS = st.builds(
    ScreeningDocument,
    PAIRS | st.just({}),
    st.dictionaries(st.sampled_from(LEVELS), PAIRS, max_size=3),
    st.dictionaries(st.sampled_from(KINDS), PAIRS, max_size=3),
    st.lists(RULES, max_size=4, unique_by=lambda rule: rule["name"]).map(tuple),
    st.none() | st.sampled_from(["none", *LEVELS]),
)
SIGNALS = st.lists(st.builds(Signal, st.sampled_from(SignalCode), st.floats(0, 1), st.just(0), st.just(5)), max_size=3).map(tuple)
REQUESTS = st.builds(
    WriteRequest,
    kind=st.sampled_from(KINDS),
    trust=st.sampled_from(Trust),
    channel=st.just("http"),
    signals=SIGNALS,
    redaction_counts=st.just({}),
    attributed=st.booleans(),
    brain_kind=st.sampled_from(BRAIN_KINDS),
    vouched=st.booleans(),
)


def effect_of(document: ScreeningDocument, request: WriteRequest) -> Effect:
    screening = document.compile()
    asked = replace(request, thresholds=screening.thresholds_for(request.trust, request.kind))
    return decide(asked, screening.rules).effect


@given(DOCUMENTS, REQUESTS, RULES)
def test_another_rule_never_loosens_a_decision(document: ScreeningDocument, request: WriteRequest, rule: dict[str, Any]) -> None:
    more = replace(document, review=(*document.review, {**rule, "name": "another"}))
    assert effect_of(more, request) >= effect_of(document, request)


@given(DOCUMENTS, REQUESTS, st.sampled_from(LEVELS), st.sampled_from(KINDS), PAIRS)
def test_another_threshold_of_a_level_or_kind_never_loosens_a_decision(
    document: ScreeningDocument, request: WriteRequest, level: str, kind: str, pair: dict[str, float]
) -> None:
    if level not in document.by_trust:
        more = replace(document, by_trust={**document.by_trust, level: pair})
        assert effect_of(more, request) >= effect_of(document, request)
    if kind not in document.by_kind:
        more = replace(document, by_kind={**document.by_kind, kind: pair})
        assert effect_of(more, request) >= effect_of(document, request)


@given(DOCUMENTS, REQUESTS, st.sampled_from(Trust))
def test_less_trust_never_loosens_a_decision(document: ScreeningDocument, request: WriteRequest, trust: Trust) -> None:
    assert effect_of(document, replace(request, trust=lower(request.trust, trust))) >= effect_of(document, request)


@given(DOCUMENTS, REQUESTS)
def test_a_plain_attack_is_never_served_whatever_an_org_says(document: ScreeningDocument, request: WriteRequest) -> None:
    attack = replace(request, signals=(Signal(SignalCode.OVERRIDE, 0.95, 0, 5),))
    assert effect_of(document, attack) >= Effect.HOLD


@given(DOCUMENTS)
def test_a_document_is_stored_as_it_is(document: ScreeningDocument) -> None:
    document.check()
    assert ScreeningDocument.from_json(*document.to_json()).compile() == document.compile()


@pytest.mark.parametrize(
    ("trust", "brain", "vouched", "effect"),
    [
        (Trust.WEB, "personal", False, Effect.HOLD),
        (Trust.IMPORTED, "personal", False, Effect.HOLD),
        (Trust.TOOL, "personal", False, Effect.HOLD),
        (Trust.AGENT, "personal", False, Effect.ALLOW),
        (Trust.IMPORTED, "personal", True, Effect.ALLOW),
        (Trust.WEB, "agent", False, Effect.ALLOW),
        (Trust.TOOL, "room", False, Effect.ALLOW),
        (Trust.WEB, "org", False, Effect.ALLOW),
    ],
)
def test_what_strangers_say_is_no_fact_about_a_person_by_default(trust: Trust, brain: str, vouched: bool, effect: Effect) -> None:
    decision = decide(
        WriteRequest("semantic", trust, "http", (), {}, brain_kind=brain, vouched=vouched), ScreeningDocument().compile().rules
    )
    assert decision.effect is effect
    assert [verdict.reason_code for verdict in decision.reasons] == ([LOW_TRUST] if effect is Effect.HOLD else [])


def test_every_condition_of_a_rule_counts() -> None:
    rule = {
        "name": "payments", "effect": "reject", "findings": ["payment_redirection"], "score": 0.3, "trust": "agent",
        "kinds": ["procedural"], "brains": ["team"],
    }  # fmt: skip
    rules = ScreeningDocument(review=(rule,)).compile().rules
    request = WriteRequest("procedural", Trust.AGENT, "http", (Signal(SignalCode.PAYMENT, 0.4, 0, 5),), {}, brain_kind="team")
    decision = decide(request, rules)
    assert (decision.effect, decision.reasons[0].reason_code) == (Effect.REJECT, "policy_payments")
    others: list[dict[str, Any]] = [
        {"kind": "semantic"}, {"trust": Trust.MEMBER}, {"brain_kind": "room"}, {"brain_kind": None},
        {"signals": (Signal(SignalCode.PAYMENT, 0.2, 0, 5),)}, {"signals": (Signal(SignalCode.TOOL, 0.4, 0, 5),)},
    ]  # fmt: skip
    for other in others:
        assert decide(replace(request, **other), rules).effect is Effect.ALLOW, other


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (ScreeningDocument({"moderate": 0.95}), "screening.thresholds"),
        (ScreeningDocument({"moderate": 0.85}), "screening.thresholds"),
        (ScreeningDocument({"low": 0.5}), "screening.thresholds"),
        (ScreeningDocument(by_trust={"stranger": {}}), "screening.by_trust"),
        (ScreeningDocument(by_kind={"procedural": {"high": 0.2}}), "screening.by_kind.procedural"),
        (ScreeningDocument(review=({"name": "Loud", "effect": "hold"},)), "screening.review[0].name"),
        (ScreeningDocument(review=({"name": "quiet", "effect": "allow"},)), "screening.review[0].effect"),
        (ScreeningDocument(review=({"name": "quiet", "effect": "hold", "findings": ["noise"]},)), "screening.review[0].findings"),
        (ScreeningDocument(review=({"name": "quiet", "effect": "hold"},) * 2), "screening.review[1].name"),
        (ScreeningDocument(personal_holds="everybody"), "trust.personal_brains_hold"),
    ],
)
def test_what_is_unknown_or_out_of_range_is_refused(document: ScreeningDocument, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        document.check()
    assert refused.value.field == field
