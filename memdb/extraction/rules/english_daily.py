"""English rules for what people have, use and did for long: cars and devices, tools, addresses, studies, promotions, when the day begins.

Order decides between two at one place.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.english import ADVERBS, VERBS
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import CAR_MAKES, HOUR_EN, LANGUAGE_EN, OFTEN_EN, PLAYED_EN

_VERBS: Final[dict[str, Verb]] = {
    **{name: VERBS[name] for name in ("my", "live", "use", "play", "drive")},
    "studied": Verb(r"i (?:have )?studied", r" studied", "studied"),
    "promoted": Verb(r"i(?:'ve| have)? (?:just |recently |finally )?(?:was|got|been) promoted", r" (?:was|got|has been) promoted", "was promoted"),
    "bought": Verb(r"i(?:'ve| have)? (?:just |recently |finally )?bought", r" (?:just |recently )?bought", "bought"),
    "sold": Verb(r"i(?:'ve| have)? (?:just |recently |finally )?(?:sold|traded|traded in)", r" (?:just |recently )?(?:sold|traded in)", "sold"),
    "often": Verb(r"i (?:usually|normally|always|generally|typically)", r"(?!)", ""),
    "reply": Verb(r"(?:please |always |can you |you can |just )*(?:reply|answer|respond|write|speak|talk)(?: (?:to )?me)?", r"(?!)", ""),
    "send": Verb(r"(?:please |always )+(?:send|give|show) me", r"(?!)", ""),
}  # fmt: skip
_NOT_A_THING: Final = re.compile(
    r"\b(?:mess|disaster|joke|bit|piece|nightmare|wreck|dream|must|lot|problem|beast|lifesaver|pain|shame|write-?off|thing|one|death|place|haven|work in progress|while)\b"
)
_FORMATS: Final = (
    r"(?:pdfs?|excel|csv|word|markdown|html|json|spreadsheets?|slides|tables?|bullet points|bullets|plain text|links|attachments|one file)"
)

RULES: Final = compile_rules(
    (
        Rule(name="en-address", verb="live", rest=r" {a}(?:at|on) (?P<value>\d{1,5}[a-z]? (?:[\w'.-]+ ){0,3}[\w'.-]+(?:,? (?:apt|apartment|flat|unit)\.? ?\w{1,5})?){end}", attribute="home/address", single=True, words=9, banned=re.compile(r"\b(?:euros?|dollars?|pounds|bucks|a (?:day|month|week)|percent|hours?|minutes?|acres|hectares|years?)\b")),
        Rule(name="en-my-thing", verb="my", rest=r" (?:current |new |old |work |everyday |main |daily )?(?P<topic>car|van|truck|motorbike|motorcycle|bike|scooter|phone|laptop|computer|camera|guitar|piano|boat) is (?P<value>an? (?:[\w-]+ ){0,4}?[\w-]+){end}", attribute="{topic}", single=True, words=6, banned=_NOT_A_THING),
        Rule(name="en-my-place", verb="my", rest=r" (?P<topic>office|desk|room|apartment|flat|studio|shop|workshop|clinic) is (?P<value>on the (?:[a-z]+|\d{1,2}(?:st|nd|rd|th)) floor|in (?:building|room|block|unit|suite) [\w-]+){end}", attribute="{topic}", single=True, words=6, banned=re.compile(r"\bthe (?:same|dance|next)\b")),
        Rule(name="en-drives-old", verb="drive", rest=r" (?:an? |my )(?P<value>(?:[a-z]+ ){0,2}?" + CAR_MAKES + r"(?: [\w-]+)?){end}", attribute="car", words=5),
        Rule(name="en-swapped-car", verb="sold", rest=rf" my (?:[a-z]+ )?(?P<former>{CAR_MAKES}(?: [\w-]+)?|car) (?:and (?:i )?(?:bought|got)|for) (?:an? |the )(?P<value>(?:[a-z]+ ){{0,2}}?{CAR_MAKES}(?: [\w-]+)?){{end}}", attribute="car", words=5, shown="sold their {former} and bought a {value}"),
        Rule(name="en-bought-car", verb="bought", rest=rf" (?:an? |myself an? )(?P<value>(?:[a-z]+ ){{0,2}}?{CAR_MAKES}(?: (?!on\b|in\b|at\b|last\b|this\b|yesterday\b|today\b|from\b|for\b|and\b)[\w-]+)?)(?= (?:on|in|last|this|yesterday|today) |{{end}})", attribute="car", begins=True, words=5),
        Rule(name="en-swapped", verb="sold", rest=r" (?:my|our|his|her|the) (?P<former>[a-z-]+(?: [a-z-]+)?) and (?:i |we )?(?:bought|got) (?P<value>an? (?:[\w-]+ ){0,2}?[\w-]+){end}", attribute="owns", words=5, shown="sold their {former} and bought {value}", banned=_NOT_A_THING),
        Rule(name="en-uses", verb="use", rest=r" {a}(?P<value>[a-z][\w.+#-]*(?: (?!btw|fyi|lol|tbh|too)[\w.+#-]+)?)(?= (?:on|for|at|in|every|all) (?:my |the |an? )?[a-z]| and nothing else|\s*(?:$|[.!,;]))", attribute="tools", proper=True, words=2, banned=re.compile(r"\b(?:i|you|my|the|to|for|on|it|too|all|english|lots)\b")),
        Rule(name="en-plays-every", verb="play", rest=rf" (?P<value>{{a}}(?:the )?{PLAYED_EN} {OFTEN_EN}){{end}}", attribute="hobby", words=8),
        Rule(name="en-studied", verb="studied", rest=r" (?P<value>(?!hard\b|abroad\b|it\b|this\b|that\b|the\b|for\b|at\b|in\b|with\b|my\b|all\b|a lot)[a-z]+(?: (?:and )?[a-z]+){0,2}) (?:at|in) (?:the )?(?P<where>[^,;:.!?()\n]{2,40}?){end}", attribute="education", words=4, banned=re.compile(r"\b(?:night|day|together|hard|everything|well|lot|about|this|last|while|it|there)\b")),
        Rule(name="en-promoted", verb="promoted", rest=r" to (?P<value>(?:an? |the )?(?:[\w-]+ ){0,3}?[\w-]+)(?: (?:at|in) [^,;:.!?()\n]{2,40}?)?{end}", attribute="work/role", single=True, begins=True, words=5, banned=re.compile(r"\b(?:new|next|level|glory|position|job|one|higher)\b$|^(?:this|that|be)\b")),
        Rule(name="en-day-begins", verb="often", rest=rf" (?P<value>(?:wake up|get up|wake|go to bed|go to sleep|start work|start working|finish work|leave work|have lunch|have dinner|eat dinner|eat lunch) (?:at|around|before|after|by) {HOUR_EN}){{end}}", attribute="habit", words=9, first_only=True),
        Rule(name="en-reply-language", verb="reply", rest=rf" (?:only )?in (?P<value>{LANGUAGE_EN})(?: only)?(?: please)?{{end}}", attribute="reply-language", single=True, first_only=True, shown="wants to be answered in {value}"),
        Rule(name="en-send-as", verb="send", rest=rf" (?P<value>(?:the |my |all |any )?(?:[\w-]+ ){{0,2}}?[\w-]+s (?:as|in) (?:an? )?{_FORMATS}){{end}}", attribute="format", first_only=True, shown="wants to be sent {value}", words=9),
    ),
    "en", _VERBS, ADVERBS,
)  # fmt: skip
