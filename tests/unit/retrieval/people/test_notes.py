"""The folder as Markdown: in one order, byte for byte the same, and no content can leave its list item."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from governance.policy.memory_rules import MemoryRules
from governance.scopes import readable_by
from memdb.ids import make_id
from memdb.lifecycle.freshness import freshness_of
from memdb.models.memory import Memory, Placement
from retrieval.people.folder import Contents, Folder
from retrieval.people.notes import MARK, write_notes
from retrieval.standing import Entry
from tests.support.memories import NOW, make_memory_value, make_principal

ANA = make_id()
SCOPE = readable_by(make_principal(), {})


def folder(*memories: Memory, labels: tuple[str, ...] = (), name: str | None = "Ana", more: bool = False) -> Contents:
    entries = tuple(Entry(memory, freshness_of(memory, NOW, MemoryRules())) for memory in memories)
    return Contents(Folder(ANA, frozenset({ANA}), name, SCOPE), labels, entries, more)


def write(contents: Contents) -> str:
    return write_notes(contents)


hostile = st.lists(
    st.sampled_from(["# x", "## Front", "---", "===", "```", "~~~", "<!--", "-->", "<script>", "> q", "- i", "* i", "+ i", "1. n", "2) n", "    code", "\t# x", "[a]: b", "|a|", "\\# x", "\\<b>", "a", ""]),
    min_size=1, max_size=6,
)  # fmt: skip
breaks = st.sampled_from(["\n", "\r\n", "\r", "\u2028", "\x0b", "\x85"])


@given(st.lists(hostile, min_size=1, max_size=4), breaks, st.sampled_from([None, "a/b", "# Front\n## x", "<b>"]))
def test_no_content_leaves_its_item(said: list[list[str]], line_break: str, topic: str | None) -> None:
    memories = [make_memory_value(line_break.join(lines), topic=topic) for lines in said]
    text = write(folder(*memories, name="Ana\n# Bruno", labels=("x\n# y",)))
    lines = text.splitlines()
    assert [line for line in lines if line.startswith("#")][:3] == ["# Ana \\# Bruno", "## Front", "## Drawer"]
    assert sum(line.startswith("#") for line in lines) == (3 if topic is None else 4)
    assert sum(line.startswith("- ") for line in lines) == len(said)
    marks = {f"  <!-- {memory.id} -->" for memory in memories}
    for line in lines[lines.index("## Drawer") + 1 :]:
        assert line == "" or line.startswith(("- ", "  ", "### "))
        if line.startswith("  ") and line not in marks:
            assert line[2] not in " \t#>-+*=|~[_`<"
            assert not line[2:].split(".")[0].isdigit()
            assert "<" not in line.replace("\\\\", "").replace("\\<", "")


def test_front_then_topics_in_order_then_the_rest() -> None:
    memories = [
        make_memory_value("no topic"),
        make_memory_value("of work", topic="Work"),
        make_memory_value("call her Ana", placement=Placement.FRONT, topic="zoo"),
        make_memory_value("of art", topic="art", version=3, confirmed_at=NOW - timedelta(days=200)),
        make_memory_value("more of work", topic="work"),
    ]
    a, b, c, d, e = (memory.id for memory in memories)
    assert write(folder(*memories, labels=("Aninha", "Nana"), more=True)) == (
        f"{MARK}{ANA}, memories: 5 -->\n# Ana\n\nAlso known as: Aninha, Nana\n\n## Front\n\n"
        f"- 2026-03-02, fresh, version 1: call her Ana\n  <!-- {c} -->\n\n## Drawer\n\n### art\n\n"
        f"- 2026-03-02, aging, version 3: of art\n  <!-- {d} -->\n\n### work\n\n"
        f"- 2026-03-02, fresh, version 1: of work\n  <!-- {b} -->\n- 2026-03-02, fresh, version 1: more of work\n  <!-- {e} -->\n\n"
        f"### (no topic)\n\n- 2026-03-02, fresh, version 1: no topic\n  <!-- {a} -->\n\n"
        "There are older memories that are not listed.\n"
    )


def test_an_empty_folder_is_a_whole_page() -> None:
    assert write(folder(name=None)) == f"{MARK}{ANA}, memories: 0 -->\n# {ANA}\n\n## Front\n\n## Drawer\n"
