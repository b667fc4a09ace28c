"""The card of a subject: whatever its front, it keeps the caps and the budget, and counts all that it does not show."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.policy.memory_rules import MemoryRules
from governance.scopes import readable_by
from memdb.ids import make_id
from memdb.lifecycle.conflicts import Conflict, Side
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.models.memory import Memory, Placement
from memdb.storage.conflicts import ConflictReason
from memdb.text.tokens import count_tokens
from retrieval.front import Drawer, Known
from retrieval.people.card import compose_card
from retrieval.people.folder import Folder
from retrieval.standing import Entry
from tests.support.memories import NOW, make_memory_value, make_principal

ANA = make_id()


def standing(memories: list[Memory]) -> list[Entry]:
    return [Entry(memory, freshness_of(memory, NOW, MemoryRules())) for memory in memories]


FOLDER = Folder(ANA, frozenset({ANA}), "Ana", readable_by(make_principal(), {}))
CALL = f"POST /v1/subjects/{ANA}/drawer:grep"


def known(front: list[Memory], *, inside: int = 0, more: int = 0, broken: int = 0) -> Known:
    """Of `more` the front has no ids in reach, of `broken` ids that are not shown."""
    drawer = Drawer(ANA, None, inside, ("work",), NOW - timedelta(days=3), FOLDER.members) if inside else None
    ids = tuple(m.id for m in front) + tuple(make_id() for _ in range(broken))
    return Known(ids, len(ids) + more, NOW if ids or more else None, drawer)


def at_front(content: str, **changes: object) -> Memory:
    return make_memory_value(content, placement=Placement.FRONT, about=(ANA,), **changes)


contents = st.lists(st.one_of(st.text(min_size=1, max_size=200), st.sampled_from(["call her Ana", "x\n# y\n- z", "é" * 300])), max_size=14)


@settings(max_examples=60, deadline=None)
@given(
    contents,
    st.integers(0, 20),
    st.integers(0, 3),
    st.integers(0, 2),
    st.integers(1, 12),
    st.integers(1, 900),
    st.none() | st.integers(1, 400),
)
def test_a_card_keeps_its_caps_and_its_budget_and_counts_the_rest(
    front: list[str], inside: int, more: int, broken: int, entries: int, characters: int, budget: int | None
) -> None:
    rules = MemoryRules(front_entries=entries, front_characters=characters)
    shown = [at_front(content) for content in front]
    card = compose_card(FOLDER, known(shown, inside=inside, more=more, broken=broken), standing(shown), rules, budget)
    assert len(card.entries) <= entries
    assert sum(len(e.memory.content) for e in card.entries) <= characters
    assert budget is None or card.tokens <= budget
    assert card.tokens == (count_tokens(card.text) if card.text else 0)
    assert {e.memory.id for e in card.entries} <= {m.id for m in shown}
    left = len(front) - len(card.entries) + more
    assert (0 if card.drawer is None else card.drawer.count) == inside + left
    assert (0 if card.drawer is None else card.drawer.overflow) == left
    if card.text and card.drawer is not None:
        assert CALL in card.text.splitlines()[-1]


@given(contents)
def test_no_memory_can_pass_for_a_line_of_the_card(front: list[str]) -> None:
    shown = [at_front(content) for content in front]
    card = compose_card(FOLDER, known(shown), standing(shown), MemoryRules(front_entries=50, front_characters=8_000), None)
    lines = card.text.splitlines()
    assert sum(line.startswith("- ") for line in lines) == len(front)
    assert all(line.startswith(("- ", "  ")) for line in lines[1:])


def test_the_newest_that_fit_are_shown_and_a_shorter_one_behind_a_long_one_too() -> None:
    shown = [at_front("call her Ana"), at_front("x" * 100), at_front("no emoji")]
    card = compose_card(FOLDER, known(shown), standing(shown), MemoryRules(front_characters=100), None)
    assert [e.memory.content for e in card.entries] == ["call her Ana", "no emoji"]
    assert card.text.splitlines()[-1].endswith(f'{CALL} (1 of them from the front: "placement": "all")')


def test_what_is_not_fresh_says_so() -> None:
    shown = [at_front("call her Ana", confirmed_at=NOW - timedelta(days=500))]
    card = compose_card(FOLDER, known(shown), standing(shown), MemoryRules(), None)
    assert (card.entries[0].freshness, card.text) == (Freshness.STALE, "To keep in mind about Ana:\n- call her Ana (stale)")


def test_what_is_contested_says_so_with_the_other_side() -> None:
    shown = [at_front("call her Ana")]
    side = Side(make_id(), 1, "call her\nAnita", ANA, "tests", NOW)
    contested = Entry(shown[0], Freshness.FRESH, Conflict((ConflictReason.REPORTED,), NOW, (side,), 2))
    card = compose_card(FOLDER, known(shown), [contested], MemoryRules(), None)
    assert card.text.splitlines()[1] == "- call her Ana (contested, the other side: “call her Anita” and 2 more)"


def test_the_last_change_is_that_of_what_is_not_shown() -> None:
    shown = [at_front("call her Ana")]
    card = compose_card(FOLDER, known(shown, inside=2), standing(shown), MemoryRules(), None)
    assert card.drawer is not None
    assert card.drawer.changed_at == NOW - timedelta(days=3)
    cut = compose_card(FOLDER, known(shown, inside=2), standing(shown), MemoryRules(front_characters=5), None)
    assert cut.drawer is not None
    assert cut.drawer.changed_at == NOW


def test_a_name_takes_one_line() -> None:
    folder = Folder(ANA, frozenset({ANA}), "Ana\n# Bruno", FOLDER.scope)
    shown = [at_front("no emoji")]
    card = compose_card(folder, known(shown, inside=1), standing(shown), MemoryRules(), None)
    assert [line.split(":")[0] for line in card.text.splitlines()] == [
        "To keep in mind about Ana # Bruno",
        "- no emoji",
        "More about Ana # Bruno",
    ]
