"""English rules for facts about a subject. Order decides between two that match at one place."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import (
    CONDITIONS_EN,
    DIETS_EN,
    FOOD_EN,
    LANGUAGE_EN,
    MOCK_EN,
    OWN_EN,
    PROFESSION_EN,
    REACH_EN,
    STYLE_EN,
    UNWANTED_EN,
)  # fmt: skip

ADVERBS: Final = (
    r"(?:(?:really|severely|very|super|also|still|actually|just|currently|now|originally|extremely|deathly|properly|seriously|always|strictly"
    r"|definitely|absolutely|highly|mildly|completely|fully|only|usually|generally) ){0,2}"
)


def regular(base: str, third: str | None = None) -> dict[str, Verb]:
    """A regular verb, affirmed, denied, and in the past."""
    singular = third or f"{base}s"
    return {
        base: Verb(rf"i (?:{ADVERBS})?{base}", rf" (?:{ADVERBS})?{singular}", singular),
        f"not {base}": Verb(
            rf"i (?:do not|don't|dont|never) (?:really )?{base}",
            rf" (?:does not|doesn't|doesnt|never) (?:really )?{base}s?",
            f"does not {base}",
        ),
    }


_REGULAR = (
    "live",
    "work",
    "eat",
    "drink",
    "smoke",
    "like",
    "love",
    "enjoy",
    "hate",
    "dislike",
    "prefer",
    "use",
    "speak",
    "own",
    "want",
    "need",
    "own",
    "play",
    "run",
    "manage",
    "lead",
    "drive",
    "park",
    "take",
)
VERBS: Final[dict[str, Verb]] = {
    "be": Verb(r"(?:i am|i'm|im)", r"(?:'s| is)", "is"),
    "not have": Verb(r"i (?:do not|don't|dont) have", r" (?:does not|doesn't|doesnt) have", "does not have"),
    "not be": Verb(r"(?:i am|i'm|im) (?:not|never)", r"(?:'s not| is not| isn't)", "is not"),
    "have": Verb(r"(?:i have|i've got|i got|i've)", r" (?:has|has got)", "has"),
    "go": Verb(r"i go", r" goes", "goes"),
    "was": Verb(r"i was", r" was", "was"),
    "can't": Verb(r"i (?:can't|cannot|can not|cant)", r" (?:can't|cannot|can not)", "cannot"),
    "moved": Verb(r"(?:i|i've) (?:just |recently )?(?:moved|relocated)", r" (?:just |recently )?(?:moved|relocated)", "moved"),
    "started": Verb(r"i (?:just |recently )?started (?:working|a new job|a job|my new job)", r" (?:just |recently )?started (?:working|a new job|a job)", "started working"),
    "call": Verb(r"(?:please |just |you can |you guys can |y'all can )*(?:call|calling) me", r"(?!)", ""),
    "everyone": Verb(r"(?:everyone|everybody|people|most people|friends|my friends|all) calls? me", r"(?!)", ""),
    "do not": Verb(r"(?:please )?(?:don't|do not|never)", r"(?!)", ""),
    "no": Verb(r"(?:please )?(?:no|keep|use|send me|give me)", r"(?!)", ""),
    "": Verb(r"", r"(?!)", ""),
    "my": Verb(r"my", r"'s", "'s"),
    **{name: verb for base in _REGULAR for name, verb in regular(base).items()},
}  # fmt: skip

_PLACE = re.compile(
    r"^(?:fear|denial|hope|pain|peace|constant|the moment|a bubble|a simulation|hell|love|trouble|charge|front|general|person|fact|touch|awe|shock)\b|\b(?:during|for|in the|on|half|most of)\b"
)
_MOVE = re.compile(r"^(?:on|the|a|my|our|it|back|forward|away|out|up|next|tears|past|some)\b|\b(?:for|from|with)\b")
TASTE = re.compile(
    r"\b(?:mondays?|monday mornings?|one|idea|sound|way|it|you|your|that|this|seeing|hearing|watching you|chat\w*|talking|look|vibe|photo|pic\w*|painting|story|stories|news|in particular|question|thing|part|fact|support\w*)\b"
    r"|^(?:to|being|having|when|how|what|sharing|getting|knowing)\b"
)
_POSSESSION = re.compile(
    r"^(?:a|an|my|two|three|several|many|late|out|low|into|errands|every|marathons?|it|up|on|to|the (?:risk|show)|away|back|over|around|in|by|for|\d)\b"
)
_DRINKS: Final = r"(?:alcohol|coffee|milk|soda|caffeine|tea|beer|wine)"

RULES: Final = compile_rules(
    (
        Rule(name="en-allergic", verb="be", rest=r" {a}allergic to {v}", attribute="allergy", lists=True, words=6, banned=MOCK_EN),
        Rule(name="en-not-allergic", verb="not be", rest=r" {a}allergic to {v}", attribute="allergy", lists=True, words=6, banned=MOCK_EN, denies=True),
        Rule(name="en-allergy-to", verb="have", rest=r" (?:an? )?(?:[\w-]+ ){0,2}allerg(?:y|ies) to {v}", attribute="allergy", lists=True, words=6, banned=MOCK_EN),
        Rule(name="en-x-allergy", verb="have", rest=r" (?:an? )?(?:severe |bad |serious |mild )?(?P<value>[a-z]+(?: [a-z]+)?) allerg(?:y|ies){end}", attribute="allergy", words=2),
        Rule(name="en-intolerant", verb="be", rest=r" {a}(?P<value>(?:lactose|gluten|histamine|fructose)[- ]intolerant|celiac|coeliac)\b", attribute="allergy"),
        Rule(name="en-condition", verb="be", rest=rf" {{a}}(?P<value>(?:(?:half|partially|partly|legally|mostly|nearly) )?{CONDITIONS_EN}(?: in (?:the|my|one) (?:(?:left|right) )?(?:ears?|eyes?))?){{end}}", attribute="health"),
        Rule(name="en-has-condition", verb="have", rest=r" (?:(?:severe|mild|type [12]|chronic|bad) )?(?P<value>asthma|diabetes|epilepsy|celiac disease|coeliac disease|migraines|high blood pressure|hay fever|adhd|dyslexia|eczema|arthritis|insomnia|a pacemaker){end}", attribute="health"),
        Rule(name="en-diet", verb="be", rest=rf" (?:an? )?{{a}}(?:an? )?(?P<value>{DIETS_EN}){{end}}", attribute="diet"),
        Rule(name="en-not-diet", verb="not be", rest=rf" (?:an? )?{{a}}(?P<value>{DIETS_EN}){{end}}", attribute="diet", denies=True),
        Rule(name="en-not-eat", verb="not eat", rest=rf" (?:any )?(?P<value>{FOOD_EN}(?: or {FOOD_EN})?){{end}}", attribute="diet", valued="no {value}", lists=True),
        Rule(name="en-cannot-eat", verb="can't", rest=rf" (?:eat|have|drink|stomach) (?:any )?(?P<value>{FOOD_EN}(?: or {FOOD_EN})?){{end}}", attribute="diet", valued="no {value}", lists=True),
        Rule(name="en-not-drink", verb="not drink", rest=rf"(?P<value> (?:any )?{_DRINKS})?(?=$|[,;:.!?)]| (?:so|but|because|btw|fyi|at all|since)\b)", attribute="diet", valued="no {value}", unsaid="alcohol"),
        Rule(name="en-not-smoke", verb="not smoke", rest=r"{end}", attribute="habit/smoking", denies=True),
        Rule(name="en-smoke", verb="smoke", rest=r"{end}", attribute="habit/smoking"),
        Rule(name="en-call-me", verb="call", rest=r" [\"“']?(?P<value>[a-z][\w'.-]*(?: [a-z][\w.-]*)?)[\"”']?{end}", attribute="address-as", single=True, shown="wants to be called {value}", proper=True, banned=re.compile(r"^(?:when|if|at|on|in|after|before|back|later|a|an|the|crazy|old|whatever|anytime|any|tomorrow|today|asap|by|up|out)\b"), words=2, first_only=True),
        Rule(name="en-everyone-calls", verb="everyone", rest=r" [\"“']?(?P<value>[a-z][\w'.-]*(?: [a-z][\w.-]*)?)[\"”']?{end}", attribute="address-as", single=True, shown="is called {value}", proper=True, words=2, first_only=True),
        Rule(name="en-go-by", verb="go", rest=r" by [\"“']?(?P<value>[a-z][\w'.-]*(?: [a-z][\w.-]*)?)[\"”']?{end}", attribute="address-as", single=True, shown="goes by {value}", proper=True, words=2),
        Rule(name="en-prefer-called", verb="prefer", rest=r" (?:to be called|being called|to go by) [\"“']?(?P<value>[a-z][\w'.-]*(?: [a-z][\w.-]*)?)[\"”']?{end}", attribute="address-as", single=True, shown="wants to be called {value}", proper=True, words=2),
        Rule(name="en-name", verb="my", rest=r" (?:full |real |first |last )?name is (?P<value>[a-z][\w'.-]*(?: [a-z][\w'.-]*){0,3}?){end}", attribute="name", single=True, shown="is named {value}", proper=True, words=4, first_only=True),
        Rule(name="en-pronouns", verb="my", rest=r" pronouns are (?P<value>[a-z]+/[a-z]+(?:/[a-z]+)?)", attribute="pronouns", single=True),
        Rule(name="en-birthday", verb="my", rest=r" birthday(?:'s| is| falls) (?:always )?(?:on )?(?P<value>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ (?:the )?\d{1,2}(?:st|nd|rd|th)?)){end}", attribute="birthday", single=True),
        Rule(name="en-age", verb="be", rest=r" (?P<value>\d{1,2})(?: years old| yrs old| yo)?{end}", attribute="age", single=True, shown="is {value} years old", banned=re.compile(r"^\d$")),
        Rule(name="en-born-in", verb="was", rest=r" (?:born and raised|born) in {v}", attribute="birthplace", single=True, proper=True, words=4),
        Rule(name="en-from", verb="be", rest=r" {a}from {v}", attribute="origin", single=True, proper=True, words=4),
        Rule(name="en-live", verb="live", rest=r" {a}in {place}", attribute="home", single=True, proper=True, words=5, banned=_PLACE),
        Rule(name="en-based", verb="be", rest=r" {a}(?:based|living) in {place}", attribute="home", single=True, proper=True, words=5, banned=_PLACE),
        Rule(name="en-moved", begins=True, verb="moved", rest=r" (?:from (?P<former>[\w. -]{2,40}?) )?to {v}", attribute="home", single=True, shown="lives in {value}", proper=True, words=7, banned=_MOVE),
        Rule(name="en-work-at", verb="work", rest=r" {a}(?:at|for) (?:the )?{employer}", attribute="work/employer", single=True, proper=True, words=6, banned=re.compile(r"^(?:night|home|least|most|first|the)\b|\bon$")),
        *(Rule(name=f"en-{verb}", verb=verb, rest=r" {v}", attribute="work/owns", words=4, banned=_POSSESSION) for verb in ("own", "manage", "lead", "run")),
        Rule(name="en-work-as", verb="work", rest=r" {a}as (?P<value>(?:an? )(?:[\w-]+ ){0,3}?[\w-]+){end}", attribute="work/role", single=True, words=6, banned=re.compile(r"\b(?:team|result|well|group|family|couple|favou?r)$")),
        Rule(name="en-role-at", verb="be", rest=r" {a}(?P<role>(?:an? |the )(?:[\w-]+ ){1,4}?)(?:at|for) {v}", attribute="work/employer", single=True, proper=True, words=5, banned=re.compile(r"^(?:home|work|least|sure|the)\b")),
        Rule(name="en-profession", verb="be", rest=rf" {{a}}(?P<value>an? (?:[a-z-]+ ){{0,2}}?{PROFESSION_EN}){{end}}", attribute="work/role", single=True),
        Rule(name="en-joined", begins=True, verb="started", rest=r" (?:at|for) {v}", attribute="work/employer", single=True, proper=True, words=5, shown="works at {value}", banned=re.compile(r"^(?:the|a|my|to|on|with|in|by|it)\b")),
        Rule(name="en-married", begins=True, verb="be", rest=r" (?:happily )?(?P<value>married to [a-z][\w'-]+|married|engaged to [a-z][\w'-]+|engaged|divorced|single|widowed){end}", attribute="relationship", single=True),
        Rule(name="en-dating", verb="be", rest=r" dating (?P<value>[a-z][\w'-]+){end}", attribute="relationship", single=True, proper=True),
        Rule(name="en-family-count", verb="have", rest=r" (?P<value>(?:one|two|three|four|five|six|an?|[2-9]) (?:\w+ ){0,2}?(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|twins|grandkids|grandchildren))(?: (?:named|called) [a-z][\w'-]+(?:,? and [a-z][\w'-]+)?)?{end}", attribute="family", words=4),
        Rule(name="en-pet", verb="have", rest=r" (?P<value>(?:an?|one|two|three|four|[2-9]) (?:\w+ ){0,2}?(?:dogs?|cats?|parrots?|rabbits?|hamsters?|turtles?|guinea pigs?|pupp(?:y|ies)|kittens?|horses?|fish)(?: (?:named|called) [a-z][\w'-]+(?:,? and [a-z][\w'-]+)?)?){end}", attribute="pet", words=9),
        Rule(name="en-relative-called", verb="my", rest=r" (?P<topic>wife|husband|partner|girlfriend|boyfriend|son|daughter|sister|brother|mother|father|mom|dad|dog|cat|puppy|kitten|parrot|horse|boss|manager)(?:'s name is| is (?:called|named)) (?P<value>[a-z][\w'-]+(?: [a-z][\w'-]+)?){end}", attribute="{topic}", proper=True, words=2),
        Rule(name="en-favourite", verb="my", rest=r" (?:all-time )?favou?rite (?P<topic>[a-z]+(?: [a-z]+)?) is {v}", attribute="favourite/{topic}", single=True, words=6, banned=TASTE),
        Rule(name="en-own-thing", verb="my", rest=rf" (?P<topic>{OWN_EN}) (?:is|are) {{v}}", attribute="{topic}", single=True, words=7, banned=TASTE),
        Rule(name="en-late", verb="", rest=r"(?P<value>(?:after|before|past) (?:\d{1,2}(?::\d\d)? ?(?:am|pm)?|noon|midnight|work)) i (?:don't|do not|never|won't) (?:answer|reply|respond|read|check|look|pick up|take calls)", attribute="contact-hours", single=True, shown="does not answer {value}", first_only=True),
        Rule(name="en-only-reachable", verb="be", rest=r" only (?:available|free|reachable|around|online) (?P<value>(?:after|before|until|between|from|on|in) [^,;:.!?()\n]{1,40}){end}", attribute="contact-hours", single=True, shown="is only available {value}", words=8),
        Rule(name="en-never-works-on", verb="not work", rest=r" (?:on )?(?P<value>(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?|weekends|evenings|mornings|nights){end}", attribute="availability", single=True),
        Rule(name="en-aid", verb="use", rest=r" (?P<value>(?:an? )?(?:wheelchair|hearing aids?|screen reader|white cane|walking stick|crutches|insulin pump|inhaler|guide dog|sign language)){end}", attribute="accessibility"),
        Rule(name="en-responsible", verb="be", rest=r" {a}(?:responsible for|in charge of) {v}", attribute="work/owns", words=5, banned=re.compile(r"^(?:my|your|the (?:mess|kids)|everything|nothing|it)\b")),
        Rule(name="en-role", verb="be", rest=r" {a}(?P<value>(?:the|our|an?) (?:[\w-]+ ){0,2}?(?:manager|lead|leader|chef|director|coordinator|admin|treasurer|captain|supervisor|maintainer|organi[sz]er|producer))(?: (?:of|for) (?:the )?[\w-]+(?: [\w-]+)?)?{end}", attribute="work/role", words=6),
        Rule(name="en-no-contact", verb="do not", rest=rf" (?:ever )?(?P<verb2>{REACH_EN}) me (?P<value>(?:before|after|between|past|on|at|during|in|outside|while|until)\b[^,;:.!?()\n]{{1,40}})", attribute="contact-hours", single=True, shown="must not be {verb2} {value}", first_only=True),
        Rule(name="en-do-not-call-me", verb="do not", rest=r" call me [\"“']?(?P<value>[a-z][\w'.-]*)[\"”']?{end}", attribute="address-as", shown="does not want to be called {value}", proper=True, words=1, first_only=True),
        Rule(name="en-no-style", verb="no", rest=rf" (?P<value>(?:more )?{UNWANTED_EN})(?: please| pls| for me)(?: please| pls)?{{end}}", attribute="tone", shown="wants no {value}", first_only=True),
        Rule(name="en-style", verb="no", rest=rf"(?: it| things| answers| replies| messages| your answers| your replies)? (?P<value>{STYLE_EN})(?: answers| replies)?(?: please| pls)?,? for me(?: please| pls)?{{end}}", attribute="tone", shown="wants {value} answers", first_only=True),
        Rule(name="en-prefer-style", verb="prefer", rest=rf" (?P<value>{STYLE_EN} (?:answers?|replies|messages?|explanations?|summaries|texts?)){{end}}", attribute="tone"),
        Rule(name="en-prefer-over", verb="prefer", rest=r" (?P<value>[\w' -]{2,40}? (?:over|to) [\w' -]{2,30}){end}", attribute="likes", words=9, banned=TASTE),
        Rule(name="en-prefer", verb="prefer", rest=r" {v}", attribute="likes", words=5, bare=True, banned=TASTE),
        Rule(name="en-hate", verb="hate", rest=r" {v}", attribute="dislikes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-cannot-stand", verb="can't", rest=r" stand {v}", attribute="dislikes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-love", verb="love", rest=r" {v}", attribute="likes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-like", verb="like", rest=r" {v}", attribute="likes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-fan", verb="be", rest=r" {a}an? (?:big |huge |massive |real )?fan of {v}", attribute="likes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-enjoy", verb="enjoy", rest=r" {v}", attribute="likes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-not-like", verb="not like", rest=r" {v}", attribute="dislikes", words=4, bare=True, banned=TASTE, lists=True),
        Rule(name="en-fear", verb="be", rest=r" {a}(?P<value>(?:afraid|scared|terrified) of (?:heights|flying|the dark|lifts|elevators|small spaces|clowns|snakes|spiders|needles|blood|driving|dogs|the sea|deep water|mice|rats|thunder|crowds|bees|public speaking)){end}", attribute="fear", words=6),
        Rule(name="en-away-until", verb="be", rest=r" {a}(?P<value>on (?:parental |maternity |paternity |sick |medical |annual )?(?:leave|holiday|vacation|sabbatical)|away|out of (?:the )?office)(?= (?:until|till) )", attribute="availability", words=4),
        Rule(name="en-speak", verb="speak", rest=rf" {{a}}(?:fluent |some |a (?:bit|little) (?:of )?)?(?P<value>{LANGUAGE_EN}(?:(?:,|,? and) (?:(?:a )?(?:bit of|little|some) (?:of )?)?{LANGUAGE_EN}){{0,4}}){{end}}", attribute="language", words=12),
    ),
    "en", VERBS, ADVERBS,
)  # fmt: skip
