"""`lexical-v1`: what a text mentions, found offline from its letters alone, ranked by how telling it is.

Tiers: 3 times and quantities, 2 names (capitalised runs, acronyms, identifiers, katakana), 1 phrases between stop words,
at most three words long, scored as RAKE does (sum of degree / frequency of their words; Rose et al. 2010). Within a tier
the higher score, then the earlier place goes first. A single capitalised word that opens a sentence is no name in a turn;
in a query it is one and a word of a phrase, for nothing there is capped. A run of Chinese characters is cut at particles;
a piece of 2 to 4 is one phrase, a longer one its overlapping pairs, and a query asks for the pairs of short pieces too.
Hiragana separates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from hydramind.mind.scripts import MARKS
from hydramind.mind.text import STOP_WORDS, canonical_name
from hydramind.mind.time_words import plain
from hydramind.mind.times import expressions

IDENTITY = "lexical-v1"
NAME = 2
"""The tier of a name."""
MOST_MENTIONS = 6
"""Mentions of one turn, its speaker not counted."""
MOST_WORDS = 3
"""Words of a phrase."""
LONGEST_RUN = 6
"""Words of a capitalised run."""

_TALK = frozenset(
    """
    yeah yes yep yup nope nah ok okay oh ah aw wow hey hi hello bye goodbye hmm um uh huh lol haha ha thanks thank thx sorry
    cheers well like really very quite pretty much more most many lot lots bit kind sort type way thing things stuff
    someone somebody anyone anybody everyone everybody nobody nothing everything anywhere somewhere else each every all both
    few several other others another such same own only too even still yet already again always never often sometimes
    usually maybe perhaps probably actually basically literally definitely absolutely totally certainly sure exactly
    indeed though although because since while until unless whether either neither after before during between through
    over under up down out off back away around near without within upon per via toward towards against among along across
    let lets get gets got getting go goes going gone went come comes came coming make makes made making take takes took
    taking put puts see sees saw seen seeing look looks looked looking say says said saying think thinks thought know knows
    knew known want wants wanted need needs needed feel feels felt feeling try tries tried trying seem seems seemed use uses
    used using keep keeps kept mean means meant talk talked talking tell told ask asked guess hope hopes hoping glad happy
    good great nice cool awesome amazing fine bad better best new old big little long next last first now then soon later
    today tonight cannot gonna wanna gotta dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt im
    ive id ill youre youve theyre thats whats theres heres its don doesn didn isn aren wasn weren won couldn shouldn wouldn
    hasn haven hadn ain one ones two mine yours ours theirs hers myself yourself himself herself itself ourselves themselves
    day days time times year years week weeks month months
    """.split()
)
_STOP = STOP_WORDS | _TALK
_UNCOUNTED = _STOP - frozenset("day days time times year years week weeks month months bit".split())
_TITLES = frozenset("mr mrs ms dr prof st".split())
_INSIDE = frozenset("of the de del la le van von der den da di du &".split())
"""Small words that a name may hold between its capitals."""

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PARTICLES = re.compile("[的了是在我你您他她它们們这這那吗嗎呢吧啊很]")
_LETTERS = rf"(?![{_HAN}\u3041-\u30ff])\w(?:(?![{_HAN}\u3041-\u30ff])[\w{MARKS}])*+"
_TOKEN = re.compile(
    rf"(?P<han>[{_HAN}]+)|(?P<katakana>[\u30a1-\u30fa\u30fc]{{2,}})|(?P<other>[\u3041-\u30ff])"
    rf"|(?P<word>[#@]?{_LETTERS}(?:[-.'\u2019]{_LETTERS})*+)"
    r"|(?P<end>[.!?:;…。！？\x00\"“(])|(?P<mark>[^\s])"
)
_QUANTITY = re.compile(
    r"(?<![\w.,:#@/'\u2019-])[$€£¥]? ?(?P<number>[0-9][0-9,]*+(?:[.:][0-9]++)*+)"
    r"(?P<glued>%|(?:[a-z]{1,3}|[\u00b0\u00b5][a-z]{0,2})(?![\w-]))?(?: (?P<unit>[^\W\d_]{2,20})\b)?(?![\w-]|[.:][0-9])",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"#\d|(?=.*\d)(?=.*[^\W\d_]).*|.*\w_\w|.*[a-z][A-Z]|.*[A-Z]{2}[a-z]{2}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mention:
    """Something a turn names: as written, its key, its tier 1..3, and whether it is the one who speaks."""

    surface: str
    key: str
    tier: int
    who: bool = False


def normal_key(name: str) -> str:
    """The key of a mention: NFC, lower case, one space between words, each without its trailing 's."""
    words = canonical_name(name).replace("\u2019", "'").split()
    return " ".join(word for word in (word.removesuffix("'s") for word in words) if word)


