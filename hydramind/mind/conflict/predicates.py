"""Which verbs and role nouns hold one value at a time, as plain data in dictionary form."""

from __future__ import annotations

ROLE_NOUNS = """
owner maintainer lead leader manager boss captain chair ceo cto editor reviewer approver contact assignee author
capital default port version name title password address email phone region zone timezone host hostname url endpoint
language deadline status state birthday birthplace home hometown nationality price cost budget limit ceiling floor
maximum minimum threshold quota timeout lifetime ttl interval size length width height depth rate frequency count total
branch license licence framework database backend provider vendor protocol format schema encoding colour color theme
font currency location venue date time day age weight headquarters office room
engineer architect president director head coordinator sponsor moderator treasurer secretary
"""
"""Nouns that name a slot with one filler: `the owner of X is Y`."""

PERSON_ROLES = """owner maintainer lead leader manager boss captain chair ceo cto reviewer approver contact assignee
author vendor engineer architect president director head coordinator sponsor moderator treasurer secretary"""
"""Role nouns that a person fills: `the owner is happy` names nobody."""

TOOL_MODIFIERS = "package password window process state dependency secrets session version task"
"""Words that make a role a tool: a package manager is nobody."""

LOOSE_NOUNS = """problem issue thing idea point question reason example option choice alternative suggestion part risk
blocker dependency challenge competitor candidate client customer answer step goal plan difference exception
app service product team company place city
movie film book song game show band restaurant class course pet dog cat friend guy"""
"""Nouns of which there are several even where one is told: `the problem is DNS`."""

COMPONENT_NOUNS = """cache broker queue orm linter formatter bundler compiler gateway proxy editor ide shell debugger
runtime platform tool library engine store registry scheduler runner"""
"""Nouns with one filler as a rule: `the linter is ruff`."""

NATIONS = frozenset(
    """american argentinian australian austrian belgian brazilian british canadian chinese czech danish dutch english european
    finnish french german greek indian irish italian japanese korean mexican norwegian polish portuguese romanian russian
    scottish spanish swedish swiss thai turkish ukrainian victorian welsh""".split()
)
"""Capitalised qualities, which name nothing."""

SINGLE_MODIFIERS = (
    "main primary default current only sole official preferred favourite favorite chosen active final canonical"
)
"""Adjectives that make the slot of any noun single: `main editor`."""

OPEN_MODIFIERS = "possible potential available supported another other secondary optional alternative additional extra"
"""Adjectives that leave the slot open to several fillers."""

SINGLE_SLOTS = """
live:in reside:in host:in host:on locate:in locate:at store:in store:on base:in base:on born:in born:on write:in sit:in
run:in deploy:in pin:to set:to default:to listen:on bind:to own:by maintain:by manage:by lead:by name: call: rename:to
lock:to equal: point:to resolve:to belong:to graduate:from report:to
"""
"""`verb:preposition` whose complement is one thing at a time."""

PLAUSIBLE_SLOTS = "work:at work:for study:at write:to build:with deploy:with use:"
"""`verb:preposition` with one complement as a rule: two names are worth a hint."""

SCHEDULED_VERBS = "run deploy meet execute fire trigger start begin happen occur schedule hold"
"""Verbs that with a clock time or a weekday tell a schedule: `the backup runs at 02:00`."""

OUTCOME_VERBS = "approve reject accept refuse decline deny grant merge"
"""Verbs whose passive past tells a state that lasts: what was approved is approved."""

MOVING_VERBS = "move migrate relocate transfer"
"""Verbs that with `to` report a new place."""

PLACED_SLOTS = """
live:in reside:in base:in base:on host:in host:on locate:in run:in run:on deploy:in deploy:on deploy:to store:in
sit:in
"""
"""`verb:preposition` of where something is, which a move replaces."""

STAYED_SLOTS = "work:at work:for work:in live:in study:at belong:to be:on be:in be:at be:with"
"""`verb:preposition` of what one can leave."""

ADJUSTING_VERBS = "raise lower increase reduce decrease bump extend shorten cut"
"""Verbs that with `to` report a new number."""

