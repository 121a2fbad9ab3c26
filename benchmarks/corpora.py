"""Corpora for measuring retrieval: conversations of turns, and questions with the ids of the turns that answer them."""

from __future__ import annotations

import argparse
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

CHUNK_CHARS = 1_000
"""A chunk of a whole file closes before it would grow past this, so every chunk fits the embedders' 512 tokens."""

_EVIDENCE = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")
_STAMP = re.compile(r"\d{8}(?:_\d{2}:?\d{2})?")
_UNANSWERABLE_LAYOUT_CATEGORY = 5


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing to remember; `gold_id` is what questions call it, and several turns may share one (chunks of a file)."""

    evidence_id: str
    gold_id: str
    session: str
    moment: datetime
    speaker: str
    text: str

    @property
    def document(self) -> str:
        """What a plain search index holds of it."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True)
class Question:
    """One question to one conversation; `gold` holds distinct ids that exist there, in the file's order."""

    id: str
    conversation: str
    text: str
    category: str
    gold: tuple[str, ...]
    answerable: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in the order in which they were said."""

    name: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is remembered and asked. `dropped` counts gold ids that do not exist, `skipped` answerable questions without gold."""

    name: str
    conversations: tuple[Conversation, ...]
    questions: tuple[Question, ...]
    dropped: int
    skipped: int

    def first(self, count: int | None) -> Corpus:
        """Only the first conversations and their questions; all of them for None."""
        kept = self.conversations[:count]
        names = {conversation.name for conversation in kept}
        asked = tuple(question for question in self.questions if question.conversation in names)
        return Corpus(self.name, kept, asked, self.dropped, self.skipped)

    def of(self, conversation: str) -> tuple[Question, ...]:
        """The questions to one conversation."""
        return tuple(question for question in self.questions if question.conversation == conversation)


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Which corpus, and how much of it: for `load` and `first`."""
    parser.add_argument("--data", type=Path, required=True, help="a conversation file, or the zip of chat files")
    parser.add_argument("--corpus", choices=("locomo", "lihua"), help="guessed from the file by default")
    parser.add_argument("--limit-conversations", type=int)


def load(path: Path, kind: str | None = None, chunk_chars: int = CHUNK_CHARS) -> Corpus:
    """The corpus of a file, `locomo` or `lihua`; None guesses: a JSON list is `locomo`, a zip or its folder `lihua`."""
    known = kind or _guess(path)
    if known == "lihua":
        return read_lihua(path if path.is_dir() else path.parent, chunk_chars)
    return read_locomo(json.loads(path.read_text(encoding="utf-8")))


def _guess(path: Path) -> str:
    if path.is_dir() or path.suffix == ".zip" or path.name == "query_set.json":
        return "lihua"
    return "locomo"


def read_locomo(samples: Sequence[Mapping[str, Any]]) -> Corpus:
    """Conversations of dated sessions, each turn with its own evidence id; category 5 is about someone else's evidence."""
    conversations = tuple(Conversation(str(sample["sample_id"]), tuple(_turns(sample))) for sample in samples)
    asked: list[Question] = []
    counts: Counter[str] = Counter()
    for sample, conversation in zip(samples, conversations, strict=True):
        known = {turn.gold_id for turn in conversation.turns}
        for number, row in enumerate(sample["qa"]):
            named = repaired(row.get("evidence") or ())
            gold = tuple(id_ for id_ in named if id_ in known)
            counts["dropped"] += len(named) - len(gold)
            if gold:
                asked.append(_question(conversation.name, number, row, gold))
            else:
                counts["skipped"] += 1
    return Corpus("locomo", conversations, tuple(asked), counts["dropped"], counts["skipped"])


def _question(conversation: str, number: int, row: Mapping[str, Any], gold: tuple[str, ...]) -> Question:
    category = int(row["category"])
    answerable = category != _UNANSWERABLE_LAYOUT_CATEGORY
    return Question(f"{conversation}/{number}", conversation, str(row["question"]), str(category), gold, answerable)


