"""Opposites of general and technical English, as plain data: pairs of words, each in its dictionary form."""

from __future__ import annotations

from functools import cache, lru_cache

from hydramind.mind.conflict.tokens import key

PAIRS = """
enabled/disabled on/off before/after allowed/forbidden allow/forbid allowed/disallowed allow/disallow allow/deny
allowed/prohibited allow/prohibit allow/ban allowed/blocked allow/block permit/forbid permit/prohibit permit/deny
inclusive/exclusive include/exclude required/optional mandatory/optional compulsory/optional compulsory/voluntary
mandatory/voluntary manual/automatic manual/automated manually/automatically sync/async synchronous/asynchronous
synchronously/asynchronously up/down above/below over/under inside/outside with/without used/unused public/private
open/closed open/shut open/close increase/decrease increase/reduce raise/lower grow/shrink rise/fall gain/lose
start/stop begin/end begin/finish start/finish first/last early/late earlier/later old/new young/old
true/false yes/no correct/wrong right/wrong correct/incorrect valid/invalid pass/fail passing/failing succeed/fail
success/failure accept/reject accept/refuse accept/decline approve/reject approved/rejected merge/reject approved/provisional
provisional/final provisional/permanent draft/final draft/approved tentative/final tentative/confirmed
temporary/permanent add/remove add/delete create/delete create/destroy insert/delete insert/remove attach/detach
connect/disconnect connected/disconnected lock/unlock locked/unlocked encrypt/decrypt compress/decompress
encrypted/plaintext mount/unmount install/uninstall subscribe/unsubscribe merge/split join/leave join/split
push/pull send/receive import/export upload/download read/write encode/decode serialize/deserialize
load/unload online/offline local/remote internal/external inbound/outbound incoming/outgoing input/output
client/server global/local static/dynamic mutable/immutable strict/lenient strict/loose stateful/stateless
strong/weak hard/soft hard/easy difficult/easy simple/complex simple/complicated fast/slow quick/slow quickly/slowly
high/low higher/lower tall/short long/short longer/shorter wide/narrow thick/thin deep/shallow big/small large/small
bigger/smaller larger/smaller heavy/light more/less most/least many/few maximum/minimum max/min upper/lower top/bottom
full/empty hot/cold warm/cool wet/dry clean/dirty bright/dark light/dark loud/quiet noisy/quiet noisy/silent
good/bad better/worse best/worst safe/dangerous safe/unsafe secure/insecure healthy/sick alive/dead rich/poor
cheap/expensive free/paid happy/sad happy/unhappy like/dislike like/hate love/hate prefer/hate prefer/dislike
prefer/avoid use/avoid recommend/discourage encourage/discourage agree/disagree support/oppose win/lose buy/sell
borrow/lend give/take push/drag arrive/depart enter/leave enter/exit come/go sleep/wake asleep/awake sit/stand
present/absent visible/hidden show/hide appear/disappear remember/forget keep/discard keep/remove keep/drop
preserve/discard save/discard known/unknown common/rare frequent/rare frequently/rarely often/rarely often/seldom
always/never everything/nothing everyone/nobody all/none everywhere/nowhere possible/impossible able/unable
complete/incomplete consistent/inconsistent compatible/incompatible dependent/independent explicit/implicit
formal/informal active/inactive active/passive active/idle busy/idle running/stopped healthy/unhealthy
deterministic/random sequential/parallel serial/parallel sorted/unsorted ascending/descending odd/even
positive/negative horizontal/vertical left/right front/back forward/backward forwards/backwards north/south
east/west singular/plural uppercase/lowercase eager/lazy greedy/lazy pessimistic/optimistic blocking/nonblocking
mono/stereo analog/digital analogue/digital male/female shared/exclusive shared/dedicated signed/unsigned
primary/secondary major/minor master/slave parent/child ancestor/descendant deprecated/supported supported/unsupported
stable/unstable stable/flaky reliable/flaky reliable/unreliable centralized/decentralized centralised/decentralised
opt-in/opt-out case-sensitive/case-insensitive sensitive/insensitive in-memory/on-disk lossless/lossy
backwards-compatible/breaking guilty/innocent married/single present/past ancient/modern natural/artificial
talking/silent speak/silent asleep/working laugh/cry fill/drain tighten/loosen wrap/unwrap dress/undress
whitelist/blacklist allowlist/denylist allowlist/blocklist idempotent/non-idempotent normal/abnormal odd/normal
legal/illegal regular/irregular relevant/irrelevant perfect/imperfect efficient/inefficient accurate/inaccurate
sufficient/insufficient adequate/inadequate visible/invisible finite/infinite flexible/inflexible secure/vulnerable
has/lacks have/lack contain/lack ship/hold rebase/merge-commit continue/halt continue/stop resume/pause
resume/suspend activate/deactivate promote/demote publish/unpublish grant/revoke grant/deny hire/fire
plaintext/ciphertext truthful/lying honest/dishonest trusted/untrusted eventual/immediate lazily/eagerly
"""

NEGATIVE_PREFIXES = ("un", "non-", "non", "dis")
"""Prefixes that turn any word into its opposite; `in-` and `im-` do so in listed pairs only (`import`, `input`)."""

PREFIX_EXCEPTIONS = frozenset(
    "display discover discharge discount discourse distance disposition dispatch disease until unit union under".split()
)
"""Words that only look prefixed: with the prefix gone another word is left."""

_SHORTEST = 3
_NOUNS = "master slave client server parent child input output"


@cache
def _opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for pair in PAIRS.split():
        left, right = (key(word) for word in pair.split("/"))
        table.setdefault(left, set()).add(right)
        table.setdefault(right, set()).add(left)
    return {word: frozenset(others) for word, others in table.items()}


def _prefixed(longer: str, shorter: str) -> bool:
    if len(shorter) < _SHORTEST or longer in _exceptions():
        return False
    return any(longer == prefix + shorter for prefix in NEGATIVE_PREFIXES)


@cache
def _nouns() -> frozenset[str]:
    return frozenset(key(word) for word in _NOUNS.split())


@cache
def _exceptions() -> frozenset[str]:
    return frozenset(key(word) for word in PREFIX_EXCEPTIONS)


def has_opposite(word: str) -> bool:
    """True for a key with an opposite in the table that is a quality or an action: what cannot be a name."""
    return word in _opposites() and word not in _nouns()


@lru_cache(maxsize=50_000)
def opposite(left: str, right: str) -> bool:
    """True when two keys are opposites, by the table or by a prefix that denies."""
    return right in _opposites().get(left, ()) or _prefixed(left, right) or _prefixed(right, left)