def mentions(text: str, speaker: str = "") -> tuple[Mention, ...]:
    """What a turn mentions, most telling first, at most MOST_MENTIONS with distinct keys, then its `speaker` unless blank,
    who counts once. Linear in the length of `text`."""
    who = normal_key(speaker)
    found = [each for each in _ranked(text, asked=False) if each.key != who][:MOST_MENTIONS]
    return (*found, Mention(" ".join(speaker.split()), who, 2, who=True)) if who else tuple(found)


def query_keys(query: str) -> tuple[str, ...]:
    """The distinct keys a query asks for, most telling first, none cut off."""
    return tuple(each.key for each in _ranked(query, asked=True))


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, run or mark at [start, end) of a line; `kind` is the group of the pattern, "stop" for a word of no weight."""

    kind: str
    text: str
    start: int
    end: int
    opens: bool
    """Whether it opens a sentence."""

    @property
    def is_sure_name(self) -> bool:
        """An acronym or an identifier: a name wherever it stands."""
        letters = self.text.removesuffix("s")
        return self.kind == "word" and (
            (len(letters) > 1 and letters.isupper() and letters[:1].isalpha()) or bool(_IDENTIFIER.match(self.text))
        )

    @property
    def is_capital(self) -> bool:
        return self.kind == "word" and (self.text[:1].isupper() or self.is_sure_name)


@dataclass(frozen=True, slots=True)
class _Candidate:
    surface: str
    tier: int
    place: int
    score: float = 0.0


def _ranked(text: str, asked: bool) -> list[Mention]:
    """Every mention with a distinct key, by tier, score and place."""
    line = plain(" \x00 ".join(text.splitlines()))
    times = list(_times_and_quantities(line))
    tokens = _outside(_tokens(line), times)
    names, rest = _names(line, tokens, asked)
    candidates = [_Candidate(line[start:end], 3, start) for start, end in times]
    candidates += [*names, *_phrases(line, rest), *_east_asian(tokens, asked)]
    candidates.sort(key=lambda each: (-each.tier, -each.score, each.place))
    distinct: dict[str, Mention] = {}
    for each in candidates:
        key = normal_key(each.surface)
        distinct.setdefault(key, Mention(each.surface, key, each.tier))
    return list(distinct.values())


def _times_and_quantities(line: str) -> Iterator[tuple[int, int]]:
    """[start, end) of times, and of numbers with a sign, a unit or more than one digit outside of them; in order."""
    times = expressions(line)
    yield from _merged(times, _quantities(line))


def _quantities(line: str) -> Iterator[tuple[int, int]]:
    for match in _QUANTITY.finditer(line):
        signed = match["glued"] or not match.group().lstrip()[0].isdigit()
        counted = match["unit"] and not signed and match["unit"].lower() not in _UNCOUNTED
        end = match.end() if counted or not match["unit"] else match.start("unit") - 1
        start = match.end() - len(match.group().lstrip())
        bare = not counted and not signed and line[start:end].isdigit()
        if not bare or end - start > 1:
            yield start, end


def _merged(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Both in order; of what overlaps, the one that begins earlier, `first` before `second`."""
    behind = 0
    for start, end in sorted([*first, *second], key=lambda each: each[0]):
        if start >= behind:
            yield start, end
            behind = end


