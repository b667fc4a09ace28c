"""Words before a statement that say nothing of it: "btw", "so", "lembrando que"; and a time that stands before it."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re

from memdb.extraction.rules.reading import Sentence
from memdb.extraction.rules.vocabulary import one_of
from memdb.text.times import find_times

_EN = one_of(
    r"and also but well ok okay oh ah btw fyi hey hi anyway anyways actually yes yeah yep yup because cause plus|by the way|for the record|just so you know|heads up|please remember that|please remember|remember that|remember",
    r"please note that|note that|note|reminder|important|sorry|and for me|as for me|for me|unfortunately|in fact|sadly|honestly|personally|same here|me too|for context|quick note|one more thing|full disclosure|now",
)
_PT = one_of(
    r"e mas oi oie olha alias entao gente pessoal bom é sim isso pq porque pois tipo ah opa agora|lembra que|lembrem que|lembrando que|lembra|anota ai que|anota ai|anota que|anota|anotem|pra ficar registrado|importante",
    r"ah importante|aviso|lembrete|aproveitando o assunto|aproveitando|infelizmente|na verdade|na vdd|outra coisa|so pra avisar|so avisando|pra constar|por sinal|inclusive|hoje em dia|é que|sobre isso",
)


def _words(listed: str) -> list[str]:
    single, *phrases = listed.split("|")
    return [*phrases, *single.split()]


_LEAD = re.compile(
    r"(?:(?:so(?! (?:posso|atendo|consigo|respondo|estou|to)\b)|since(?! (?:[a-z]+ )?(?:19|20)\d\d\b)|"
    + "|".join(sorted(map(re.escape, [*_words(_EN), *_words(_PT)]), key=len, reverse=True))
    + r")(?![\w'é])[\s,:!.…-]{0,4}){1,4}"
)
_AFTER_TIME = re.compile(r"[\s,]{1,3}(?:(?:e|and) )?")


_SINCE = re.compile(r"(?P<time>(?:since|desde) (?:[a-z]+ (?:de )?)?(?:19|20)\d\d),? ")
"""A time from which on holds what the clause states."""


def after_lead(plain: str, start: int) -> int:
    """Where the statement of a clause begins."""
    lead = _LEAD.match(plain, start)
    return start if lead is None else lead.end()


def leading_time(sentence: Sentence, at: int) -> tuple[int, str] | None:
    """Where the statement begins behind a time that a clause begins with, and that time as written; None without one."""
    head = sentence.shown[at : at + 60]
    since = _SINCE.match(sentence.plain, at)
    if since is not None:
        return since.end(), sentence.shown[at : since.end("time")]
    mentions = find_times(head, "und", sentence.utterance.said_at)
    if not mentions or mentions[0].start > 4 or head[: mentions[0].start].strip().lower() not in {"", "on", "em", "no", "na", "dia"}:
        return None
    gap = _AFTER_TIME.match(sentence.plain, at + mentions[0].end)
    return None if gap is None else (gap.end(), head[: mentions[0].end])
