"""English rules for what people of a room tell each other: who does what, when and how to reach them, whom they answer to.

Order decides between two at one place.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.english import ADVERBS, TASTE, VERBS, regular
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import (
    BREED_EN,
    CHORE_EN,
    DUTY_EN,
    FOOD_EN,
    HOUR_EN,
    LANGUAGE_EN,
    OFTEN_EN,
    REGULARLY_EN,
    TRADE_EN,
    UNWANTED_EN,
    VENTURE_EN,
    WORKPLACE_EN,
)

_KIN: Final = r"(?:parents|wife|husband|partner|boyfriend|girlfriend|family|mother|father|mum|mom|dad|grandparents|brother|sister|kids|children|son|daughter|flatmates?|roommates?|housemates?)"
_MESSAGES: Final = r"(?:messages|e-?mails?|texts|slack|whatsapp|chats?|the chat|my phone|voicemail|calls)"
_VERBS: Final[dict[str, Verb]] = {
    **{name: VERBS[name] for name in ("be", "not be", "have", "my", "", "like", "play", "live", "work", "call", "do not", "run", "own", "drive", "was", "take", "not speak", "can't")},
    **{base: verb for word, third in (("do", "does"), ("report", None), ("freelance", None), ("support", None), ("check", None), ("answer", None), ("read", None)) for base, verb in regular(word, third).items()},
    "only work": Verb(r"i only work", r" only works", "only works"),
    "rather": Verb(r"(?:i'd|i would) (?:much |really )?rather", r"(?:'d| would) (?:much |really )?rather", "would rather"),
    "reach": Verb(r"(?:please |just |you can |best to |better to |always )*(?:call|ring|text|message|email|e-mail|ping|phone)(?: me)?", r"(?!)", ""),
}  # fmt: skip

RULES: Final = compile_rules(
    (
        Rule(name="en-ours", verb="be", rest=rf" {{a}}(?P<whose>our) (?P<value>(?:[\w-]+ ){{0,2}}?{TRADE_EN}){{end}}", attribute="work/role", shown="is the {value}", words=4, banned=re.compile(r"\b(?:only|best|worst|real|true|secret|unofficial|last|least|favou?rite|new favou?rite|own|little|biggest)\b")),
        Rule(name="en-heads", verb="be", rest=r" {a}(?P<value>(?:the |a )?(?:new )?(?:head|director|vice president|vp|founder|co-?founder) of (?:the )?[\w-]+(?: [\w-]+){0,2}?)(?: at [^,;:.!?()\n]{2,30}?| here)?{end}", attribute="work/role", shown="is {value}", words=7, banned=re.compile(r"\b(?:me|you|it|this|that|line|queue|table|household|house|everything|nothing|all)\b")),
        Rule(name="en-contact-for", verb="be", rest=r" {a}(?P<value>the (?:main |first )?(?:contact|point of contact|point person|go-to person|emergency contact) for (?:the )?[\w-]+(?: [\w-]+){0,2}?){end}", attribute="work/owns", words=9),
        Rule(name="en-one-who", verb="be", rest=rf" the (?:one|person) (?:who|that) (?P<value>{DUTY_EN} [^,;:.!?()\n\"“”\ufffc]{{3,50}}?){{end}}", attribute="work/owns", shown="{value}", words=8),
        Rule(name="en-does", verb="do", rest=rf" (?:all )?(?P<value>(?:the |our |all the )?(?:[a-z]+ )?{CHORE_EN}){{end}}", attribute="work/owns", shown="does {value}", words=4, banned=re.compile(r"\b(?:no|some|any|more|my|his|her|your|our|bad|good|great)\b")),
        Rule(name="en-drives-it", verb="drive", rest=r" (?P<value>the (?:[a-z]+ )?(?:van|bus|truck|minibus|ambulance|tractor)){end}", attribute="work/owns"),
        Rule(name="en-reports-to", verb="report", rest=r" to {v}", attribute="manager", single=True, proper=True, words=3),
        Rule(name="en-superior", verb="my", rest=r" (?P<topic>boss|manager|supervisor|line manager|adviser|advisor|team lead|mentor|tutor|coach|therapist|gp|landlady|flatmate|roommate|neighbou?r|deputy|successor|assistant) is (?P<value>[a-z][\w'-]+(?: [a-z][\w'-]+)?){end}", attribute="{topic}", single=True, proper=True, words=2),
        Rule(name="en-real-name", verb="my", rest=r" (?:real|full|legal) name is (?P<value>[a-z][\w'.-]*(?: [a-z][\w'.-]*){0,3}?){end}", attribute="name", single=True, shown="is named {value}", proper=True, words=4, third_only=True),
        Rule(name="en-live-near", verb="live", rest=r" {a}(?:right |very |really )?(?P<value>(?:near|close to|next to|outside|just outside|north of|south of|east of|west of) (?:the )?[^,;:.!?()\n\"“”\ufffc]{2,40}?){end}", attribute="home/near", words=7, banned=re.compile(r"\b(?:work|each other)\b")),
        Rule(name="en-live-with", verb="live", rest=rf" {{a}}(?P<value>(?:alone|on my own)(?: with (?:an? |my |two |three )?[a-z]+)?|with (?:my |his |her |their |two |three |four )?{_KIN}(?: and (?:my |his |her |two |three )?[a-z]+(?: [a-z]+)?)?)(?: in (?P<where>[^,;:.!?()\n]{{2,30}}?))?{{end}}", attribute="household", words=8, banned=re.compile(r"\band (?:i|it|we|that)\b")),
        Rule(name="en-only-works", verb="only work", rest=r" (?P<value>(?:on )?(?:mornings|afternoons|evenings|nights|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days(?:,? (?:and|to) (?:mon|tues|wednes|thurs|fri|satur|sun)days)?|part[- ]time)){end}", attribute="work/hours", single=True, words=5),
        Rule(name="en-work-place", verb="work", rest=rf" {{a}}(?P<value>(?:in|at|for) (?:an?|the) (?:[\w-]+ ){{0,2}}?{WORKPLACE_EN})(?: as an? [\w-]+| in [^,;:.!?()\n]{{2,25}}?)?(?:{{end}}|(?= there\b| here\b))", attribute="work/place", words=6, banned=re.compile(r"\b(?:same|whole|different|other|next|new)\b")),
        Rule(name="en-work-hours", verb="work", rest=r" {a}(?P<value>nights|night shifts|the (?:night|late|early|day|morning|evening) shift|mornings|evenings|weekends|part[- ]time|full[- ]time|remotely|(?:two|three|four|\d) days(?: a week)?)(?: (?:as an?|at|on|in|for) [^,;:.!?()\n]{2,30}?)?{end}", attribute="work/hours", words=8),
        Rule(name="en-freelance", verb="freelance", rest=r" (?P<value>(?:as an? |in )[a-z]+(?: [a-z]+)?){end}", attribute="work/role", words=4),
        *(Rule(name=f"en-{verb}-venture", verb=verb, rest=rf" (?P<value>(?:an?|my own) (?:[\w-]+ ){{0,3}}?{VENTURE_EN})(?: (?:in|near|with|called|for|about) [^,;:.!?()\n]{{2,40}}?)?{{end}}", attribute="work/business", words=6) for verb in ("run", "own", "have")),
        Rule(name="en-school-year", verb="be", rest=r" in (?P<value>(?:my|his|her|their) (?:first|second|third|fourth|fifth|final|last) year (?:of|at) [^,;:.!?()\n\"“”\ufffc]{2,40}?){end}", attribute="study", words=9),
        Rule(name="en-makes-ill", verb="", rest=rf"(?P<value>{FOOD_EN}(?: and {FOOD_EN})?) (?:always )?makes? me (?:really |very )?(?:ill|sick|itchy|nauseous|throw up|break out)\b", attribute="diet", valued="no {value}", shown="gets ill from {value}", first_only=True),
        Rule(name="en-cannot-eat-with", verb="can't", rest=rf" (?:eat|have|drink) (?:anything|food|things|stuff) (?:with|containing|that has|made with) (?P<value>{FOOD_EN}(?: or {FOOD_EN})?)(?: in it)?{{end}}", attribute="diet", valued="no {value}", shown="cannot eat anything with {value}", words=7),
        Rule(name="en-on-diet", verb="be", rest=r" {a}on (?P<value>an? (?:strict |very )?(?:(?:low|high|no|sugar|gluten|dairy|salt|lactose)[- ][a-z]+|keto|vegan|vegetarian|mediterranean|liquid|diabetic|plant-based) diet)", attribute="diet", shown="is on {value}", words=6),
        Rule(name="en-takes", verb="take", rest=r" (?P<value>(?:my )?(?:insulin|blood thinners|statins|antidepressants|beta[- ]blockers|warfarin|metformin|thyroxine|lithium|ritalin|blood pressure (?:pills|tablets|medication)|(?:medication|pills|tablets|medicine) for (?:my )?[a-z]+(?: [a-z]+)?)(?: (?:once|twice|three times) (?:a|per) day| every (?:day|morning|evening|night)| daily)?){end}", attribute="medication", words=8),
        Rule(name="en-no-fan", verb="not be", rest=r" {a}(?:a |really a |much of a )?(?:big |huge |great |real )?fan of {v}", attribute="dislikes", shown="is not a fan of {value}", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-not-into", verb="not be", rest=r" {a}(?:that |so |too )?(?:into|keen on|fond of|crazy about) {v}", attribute="dislikes", shown="is not into {value}", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-likes-it-so", verb="like", rest=r" (?P<value>my (?:coffee|tea|steak|eggs|burgers?|toast|pasta) [a-z]+(?: [a-z]+){0,3}){end}", attribute="likes", words=6, banned=re.compile(r"\b(?:it|that|this|you|too|better|best)\b")),
        Rule(name="en-rather", verb="rather", rest=r" (?P<value>(?:be (?:emailed|e-mailed|called|texted|messaged|paged|asked)|have|get|use|text|email|e-mail|drink|eat|walk|cycle|work|travel|take|meet) ?[^,;:.!?()\n\"“”\ufffc]{0,50}? (?:than|over) [^,;:.!?()\n\"“”\ufffc]{2,40}?){end}", attribute="likes", words=10, banned=re.compile(r"\b(?:today|tonight|tomorrow|now|it|die|again|you|later)\b")),
        Rule(name="en-supports", verb="support", rest=r" {v}", attribute="supports", proper=True, words=3, banned=re.compile(r"\b(?:fully|you|and)\b")),
        Rule(name="en-plays-on", verb="play", rest=rf" (?P<value>[a-z][\w-]+(?: [\w-]+)? {OFTEN_EN})\b", attribute="hobby", words=9, banned=re.compile(r"^(?:it|along|with|that|this|around|my|the|a|games? with)\b")),
        Rule(name="en-no-language", verb="not speak", rest=rf" (?:any |much )?(?P<value>{LANGUAGE_EN}){{end}}", attribute="language", denies=True),
        Rule(name="en-breed", verb="have", rest=rf" (?P<value>(?:an?|two|three) (?:[a-z]+ )?{BREED_EN}(?: (?:named|called) [a-z][\w'-]+)?){{end}}", attribute="pet", words=7),
        Rule(name="en-born-on", verb="was", rest=r" born (?P<value>(?:in|on) (?:the )?(?:(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?[a-z]+(?: \d{1,2}(?:st|nd|rd|th)?)?,? )?(?:19|20)\d\d){end}", attribute="birth-date", single=True, shown="was born {value}", words=6),
        Rule(name="en-reach-only", verb="reach", rest=rf" (?:back )?(?P<value>(?:only )?(?:after|before|between|from) {HOUR_EN}(?: (?:and|to|or) {HOUR_EN})?(?: on weekdays| on weekends)?){{end}}", attribute="contact-hours", single=True, shown="wants to be called {value}", first_only=True, words=8),
        Rule(name="en-reach-by", verb="", rest=r"(?:please |just |better to )*(?P<value>text|message|email|e-mail) me,? (?:please )?(?:don't|do not|never|instead of|rather than|not) (?:call|calling|ring|ringing|phone)\b", attribute="contact", single=True, shown="wants a {value} rather than a call", first_only=True),
        Rule(name="en-unwanted", verb="do not", rest=rf" (?:ever )?(?:send|leave|give) me (?P<value>(?:any |more )?(?:{UNWANTED_EN}|voicemails?|memes|chain messages|attachments|links|stickers|group invites)){{end}}", attribute="tone", shown="wants no {value}", first_only=True),
        *(Rule(name=f"en-not-{verb}", verb=f"not {verb}", rest=rf" (?P<value>(?:my )?{_MESSAGES} {REGULARLY_EN}){{end}}", attribute="contact-hours", single=True, words=9) for verb in ("check", "answer", "read")),
        Rule(name="en-not-available", verb="not be", rest=rf" (?P<value>(?:available|around|free|reachable|in the office|at work|online) {REGULARLY_EN}){{end}}", attribute="availability", words=9),
    ),
    "en", _VERBS, ADVERBS,
)  # fmt: skip
