"""Grep over HTTP: text and expressions, folded or not, in bounded time, and nothing of the pattern in an error or a log."""

from __future__ import annotations

import logging
import time

import pytest

from tests.integration.people.asking import grep, notes, texts
from tests.support.product import Caller


async def fill(ana: Caller) -> None:
    about = [str(ana.subject_id)]
    await ana.write("Ana mora em São Paulo\nÀs terças rema no lago\nTicket QX-58213", about=about, topic="Casa")
    await ana.write("Ana visitou SAO PAULO em março", about=about, topic="viagem")
    await ana.write("Please call her São", about=about)


async def test_text_is_found_with_its_line_its_topic_and_its_place(ana: Caller) -> None:
    await fill(ana)
    found = await grep(ana, ana.subject_id, "são paulo")
    assert (texts(found), found["matches"], found["searched"], found["truncated"]) == (
        ["Ana visitou SAO PAULO em março", "Ana mora em São Paulo"], 2, 2, False,
    )  # fmt: skip
    assert [(line["line"], line["topic"], line["placement"]) for line in found["lines"]] == [(1, "viagem", "drawer"), (1, "Casa", "drawer")]
    (line,) = (await grep(ana, ana.subject_id, "qx-"))["lines"]
    assert (line["line"], line["text"]) == (3, "Ticket QX-58213")


async def test_without_folding_case_and_accents_count(ana: Caller) -> None:
    await fill(ana)
    assert texts(await grep(ana, ana.subject_id, "São Paulo", fold=False)) == ["Ana mora em São Paulo"]
    assert texts(await grep(ana, ana.subject_id, "são paulo", fold=False)) == []


async def test_front_drawer_or_all_are_looked_through(ana: Caller) -> None:
    await fill(ana)
    assert [(await grep(ana, ana.subject_id, "são", placement=p))["matches"] for p in ("front", "drawer", "all")] == [1, 2, 3]


async def test_an_expression_is_matched_line_by_line(ana: Caller) -> None:
    await fill(ana)
    assert texts(await grep(ana, ana.subject_id, r"^às \w+ rema", regex=True)) == ["Às terças rema no lago"]
    assert texts(await grep(ana, ana.subject_id, r"QX-\d{5}$", regex=True, fold=False)) == ["Ticket QX-58213"]
    assert texts(await grep(ana, ana.subject_id, r"qx-\d{5}$", regex=True, fold=False)) == []
    assert texts(await grep(ana, ana.subject_id, r"\Sã[oa] PAULO", regex=True)) == [
        "Ana visitou SAO PAULO em março",
        "Ana mora em São Paulo",
    ]
    assert texts(await grep(ana, ana.subject_id, "a.b")) == []


async def test_the_limit_cuts_and_says_so(ana: Caller) -> None:
    about = [str(ana.subject_id)]
    await ana.write("\n".join(f"row {n}" for n in range(5)), about=about)
    for limit, truncated in ((4, True), (5, False)):
        found = await grep(ana, ana.subject_id, "row", limit=limit)
        assert (found["matches"], found["truncated"]) == (limit, truncated)
        assert texts(found) == [f"row {n}" for n in range(limit)]


async def test_a_long_line_is_cut_around_its_match(ana: Caller) -> None:
    await ana.write("é" * 4_000 + " needle " + "x" * 4_000, about=[str(ana.subject_id)])
    (text,) = texts(await grep(ana, ana.subject_id, "NEEDLE"))
    assert "needle" in text
    assert (text[0], text[-1], len(text)) == ("…", "…", 302)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}b", "(?:a?){200}a{200}b"])
async def test_a_hostile_expression_ends_in_time(ana: Caller, pattern: str) -> None:
    await ana.write("a" * 10_000 + "!", about=[str(ana.subject_id)])
    begin = time.perf_counter()
    found = await grep(ana, ana.subject_id, pattern, regex=True)
    assert time.perf_counter() - begin < 1
    assert found["lines"] == []


@pytest.mark.parametrize(
    "pattern", ["(zanzibar", "zanzibar{1,9999}", "(zanzibar{0,300}){300}", r"(z)\1", "(?=zanzibar)", " ", "a\nb", "z" * 501, "\\"]
)
async def test_a_pattern_that_is_refused_is_not_repeated(
    ana: Caller, pattern: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        problem = await grep(ana, ana.subject_id, pattern, regex=True, expect=422)
    assert problem["code"] == "invalid_input"
    assert problem["errors"][0]["field"] == "pattern"
    out, err = capfd.readouterr()
    assert "zanzibar" not in str(problem) + caplog.text + out + err


async def test_a_search_leaves_no_word_of_the_pattern_behind(ana: Caller, capfd: pytest.CaptureFixture[str]) -> None:
    await fill(ana)
    for regex in (False, True):
        await grep(ana, ana.subject_id, "zanzibar", regex=regex)
    out, err = capfd.readouterr()
    assert "zanzibar" not in out + err


async def test_personal_data_is_looked_for_as_it_is_stored(ana: Caller) -> None:
    await ana.write("Write to ana@example.com, [not] to the office", about=[str(ana.subject_id)])
    for regex in (False, True):
        (text,) = texts(await grep(ana, ana.subject_id, "write to ana@example.com", regex=regex))
        assert "ana@example.com" not in text


async def test_text_that_looks_like_markdown_stays_in_its_item(ana: Caller) -> None:
    about = [str(ana.subject_id)]
    await ana.write("one\n## Drawer\n<!-- x -->\n- item\n```\n1. one", about=about)
    await ana.write("Ana rows", about=about, topic="a/b")
    text = await notes(ana, ana.subject_id)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [f"# {headings[0][2:]}", "## Front", "## Drawer", "### a/b", "### (no topic)"]
    assert "\n  \\## Drawer\n  \\<!-- x -->\n  \\- item\n  \\`\\`\\`\n  1\\. one\n" in text
    assert await notes(ana, ana.subject_id) == text
