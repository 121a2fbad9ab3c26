"""Words and phrases that turn, soften, date or quote a statement, as plain data in lower case."""

from __future__ import annotations

NEGATORS = frozenset("not no never none neither nor nobody nowhere nothing cannot without non-existent nay".split())
NOBODY = frozenset("nobody no-one noone".split())
BARE_CONTRACTIONS = frozenset(
    "dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt hasnt havent hadnt aint mustnt".split()
)
SOFT_NEGATORS = frozenset("hardly rarely seldom scarcely barely".split())
"""Turn a statement, but only strictly enough to agree with each other, not to oppose a plain one."""

TURNING_VERBS = frozenset("avoid skip refuse refrain forget neglect fail cease stop omit".split())
"""Verbs that deny the action that follows them."""

PSEUDO = """
not only|not just|not merely|not simply|not solely|no doubt|without doubt|without a doubt|no question|no wonder
no matter|not to mention|not least|can not wait|cannot wait|can not help|cannot help|could not help|no problem
nothing beats|nothing like|nothing better|nothing but|nothing short of|not hesitate|not forget|never forget|not miss
not fail to|never fails to|never fail to|never mind|not in vain|not unlike|none other than|no one but|nobody but
not a bit|whether or not|or not|if not|no sooner|not without|not avoid|not skip|not neglect|not omit|not refuse|not stop
no stranger to|no doubts|no worries|no worry|no problems|no way|no idea|no thanks|no thank you|no offense|no rush
no pressure|no big deal|no kidding|no luck|not at all|not bad|never too late|no surprise|not surprised|not surprising
no less|not yet only|not for nothing|no end of|not lost on|no longer than
"""
"""Phrases that hold a negator and do not deny their clause."""

PRAISE = frozenset("enough too overstate overstated overemphasise overemphasize".split())
"""`cannot recommend X enough`: with `cannot` before and one of these behind, the clause is praise."""

PARTIAL = """
not all|not every|not everyone|not always|not necessarily|not everything|not exactly|not quite|not entirely
not fully|not sure|not certain|not clear|not know
not think|not believe|not convinced|not aware|not remember|not mention|not matter|not mean
"""
"""Deny less than the whole: too weak to oppose a statement."""

WEAK_DUTY = "no need to|no need|no reason to|not have to|not need to|need not|not required to|not obliged to|not need"
"""Free of a duty, which does not deny that the thing is done."""

BOUNDS: dict[str, str] = {
    "at least": ">", "no less than": ">", "not less than": ">", "no fewer than": ">", "more than": ">", "over": ">",
    "above": ">", "minimum of": ">", "a minimum of": ">", "exceeds": ">", "at minimum": ">", ">=": ">", "≥": ">",
    ">": ">", "not under": ">", "at most": "<", "up to": "<", "no more than": "<", "not more than": "<",
    "less than": "<", "fewer than": "<", "under": "<", "below": "<", "maximum of": "<", "a maximum of": "<",
    "no longer than": "<", "within": "<", "no later than": "<", "<=": "<", "≤": "<", "<": "<", "about": "~",
    "around": "~", "approximately": "~", "roughly": "~", "nearly": "~", "almost": "~", "circa": "~", "some": "~",
    "ca": "~", "~": "~", "≈": "~", "close to": "~",
}  # fmt: skip
"""Words before a number: at least `>`, at most `<`, about `~`."""

HEDGES = frozenset(
    """might may maybe perhaps possibly probably presumably apparently allegedly supposedly could seems seem appears
    likely unlikely reportedly hopefully unsure uncertain doubtful todo fixme tbd xxx hypothetically""".split()
)
SUPPOSITIONS = (
    "suppose", "supposing", "assume", "assuming", "imagine", "let's say", "lets say", "let us say",
    "let us assume", "let us pretend", "let us suppose", "let us imagine", "what if", "say that",
    "hypothetically", "pretend", "consider", "if", "unless", "in case", "provided that", "should we", "should i", "why not",
    "why", "how about", "what about", "whether", "i wonder", "shall we", "can we", "could we", "would it", "is it", "are we",
    "do we", "does it", "todo", "fixme", "wish", "i wish", "if only", "yeah right", "as if",
)  # fmt: skip
"""Openings of sentences that do not assert what they say."""

