from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import InvalidInput
from governance.inspection.signals import Signal, SignalCode
from governance.policy.decide import decide
from governance.policy.decision import Effect, Verdict, WriteRequest
from governance.policy.rules import RULES, Rule
from governance.trust import Trust, lower, lowest

KINDS = ["semantic", "episodic", "procedural", "taxonomic", "working"]
SIGNALS = st.builds(Signal, st.sampled_from(SignalCode), st.floats(0, 1), st.just(0), st.just(5))
REQUESTS = st.builds(
    WriteRequest, st.sampled_from(KINDS), st.sampled_from(Trust), st.just("http"), st.lists(SIGNALS, max_size=3).map(tuple), st.just({})
)
VERDICTS = st.none() | st.builds(Verdict, st.sampled_from(Effect), st.sampled_from(["a", "b"]), st.just("why"))


def request(score: float, trust: Trust, kind: str = "semantic") -> WriteRequest:
    return WriteRequest(kind, trust, "http", (Signal(SignalCode.OVERRIDE, score, 0, 5),), {})


def always(verdict: Verdict | None) -> Rule:
    return lambda _request: verdict


@pytest.mark.parametrize(
    ("score", "trust", "kind", "effect"),
    [
        (0.4, Trust.WEB, "semantic", Effect.ALLOW),
        (0.5, Trust.WEB, "semantic", Effect.HOLD),
        (0.7, Trust.IMPORTED, "semantic", Effect.HOLD),
        (0.7, Trust.TOOL, "episodic", Effect.HOLD),
        (0.7, Trust.AGENT, "semantic", Effect.FLAG),
        (0.7, Trust.AGENT, "procedural", Effect.HOLD),
        (0.7, Trust.MEMBER, "procedural", Effect.FLAG),
        (0.9, Trust.MEMBER, "semantic", Effect.HOLD),
        (0.9, Trust.ADMIN, "working", Effect.HOLD),
    ],
)
def test_the_first_rules(score: float, trust: Trust, kind: str, effect: Effect) -> None:
    assert decide(request(score, trust, kind)).effect is effect


def test_a_write_without_signals_is_allowed_without_reasons() -> None:
    decision = decide(WriteRequest("semantic", Trust.WEB, "http", (), {}))
    assert (decision.effect, decision.reasons) == (Effect.ALLOW, ())


def test_reasons_come_strictest_first_and_ties_in_the_order_of_the_rules() -> None:
    flag, first, second = Verdict(Effect.FLAG, "f", ""), Verdict(Effect.HOLD, "h1", ""), Verdict(Effect.HOLD, "h2", "")
    decision = decide(request(0, Trust.WEB), [always(flag), always(first), always(None), always(second)])
    assert decision.reasons == (first, second, flag)


@given(REQUESTS, st.lists(VERDICTS, max_size=5), VERDICTS, st.randoms())
def test_another_rule_never_loosens_and_order_means_nothing(
    req: WriteRequest, verdicts: list[Verdict | None], extra: Verdict | None, random: object
) -> None:
    rules = [*RULES, *map(always, verdicts)]
    more = [*rules, always(extra)]
    before, after = decide(req, rules), decide(req, more)
    assert after.effect >= before.effect
    random.shuffle(more)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert decide(req, more).effect is after.effect


@given(REQUESTS, st.sampled_from(Trust))
def test_less_trust_never_loosens(req: WriteRequest, trust: Trust) -> None:
    less = WriteRequest(req.kind, lower(req.trust, trust), req.channel, req.signals, req.redaction_counts)
    assert decide(less).effect >= decide(req).effect


@given(REQUESTS, SIGNALS)
def test_another_signal_never_loosens(req: WriteRequest, signal: Signal) -> None:
    assert decide(replace(req, signals=(*req.signals, signal))).effect >= decide(req).effect


def test_a_failing_rule_crosses() -> None:
    def broken(_request: WriteRequest) -> Verdict | None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        decide(request(0, Trust.ADMIN), [broken])


@given(st.sampled_from(Trust), st.none() | st.sampled_from(Trust))
def test_a_claim_never_raises_trust(base: Trust, claimed: Trust | None) -> None:
    assert lower(base, claimed) <= base
    assert lower(base, claimed) == min(base, base if claimed is None else claimed)


@given(st.lists(st.sampled_from(Trust)))
def test_derived_trust_is_the_lowest_of_its_sources(levels: list[Trust]) -> None:
    assert all(lowest(levels) <= level for level in levels)
    assert lowest([]) is Trust.WEB


def test_labels_round_trip_and_unknown_ones_are_refused() -> None:
    assert [Trust.parse(level.label) for level in Trust] == list(Trust)
    assert Trust.WEB < Trust.IMPORTED < Trust.TOOL < Trust.AGENT < Trust.MEMBER < Trust.ADMIN
    with pytest.raises(InvalidInput):
        Trust.parse("root")