def repaired(evidence: Sequence[str]) -> tuple[str, ...]:
    """Distinct ids `D<session>:<turn>` named in entries such as `D8:6; D9:17`, `D:11:26` or `D30:05`."""
    found = (match for entry in evidence for match in _EVIDENCE.finditer(str(entry)))
    return tuple(dict.fromkeys(f"D{int(match[1])}:{int(match[2])}" for match in found))


def _turns(sample: Mapping[str, Any]) -> Iterator[Turn]:
    """The turns of all sessions in order, one second apart within a session."""
    talk = sample["conversation"]
    numbers = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)) and talk[key])
    for number in numbers:
        start = spoken_time(talk[f"session_{number}_date_time"])
        for position, row in enumerate(talk[f"session_{number}"]):
            caption = f" [shared image: {row['blip_caption']}]" if row.get("blip_caption") else ""
            id_, text = str(row["dia_id"]), str(row["text"]) + caption
            yield Turn(id_, id_, str(number), start + timedelta(seconds=position), str(row["speaker"]), text)


def spoken_time(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023` as a moment; the corpus names no zone, so it is read as UTC."""
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def read_lihua(folder: Path, chunk_chars: int = CHUNK_CHARS) -> Corpus:
    """One conversation of chat files in chunks (0: whole files); gold ids are files, category `Null` has no answer."""
    archive = next(iter(sorted(folder.glob("*.zip"))), None)
    if archive is None:
        raise FileNotFoundError(f"no zip of chat files in {str(folder)!r}")
    name = "lihua"
    turns = tuple(turn for stamp, text in chat_files(archive) for turn in chunks(stamp, text, chunk_chars))
    known = {turn.gold_id for turn in turns}
    asked: list[Question] = []
    dropped = skipped = 0
    for number, row in json.loads((folder / "query_set.json").read_text(encoding="utf-8")).items():
        named = tuple(dict.fromkeys(stamp.replace(":", "") for stamp in _STAMP.findall(row["evidence"])))
        gold = tuple(id_ for id_ in named if id_ in known)
        dropped += len(named) - len(gold)
        if gold or row["type"] == "Null":
            answerable = row["type"] != "Null"
            asked.append(Question(f"{name}/{number}", name, row["question"], row["type"], gold, answerable))
        else:
            skipped += 1
    return Corpus(name, (Conversation(name, turns),), tuple(asked), dropped, skipped)


def chat_files(archive: Path) -> list[tuple[str, str]]:
    """Stamp (`20260925_2100`) and text of each chat file, oldest first."""
    with zipfile.ZipFile(archive) as opened:
        names = [name for name in opened.namelist() if name.endswith(".txt")]
        return sorted((Path(name).stem, opened.read(name).decode("utf-8")) for name in names)


def chunks(stamp: str, text: str, chunk_chars: int) -> Iterator[Turn]:
    """Whole messages put together up to `chunk_chars`; a longer message stands alone, and the file's time line is left out."""
    start = datetime.strptime(stamp, "%Y%m%d_%H%M" if "_" in stamp else "%Y%m%d").replace(tzinfo=UTC)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Time:")]
    for position, group in enumerate(_packed(lines, chunk_chars)):
        moment = start + timedelta(seconds=position)
        yield Turn(f"{stamp}#{position}", stamp, stamp, moment, "", "\n".join(group))


def _packed(lines: Sequence[str], limit: int) -> list[list[str]]:
    """Consecutive groups of at most `limit` characters, line breaks counted; one group when `limit` is 0."""
    number, size, places = 0, 0, list[int]()
    for line in lines:
        grown = size + len(line) + 1
        if limit and size and grown > limit:
            number, grown = number + 1, len(line) + 1
        size = grown
        places.append(number)
    paired = zip(places, lines, strict=True)
    return [[line for _, line in group] for _, group in groupby(paired, key=lambda pair: pair[0])]