INNER_CONDITIONS = frozenset("if unless whether provided assuming supposing".split())

REPORTING = frozenset(
    """says said say claims claimed claim thinks thought believes believed argues argued suggests suggested alleges alleged
    reports reported rumour rumor rumoured wonders wondered asks asked proposes proposed hopes hoped quoted""".split()
)
"""Verbs that hand a statement to somebody else."""

SCOFFS = frozenset("nonsense myth rubbish bogus untrue sarcasm /s joking jk lol false hoax misconception".split())

CHANGE_WORDS = frozenset("now anymore nowadays instead switched migrated replaced renamed reverted".split())
CHANGE_PHRASES = """
no longer|not any longer|not anymore|not any more|any more|any longer|went back|go back to|gone back|back to|as of now
these days|from now on|has become|have become|became|switched to|switched back|switched from|moved to|moved from|moved off
migrated to|migrated from|migrated off|changed to|changed from|upgraded to|upgraded from|downgraded to|converted to
renamed to|replaced by|replaced with|in favour of|in favor of|rather than|was dropped|has been dropped|no more|dropped
replaces|retired|got rid of|stopped using|stopped|ceased|switch to|switching to|moving to|now on|turned into
"""
"""Phrases of change: what they oppose was true until then."""

ENDED = """
no longer|not any longer|not anymore|not any more|stopped|ceased|no more|got rid of|retired|dropped|moved off
abandoned|removed|quit
"""
"""Phrases that deny the present only: the clause is true of the past."""

PAST_AUX = frozenset("was were had did wasn't weren't hadn't didn't".split())
PAST_PHRASES = """
used to|formerly|previously|until|back then|at the time|in the past|originally|ago|yesterday|once|last week
last month|last year
"""
FUTURE = """
will|going to|gonna|next week|next month|next sprint|next year|next quarter|tomorrow|soon|plan to|plans to
planning to|eventually|wo|'ll|shall
"""
ASIDE = """
temporarily|for now|for the moment|for the time being|during|meanwhile|momentarily|occasionally|sometimes
usually|normally|typically|generally|mostly|often|mainly
"""
"""Qualifiers that bound a statement in time without naming it, or leave room for exceptions."""

REPLIES = frozenset("no nope nah never yes yeah yep".split())
"""Words that as a bare reply answer what is not in the text."""

CLAUSE_BREAKS = frozenset("but however whereas while although though because unless except yet".split())
FINITE = frozenset(
    """is are was were has have had do does did can could will would shall should may might must isn't aren't wasn't weren't
    hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shouldn't mustn't cannot am""".split()
)
AUX = FINITE | frozenset("be been being 's 're 'm 've 'll 'd ca wo get gets got".split())
COPULAS = frozenset("is are was were be am 's 're 'm been being equals becomes became remains stays".split())
PREPOSITIONS = frozenset(
    """in on at by for from to into onto with within about of off over under before after between through during until since
    above below near behind beside along across against among around per via upon without toward towards inside outside up
    down out as than despite beyond""".split()
)
OPPOSED_PREPOSITIONS = frozenset(
    "on off up down in out before after above below over under inside outside with".split()
)
"""Prepositions and particles that stay content, since each has an opposite."""

LEADING_TIMES = frozenset("in on at by since from until during as".split())
SUBJECT_PRONOUNS = frozenset("he she it they this that these those him her them".split())
FUNCTION_WORDS = HEDGES | frozenset(
    """a an the some any each every all both this that these those there here i we you our my your me us his its their whose
    which who whom what when where be been being am is are was were do does did done doing have has had having can could will
    would shall should may might must and or nor so than then too very really quite rather just only also even still already
    ever please note reminder fyi hint tip remember make-sure always usually often generally typically normally simply
    ok okay well least most now currently today as if while with of to in on at by for from into onto about within via per it he she
    they him her them one ones s re ll ve d m t not no never none nobody nothing neither without cannot decided agreed
    sure want going one's own such same thing things lot lots mainly mostly actually certainly indeed again back
    anymore longer instead yesterday today tomorrow tonight nowadays ago lately recently
    ca wo get gets got let lets let's""".split()
)
"""Words that carry no content of their own in a comparison."""
