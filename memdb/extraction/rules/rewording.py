"""Ways of saying that something goes on, has begun, or is somebody's, put as the plain statement that rules know.

"I've been living in Porto" is read as "I live in Porto", "virei vegana" as "sou vegana", "a filha do Bruno se chama Júlia" as Bruno's own
"minha filha se chama Júlia". Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memdb.extraction.rules.vocabulary import DUTY_PT
from memdb.text.times import find_times

if TYPE_CHECKING:
    from uuid import UUID

    from memdb.extraction.rules.subjects import Subjects

_BASE: Final = {
    "living": "live", "working": "work", "playing": "play", "practising": "practise", "practicing": "practice", "studying": "study",
    "learning": "learn", "teaching": "teach", "using": "use", "running": "run", "managing": "manage", "leading": "lead", "taking": "take",
    "volunteering": "volunteer", "speaking": "speak", "drinking": "drink", "smoking": "smoke",
}  # fmt: skip
_TAIL: Final = r"(?P<tail>[^,;:!?()\n]{0,120})"
_HELD: Final = r"(?=[^,;:!?()\n]{0,100}? (?:for|since) )"
"""Without it, "I've been working on Saturdays" may be over."""
_STATE: Final = r"(?=an? |(?:happily )?married|vegan|vegetarian|diabetic|engaged|single|divorced|allergic)"
_DIET: Final = r"(?=(?:an? )?(?:vegan|vegetarian|pescatarian)\b)"
_JUST: Final = r"(?:just |recently )?"
_ANY_MORE: Final = r" (?:any ?more|any longer)\b"
_EN: Final = tuple(
    (re.compile(f"{first} {rest}{_TAIL}"), re.compile(f"{third} {rest}{_TAIL}"), form)
    for first, third, rest, form in (
        (r"(?:i've|i have|ive) been", " has been", rf"(?P<ing>{'|'.join(_BASE)})\b{_HELD}", "ing"),
        (r"(?:i've|i have|ive) been", " has been", f"{_STATE}{_HELD}", "be"),
        (
            rf"i(?:'ve)? {_JUST}(?:stopped|quit|gave up|given up)",
            rf" {_JUST}(?:stopped|quit|gave up)",
            r"(?P<ing>eating|drinking)\b",
            "not",
        ),
        (r"i no longer", " no longer", r"(?P<ing>eat|drink)s?\b", "not"),
        (r"i (?:don't|do not|dont)", " (?:doesn't|does not)", rf"(?P<ing>eat|drink)\b(?=[^,;:!?()\n]{{0,40}}{_ANY_MORE})", "not"),
        (rf"i(?:'ve)? {_JUST}(?:became|become|turned|went)", rf" {_JUST}(?:became|turned|went)", _DIET, "began"),
    )
)
STILL: Final = re.compile(_ANY_MORE)
_PT_BASE: Final = {
    "morando": ("moro", "mora"), "trabalhando": ("trabalho", "trabalha"), "trampando": ("trabalho", "trabalha"),
    "estudando": ("estudo", "estuda"), "namorando": ("namoro", "namora"), "tomando": ("tomo", "toma"), "fazendo": ("faco", "faz"),
}  # fmt: skip
_PT_AGAIN: Final = {"morar": ("moro", "mora"), "trabalhar": ("trabalho", "trabalha"), "fumar": ("fumo", "fuma")}
_PT_GOES_ON: Final = re.compile(
    rf"(?:eu )?(?:(?:ainda|ja|agora|hoje) )?(?:estou|to|esta|ta|venho|vem|continuo|continua) (?P<ing>{'|'.join(_PT_BASE)})\b{_TAIL}"
)
_PT_RETURNED: Final = re.compile(rf"(?:eu )?(?:voltei|voltou|vim|veio|passei|passou) (?:a )?(?P<verb>{'|'.join(_PT_AGAIN)})\b{_TAIL}")
_PT_BECAME: Final = re.compile(
    rf"(?:eu )?(?:virei|virou|me tornei|se tornou)\b(?= (?:vegan|vegetarian|sindic|coordenador|gerente|chefe)){_TAIL}"
)
_PT_STOPPED: Final = re.compile(rf"(?:eu )?(?:parei|deixei|parou|deixou) de (?P<verb>comer|beber)\b{_TAIL}")
_PT_NO_MORE: Final = re.compile(r"(?:eu )?(?:ja )?nao (?P<verb>como|bebo|come|bebe|tomo|toma) mais\b(?P<tail>[^,;:!?()\n]{0,120})")
_PT_DENIED: Final = {"comer": ("como", "come"), "beber": ("bebo", "bebe")}
_PLACE_NAMED: Final = re.compile(r" (?:n[oa]|em|pr[oa]|para [oa]) [A-ZÀ-Ý]")
_CARED: Final = re.compile(
    rf"(?:quem (?P<does>{DUTY_PT} [^,;:!?()\n]{{2,50}}?)|(?:o|a) (?P<is>responsavel pel[oa]s? [^,;:!?()\n]{{2,40}}?)) é (?:o |a )?"
)
_JOINT: Final = re.compile(r" (?:in|on|since|em|n[ao]|desde|dia)\s*$", re.IGNORECASE)
_OWNED: Final = re.compile(r"(?:o|a) (?P<thing>[a-z]+(?: (?:favorit|preferid)[oa])?) d[oae] ")


@dataclass(frozen=True, slots=True)
class Reworded:
    """A clause as a plain statement, without case and as written, from its verb on.

    began: a time in it is when it began. when: that time, where the clause ends with it, and then it is in neither form.
    """

    plain: str = field(repr=False)
    shown: str = field(repr=False)
    began: bool = False
    when: str | None = None


def reword(plain: str, shown: str, at: int, *, third: bool) -> Reworded | None:
    """The clause as the plain statement of what goes on or has begun; None when it says nothing like that.

    Args:
        plain, shown: of a sentence.
        at: where the clause begins, or, with `third`, where the name of its subject ends.
    """
    for first, other, form in _EN:
        match = (other if third else first).match(plain, at)
        if match is not None:
            return _joined(_english_front(match, form, third=third), match, plain, shown, began=form in {"began", "not"})
    start = at + 1 if third and plain[at : at + 1] == " " else at
    return _portuguese(plain, shown, start, third=third)


def _english_front(match: re.Match[str], form: str, *, third: bool) -> str:
    if form == "not":
        verb = match["ing"].removesuffix("ing")
        return f" does not {verb}" if third else f"i do not {verb}"
    if form != "ing":
        return " is " if third else "i am "
    base = _BASE[match["ing"]]
    if not third:
        return f"i {base}"
    return " studies" if base == "study" else f" {base}es" if base == "teach" else f" {base}s"


def _portuguese(plain: str, shown: str, start: int, *, third: bool) -> Reworded | None:
    lead = " " if third else ""
    match = _PT_GOES_ON.match(plain, start)
    if match is not None:
        if match["ing"].startswith("tra") and _PLACE_NAMED.match(shown, match.start("tail")) is None:
            return None  # "tô trabalhando na planilha" names no employer
        return _joined(lead + _PT_BASE[match["ing"]][third], match, plain, shown)
    match = _PT_RETURNED.match(plain, start)
    if match is not None:
        return _joined(lead + _PT_AGAIN[match["verb"]][third], match, plain, shown, began=True)
    match = _PT_STOPPED.match(plain, start)
    if match is not None:
        return _joined(f"{lead}nao {_PT_DENIED[match['verb']][third]}", match, plain, shown, began=True)
    match = _PT_NO_MORE.match(plain, start)
    if match is not None:
        return _joined(f"{lead}nao {match['verb']}", match, plain, shown, began=True)
    match = _PT_BECAME.match(plain, start)
    return None if match is None else _joined(" é" if third else "sou", match, plain, shown, began=True)


def owned_by(plain: str, shown: str, at: int, subjects: Subjects) -> tuple[str, str, UUID] | None:
    """Portuguese for what is somebody's, as if that one spoke of it: both forms of the clause, and who; None where nobody is named."""
    match = _OWNED.match(plain, at)
    one = None if match is None else subjects.one_at(plain, match.end())
    if match is None or one is None:
        return None
    thing = slice(*match.span("thing"))
    return f"meu {plain[thing]}{plain[one[1] :]}", f"meu {shown[thing]}{shown[one[1] :]}", one[0]


