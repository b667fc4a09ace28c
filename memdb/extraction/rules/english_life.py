"""English rules for what somebody does again and again, learns, looks after or works towards. Order decides between two at one place."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.english import ADVERBS, TASTE, VERBS, regular
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import ACTIVITY_EN, FIELD_EN, OFTEN_EN, PASTIME_EN, PLAYED_EN, one_of

_OTHERS: Final = re.compile(
    one_of(
        r"^(?:my|me|myself|people|others?|someone|everything|nothing|things|stuff|stress|pressure|rejection|change|business|well|bad|fine|most|all|some|just|only|as|to|when|how|what|the (?:rest|situation|problem|mess|bill|cost|risk|blame|lead|time)|care",
        r"criticism|conflict|him|her|them|\d)\b",
    )
)
_VAGUE: Final = re.compile(
    r"\b(?:something|some|stuff|things?|lots?|few|other|another|projects?|new one|same|better|more|next|few|big|way|ways)\b"
)
_VERBS: Final[dict[str, Verb]] = {
    **{name: VERBS[name] for name in ("be", "have", "my", "", "love", "like", "enjoy", "hate", "play", "work", "drive", "use", "was", "not like", "not drive", "not have")},
    **{base: verb for word, third in (("teach", "teaches"), ("study", "studies"), ("learn", "learns"), ("handle", None), ("maintain", None), ("coordinate", None), ("oversee", None), ("supervise", None), ("organize", None), ("volunteer", None), ("wear", None), ("collect", None), ("grow", None)) for base, verb in regular(word, third).items()},
    "take care": Verb(rf"i (?:{ADVERBS})?(?:take care of|look after)", rf" (?:{ADVERBS})?(?:takes care of|looks after)", "takes care of"),
    "grew up": Verb(r"i grew up", r" grew up", "grew up"),
    "often": Verb(rf"i (?:{ADVERBS}|try to |like to )?", rf" (?:{ADVERBS})?", ""),
}  # fmt: skip
_LOVES: Final = (("en-love-to", "love"), ("en-like-to", "like"), ("en-hate-to", "hate"))

RULES: Final = compile_rules(
    (
        *(Rule(name=name, verb=verb, rest=rf" to (?P<value>{PASTIME_EN}(?: (?:[\w'-]+ ){{0,4}}?[\w'-]+)?){{end}}", attribute="dislikes" if verb == "hate" else "likes", words=6, banned=re.compile(r"\b(?:about|with|too|again|today|tonight|tomorrow|now)\b")) for name, verb in _LOVES),
        Rule(name="en-into", verb="be", rest=r" (?:really |very |big |super |so |pretty )?into {v}", attribute="likes", words=4, bare=True, banned=re.compile(rf"{TASTE.pattern}|\b(?:detail|trouble|week|month|project|process|season|chapter|weeks|months)s?\b"), lists=True),
        Rule(name="en-keen", verb="be", rest=r" (?:very |really )?(?:keen on|passionate about|obsessed with|crazy about) {v}", attribute="likes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-is-favourite", verb="", rest=r"(?P<value>[a-z][\w' -]{1,40}?) (?:is|are) (?:definitely |probably |still |by far |easily )?my (?:all-time |absolute )?favou?rite (?P<topic>[a-z]+(?: [a-z]+)?){end}", attribute="favourite/{topic}", shown="'s favourite {topic} is {value}", words=5, proper=True, first_only=True, banned=re.compile(r"^(?:one|which|what|and|but|so|my|some|here)\b|\bof$")),
        Rule(name="en-play", verb="play", rest=rf" (?P<value>{{a}}(?:the )?{PLAYED_EN}(?:(?:,| and|, and) (?:the )?{PLAYED_EN})*){{end}}", attribute="hobby", lists=True),
        Rule(name="en-often", verb="often", rest=rf"(?P<value>{ACTIVITY_EN}(?: [\w' -]{{1,40}}?)? {OFTEN_EN})\b", attribute="habit", words=12, first_only=True),
        Rule(name="en-learning", verb="be", rest=one_of(r" (?:currently |now |slowly )?(?:learning|taking) (?P<value>(?:how )?to (?:play|speak|cook|code|drive|swim|dance|surf|sew|knit|paint|ski|program) ?(?:the )?[\w-]*|(?:english", r"portuguese|spanish|french|german|italian|japanese|mandarin|chinese|korean|arabic|hindi|dutch|russian|polish|turkish|greek|sign language|rust|python|guitar|piano|violin|chess)", r"(?:an? )?(?:[\w-]+ ){1,3}(?:classes|class|lessons|course)){end}"), attribute="learning", words=8),
        Rule(name="en-study", verb="study", rest=r" (?P<value>(?!hard\b|a lot|every|at |in |for |with |all |the |how |together|alone|late)[a-z]+(?: [a-z]+)?)(?: at [^,;:.!?()\n]{2,40})?{end}", attribute="study", words=3, banned=re.compile(r"\b(?:and|day|days|night|more|less|together|here|online|abroad)\b")),
        Rule(name="en-studying", verb="be", rest=r" (?:currently )?(?:studying|majoring in|doing a (?:degree|phd|masters?|master's) in) (?P<value>(?!hard\b|a lot|every|at |in |for |with |all |the |how |abroad|now|today)[a-z]+(?: [a-z]+)?)(?: (?:at|in) [^,;:.!?()\n]{2,40})?{end}", attribute="study", words=3, shown="studies {value}"),
        Rule(name="en-degree", verb="have", rest=r" (?P<value>an? (?:[\w-]+ )?(?:degree|phd|master's|masters|bachelor's|mba|doctorate|diploma)(?: in [a-z]+(?: [a-z]+){0,2})?(?: from [\w' -]{2,40})?){end}", attribute="education", words=9, banned=re.compile(r"\bcertain degree\b")),
        Rule(name="en-teach", verb="teach", rest=r" (?P<value>(?!(?:until|till|from|at|on|in|before|after|since|every|full|part)\b)[a-z][\w' -]{2,40}?)(?: (?:at|to) [^,;:.!?()\n]{2,40})?{end}", attribute="work/role", words=4, banned=re.compile(rf"{_OTHERS.pattern}|\b(?:lesson|kids? how|how|about)\b")),
        Rule(name="en-work-in", verb="work", rest=rf" {{a}}in (?:the )?(?P<value>{FIELD_EN}|[a-z]+(?: [a-z]+)? (?:industry|field|sector)){{end}}", attribute="work/field", words=5),
        Rule(name="en-standing", verb="be", rest=r" {a}(?P<value>retired|self-employed|unemployed|a freelancer|a (?:full-time )?freelance [a-z]+|a (?:stay-at-home|single|new) (?:mom|mum|dad|mother|father|parent)|an? (?:only child|twin|introvert|extrovert)){end}", attribute="about"),
        Rule(name="en-grew-up", verb="grew up", rest=r" (?:in|on) {v}", attribute="origin", words=5, proper=True, banned=re.compile(r"\b(?:with|during|when|19\d0s)\b")),
        Rule(name="en-drive", verb="drive", rest=r" (?:an? )(?P<value>(?:(?:19|20)\d\d )?(?:[a-z]+ )?[a-z][\w-]+(?: [\w-]+)?){end}", attribute="car", proper=True, shown="drives a {value}", words=4),
        Rule(name="en-not-drive", verb="not drive", rest=r"{end}", attribute="habit/driving", denies=True),
        Rule(name="en-not-have", verb="not have", rest=r" (?:an? |any )?(?P<value>(?P<topic>car|kids|children|siblings|pets|dog|cat|licen[sc]e|driver's licen[sc]e|smartphone|tv|television|facebook|instagram|whatsapp)){end}", attribute="{topic}", denies=True),
        Rule(name="en-handle", verb="handle", rest=r" {v}", attribute="work/owns", words=6, banned=_OTHERS),
        *(Rule(name=f"en-{verb}", verb=verb, rest=r" {v}", attribute="work/owns", words=6, banned=_OTHERS) for verb in ("maintain", "coordinate", "oversee", "supervise")),
        Rule(name="en-look-after", verb="take care", rest=r" {v}", attribute="work/owns", words=6, banned=_OTHERS),
        Rule(name="en-volunteer", verb="volunteer", rest=r" (?P<value>(?:at|for|with) [^,;:.!?()\n\"“”\ufffc]{3,50}?){end}", attribute="volunteering", words=8, banned=re.compile(r"\b(?:time|it)\b")),
        Rule(name="en-collect", verb="collect", rest=r" {v}", attribute="hobby", words=4, bare=True, banned=re.compile(rf"{_OTHERS.pattern}|\b(?:data|money|information|payments?|rent|feedback|parcel|points|them)\b"), lists=True),
        Rule(name="en-working-towards", verb="be", rest=r" {a}(?P<value>(?:training|studying|saving(?: up)?|preparing) for (?:an?|my|the) [^,;:.!?()\n\"“”\ufffc]{3,50}?|writing (?:an?|my) (?:[\w-]+ ){0,2}(?:book|novel|thesis|screenplay|memoir|dissertation|blog)(?: (?:about|on) [^,;:.!?()\n\"“”\ufffc]{3,40}?)?){end}", attribute="project", words=10, banned=_VAGUE),
        Rule(name="en-goal", verb="my", rest=r" (?:main |biggest |long-term |ultimate |personal )?(?P<topic>dream|goal|ambition) is to (?P<value>[^,;:.!?()\n\"“”\ufffc]{4,80}?){end}", attribute="goal", words=14, shown="'s {topic} is to {value}"),
        Rule(name="en-wear", verb="wear", rest=r" (?P<value>glasses|contacts|contact lenses|size [\w.]+(?: [a-z]+)?|an? (?:insulin pump|hearing aid|retainer|brace)|hearing aids|a size [\w.]+){end}", attribute="body", words=4),
    ),
    "en", _VERBS, ADVERBS,
)  # fmt: skip