GROUPS = "team squad group guild project department role position"
"""A move to one of these is not a move of home."""

MEASURED_VERBS = """
be have start begin open close end expire launch ship release finish last cost weigh hold limit cap default set pin
listen bind retain keep allow need require use equal live retry wait sleep happen occur
schedule plan due move ship arrive bear die leave freeze stop total number measure contain store time
"""
"""Verbs after which two different numbers, dates or versions cannot both hold."""

CHANGEABLE_VERBS = """
use prefer live work run go store host deploy build ship write manage lead own maintain report sit belong listen
like love hate want choose play drive study teach eat drink call name serve
"""
"""Verbs whose object `now` replaces."""

EXCLUSIVE_PLACES = "run deploy"
"""Verbs whose place counts as a value only when it is a name: `runs in Dublin`, not `runs in parallel`."""

NOUN_LIKE = """
launch retry build test release deploy run cache log index search query sort filter sample review count measure balance mount
lock touch point route proxy shard sign freeze limit cap cost set name call report store host base read write wait sleep
schedule plan move stop start support need page alert monitor process match fit handle scale visit study archive backup
clone fork commit push pull tag bump merge return request response fetch download upload load save print format lint
check trigger launch spawn close open end use play drive drink cook cut cook pour watch look ride walk run jump swim
"""
"""Verbs that are nouns as often: one that opens a clause is a command only if nothing else can be its verb."""

SETTING_VERBS = "set pin lock cap limit bump raise lower reduce increase decrease default"
"""Commands that fill a slot: `set the timeout to 30 s`."""

VERBS = """
use run build test deploy ship release live work reside store host locate base write read listen bind pin set default
start begin open close end expire launch finish last cost weigh hold limit cap retain keep allow accept expose serve
support need require equal retry wait sleep happen occur schedule plan move arrive leave freeze stop total contain
depend like love hate dislike want prefer choose play drive study teach eat drink call name manage lead own maintain
report sit belong go come get give take make do see know think say tell ask show find put bring send receive return
fail pass succeed crash break fix merge rebase commit push pull tag bump add remove delete create update install
enable disable activate deactivate forbid permit deny ban block avoid skip ignore prevent refuse include exclude import
export load save cache log print parse format lint check verify validate sign encrypt decrypt compress index search
query sort filter map join split copy clone fork archive backup restore migrate switch replace rename convert upgrade
downgrade drop retire deprecate abandon introduce adopt recommend suggest consider discourage encourage beat win lose
buy sell pay hire fire promote speak talk listen walk run ride jump swim sing dance stand lie look watch wear carry
cut cook peel pour stir mix fill throw catch kick hit climb fly fall rise grow shrink increase decrease reduce lower
raise scale exceed reach match fit handle process produce generate emit consume publish subscribe monitor alert page
trigger invoke execute launch spawn kill terminate restart reload refresh sync fetch download upload request respond
connect disconnect attach detach mount lock unlock touch resolve point route proxy balance shard replicate partition
snapshot prune trim clean wash measure count sample review approve reject assign mention believe agree disagree
hear provide
offer bear die hurt cause block affect contain trigger change modify alter swap sunset ditch transition lack miss help
teach visit marry study graduate join attend speak employ prepare secure mark
"""
"""Verbs by which a clause without an auxiliary is parted into subject and complement."""

LIGHT_VERBS = "use have exist be do get contain include run need require support hold carry offer provide"
"""Verbs that only say that something is there: `no Kafka in the mailer` denies `the mailer uses Kafka`."""

ABLE_VERBS = "work run pass build compile start function succeed boot"
"""Verbs whose subject may do so both with and without a thing."""

ADDITIVE = frozenset("also too additionally both either another else other furthermore moreover plus".split())
"""Words that say a value stands beside another one."""

ENVIRONMENTS = frozenset(
    "staging stage production dev development test testing qa local sandbox canary preview nightly ci beta alpha".split()
)
"""Names of environments: a general statement and one about an environment need not agree."""