def _tokens(line: str) -> list[_Token]:
    found: list[_Token] = []
    opens = True
    for match in _TOKEN.finditer(line):
        kind, word = match.lastgroup or "", match.group()
        if kind == "word" and all(part in _STOP for part in normal_key(word).split("'")):
            kind = "stop"
        found.append(_Token(kind, word, match.start(), match.end(), opens))
        titled = len(found) > 1 and word == "." and found[-2].text.lower() in _TITLES
        opens = not titled and (kind == "end" or (opens and kind == "mark"))
    return found


def _outside(tokens: list[_Token], taken: list[tuple[int, int]]) -> list[_Token]:
    """`tokens` with those inside a taken stretch turned into marks: they separate and are used up."""
    left = iter(taken)
    stretch = next(left, None)
    result: list[_Token] = []
    for token in tokens:
        while stretch and stretch[1] <= token.start:
            stretch = next(left, None)
        inside = stretch is not None and token.end > stretch[0]
        result.append(_Token("mark", token.text, token.start, token.end, token.opens) if inside else token)
    return result


def _names(line: str, tokens: list[_Token], asked: bool) -> tuple[list[_Candidate], list[_Token]]:
    """Capitalised runs, acronyms and identifiers, and the tokens with those of names turned into marks."""
    names: list[_Candidate] = []
    rest: list[_Token] = []
    index = 0
    while index < len(tokens):
        token, end = tokens[index], _run_end(tokens, index)
        doubtful = end == index + 1 and token.opens and not token.is_sure_name
        if end > index and (asked or not doubtful):
            names.append(_Candidate(line[token.start : tokens[end - 1].end], 2, token.start))
        if end == index or doubtful:
            rest.append(token)
        else:
            rest.append(_Token("mark", "", token.start, tokens[end - 1].end, token.opens))
        index = max(end, index + 1)
    return names, rest


def _run_end(tokens: list[_Token], index: int) -> int:
    """The end of the capitalised run that begins at `index`, `index` itself when none does; an owner ('s) ends one."""
    end = index
    for position in range(index, min(index + LONGEST_RUN, len(tokens))):
        token = tokens[position]
        apart = position > index and token.start - tokens[position - 1].end > 1
        if apart or not (token.is_capital or (position > index and token.text in _INSIDE)):
            break
        if token.is_capital:
            end = position + 1
        if token.text.endswith(("'s", "\u2019s")):
            break
    return end


def _phrases(line: str, tokens: list[_Token]) -> list[_Candidate]:
    """Phrases of at most MOST_WORDS words between whatever is no plain word, with their RAKE scores."""
    chunks: list[list[_Token]] = []
    for plain_words, group in groupby(tokens, key=_weighs):
        run = list(group) if plain_words else []
        chunks += [run[at : at + MOST_WORDS] for at in range(0, len(run), MOST_WORDS)]
    keys = [[normal_key(token.text) for token in chunk] for chunk in chunks]
    frequency = Counter(key for chunk in keys for key in chunk)
    degree: Counter[str] = Counter()
    for chunk in keys:
        for key in chunk:
            degree[key] += len(chunk)
    scores = [sum(degree[key] / frequency[key] for key in chunk) for chunk in keys]
    return [
        _Candidate(line[chunk[0].start : chunk[-1].end], 1, chunk[0].start, score)
        for chunk, score in zip(chunks, scores, strict=True)
    ]


def _weighs(token: _Token) -> bool:
    """Whether a token may stand in a phrase: a word of two letters or more that is neither stop word nor number."""
    return token.kind == "word" and len(token.text) > 1 and any(char.isalpha() for char in token.text)


def _east_asian(tokens: list[_Token], asked: bool) -> Iterator[_Candidate]:
    """Katakana words as names; pieces of Chinese characters as phrases, scored by their length."""
    for token in tokens:
        if token.kind == "katakana":
            yield _Candidate(token.text, 2, token.start)
        elif token.kind == "han":
            for piece in _PARTICLES.split(token.text):
                pairs = [piece[at : at + 2] for at in range(len(piece) - 1)]
                whole = [piece] if 2 <= len(piece) <= 4 else []
                for part in (*whole, *(pairs if asked or not whole else ())):
                    yield _Candidate(part, 1, token.start, float(len(part)))
