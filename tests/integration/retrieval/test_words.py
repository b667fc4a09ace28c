"""Questions by their words: punctuation, stop words, scripts without spaces, accents, code points."""

from __future__ import annotations

import pytest

from tests.support.product import Caller, Json

WORDS: Json = {"weights": {"lexical": 1}}

ODD = [
    "foo:bar", "what's C++ & node.js: \"x\"", "a &", "'", '"', "(", "!!!", "<->", "*", "\\", ":*", "don't", "50% off", "https://a.example/?x=1&y=2",
    "(" * 10_000, "🙂", "a | b", "!a", "a:*b", "' OR 1=1 --", "\\'", "{}", "$1", ":query", "%s", "tell me about Lisbon",
]  # fmt: skip


async def test_ordinary_punctuation_is_no_error_and_finds_what_it_surrounds(ana: Caller) -> None:
    await ana.write("Lisbon sells C++ books at 50% off, don't wait")
    for query in ODD:
        reply = await ana.client.post("/v1/memories/search", json={"query": query}, headers=ana.headers)
        # A question without a letter, digit or pictograph asks nothing.
        assert reply.status_code in ({200} if any(c.isalnum() or c == "🙂" for c in query) else {422}), query
        if reply.status_code == 200:
            assert reply.json()["degraded"] == [], query
    for query in ("C++", "50% off", "don't wait", "(Lisbon)", "what's in 'Lisbon'?", "lisbon & books"):
        assert len(await ana.found(query, **WORDS)) == 1, query


async def test_a_question_of_stop_words_finds_no_words_rather_than_everything(ana: Caller) -> None:
    for content in ("Will likes tea", "Don plays chess", "May lives in Faro", "An sings"):
        await ana.write(content)
    for query in ("who am I", "what did he do to me", "to be or not to be", "the", "WHO AM I"):
        assert await ana.found(query, **WORDS) == [], query
        assert (await ana.search(query))["degraded"] == []
    assert await ana.found("Will", **WORDS) == ["Will likes tea"]
    assert await ana.found("Don", **WORDS) == ["Don plays chess"]
    assert await ana.found("does May live here?", **WORDS) == ["May lives in Faro"]


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\u200b", "…", "\u2800"])
async def test_an_empty_question_is_refused(anyone: Caller, query: str) -> None:
    problem = await anyone.search(query, expect=422)
    assert (problem["code"], problem["errors"][0]["field"]) == ("invalid_input", "query")


async def test_scripts_without_spaces_are_found_and_only_where_they_stand(ana: Caller) -> None:
    texts = {
        "乌龙茶": "他喜欢在上海喝乌龙茶",
        "ラーメン": "昨日は東京でラーメンを食べた",
        "김밥": "오늘 부산에서 김밥을 만들었다",
        "ข้าวผัด": "ผู้ใช้ชอบกินข้าวผัด",
    }
    for content in texts.values():
        await ana.write(content)
    for query, content in texts.items():
        assert await ana.found(query, **WORDS) == [content]


async def test_accents_do_not_matter_and_are_kept_for_display(ana: Caller) -> None:
    accented, plain = "Reunião com João em São Paulo sobre manutenção", "Encontro com Jose sobre informacao"
    await ana.write(accented)
    await ana.write(plain)
    assert (await ana.found("joao sao paulo manutencao", **WORDS))[0] == accented
    assert (await ana.found("José informação", **WORDS))[0] == plain
    assert (await ana.found("JOÃO", **WORDS)) == [accented]


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Ana likes caf\u00e9", "cafe\u0301"),
        ("Ana likes cafe\u0301", "caf\u00e9"),
        ("The code is ＡＢＣ１２３", "abc123"),
        ("The code is abc123", "ＡＢＣ１２３"),
        ("Mar\u200bcela sings", "Marcela"),
        ("İzmir is warm", "izmir"),
        ("محـــمد lives here", "محمد"),
        ("The word is \u202egnirts\u202c", "gnirts"),
        ("Straße is long", "STRASSE"),
    ],
)
async def test_one_word_in_other_code_points_is_the_same_word(ana: Caller, content: str, query: str) -> None:
    receipt = await ana.write(content)
    assert await ana.found_ids(query, **WORDS) == [receipt["id"]]
    assert (await ana.read(receipt["id"]))["content"] == content


async def test_parts_of_an_identifier_and_the_whole_are_found(ana: Caller) -> None:
    await ana.write("trace 110bcd25-a55d-453a-8046-1297901ea002 failed in build 2024.11.3")
    for query in ("110bcd25-a55d-453a-8046-1297901ea002", "2024.11.3"):
        assert len(await ana.found(query, **WORDS)) == 1, query


async def test_the_rarer_word_wins_and_matched_words_are_told(ana: Caller) -> None:
    for n in range(5):
        await ana.write(f"The service number {n} restarts at night", "episodic")
    await ana.write("The gateway service restarts", "episodic")
    best = (await ana.search("which gateway service?", **WORDS, min_score=0.0))["evidence"][0]
    assert best["memory"]["content"] == "The gateway service restarts"
    assert set(best["branches"]["lexical"]["terms"]) == {"gateway", "service"}
    assert best["branches"]["lexical"]["rank"] == 1


async def test_words_of_the_turns_before_find_a_turn_and_are_not_shown_as_its_own(ana: Caller) -> None:
    ids = []
    for position, text in enumerate(["Which harbour do the ferries leave from?", "From Setúbal, at nine", "Let us buy bread"]):
        source = {"episode": {"external_id": "chat-1"}, "position": position, "text": text}
        ids.append((await ana.write(text, "episodic", source=source))["id"])
    hits = (await ana.search("ferries harbour", weights={"lexical": 1}, min_score=0.0))["evidence"]
    assert [h["memory"]["id"] for h in hits][:2] == ids[:2], "the answer stands behind its question"
    assert set(hits[0]["branches"]["lexical"]["terms"]) == {"ferries", "harbour"}
    assert hits[1]["branches"]["lexical"]["terms"] is None
    alone = await ana.write("Nine ferries left", "episodic")
    best = (await ana.search("nine ferries", weights={"lexical": 1}, min_score=0.0))["evidence"][0]
    assert best["memory"]["id"] == alone["id"]