def cared_by(plain: str, shown: str, at: int, subjects: Subjects) -> tuple[str, str, UUID] | None:
    """Portuguese for who looks after something, as if that one were named first: "quem cuida do caixa é o Bruno"."""
    match = _CARED.match(plain, at)
    one = None if match is None else subjects.one_at(plain, match.end())
    if match is None or one is None or plain[one[1] :].strip(" .!") not in {"", "mesmo"}:
        return None
    lead, group = (" é quem ", "does") if match["does"] else (" é ", "is")
    does = slice(*match.span(group))
    return f"{lead}{plain[does]}", f"{lead}{shown[does]}", one[0]


def _joined(front: str, match: re.Match[str], plain: str, shown: str, *, began: bool = False) -> Reworded:
    return put_together(front, *match.span("tail"), plain, shown, began=began)


def put_together(front: str, start: int, end: int, plain: str, shown: str, *, began: bool) -> Reworded:
    """A clause: new first words, and what stands from `start` to `end` of a sentence; a time at its end is taken off where it `began`."""
    still = STILL.search(plain, start, end)
    end = end if still is None else still.start()
    text = front + shown[start:end]
    mentions = find_times(text, "und", None) if began else []
    if not mentions or text[mentions[-1].end :].strip():
        return Reworded(front + plain[start:end], text, began)
    bare = _JOINT.sub("", text[: mentions[-1].start])
    return Reworded((front + plain[start:end])[: len(bare)].rstrip(), bare.rstrip(), began, text[mentions[-1].start :])
