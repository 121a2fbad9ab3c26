"""How often does conflict detection find contradictions, and how often does it wrong a true statement?

Reads pairs `{set, a, b, label}` (a is stored, b the draft), runs the detector and, as a peer, the plain negation rule on
the same pairs, and prints precision, recall and F1 a label and set. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import report
from hydramind.mind.conflict import Claim, Kind, detect, forget_analyses

ROOT = Path(__file__).resolve().parent.parent
_CUE = re.compile(r"\b(?:no|not|nobody|none|never|nothing|without|neither|nor|cannot)\b|n't\b", re.IGNORECASE)
_STOP = frozenset("a an the is are was were be being been there and or of in on at to with do does did".split())
_PEER_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Pair:
    """One labelled pair of sentences."""

    group: str
    stored: str
    draft: str
    label: str

    @property
    def half(self) -> str:
        """`look` for the half whose errors may be read while working, `check` for the half that only confirms figures."""
        digest = hashlib.sha256(f"{self.group}\0{self.stored}\0{self.draft}".encode()).hexdigest()
        return "check" if int(digest, 16) % 2 else "look"


def read(path: Path) -> list[Pair]:
    """The pairs of a JSON-lines file."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return [Pair(row["set"], row["a"], row["b"], row["label"]) for row in rows]


def negation_rule(pair: Pair) -> str:
    """The peer: exactly one side holds a negation cue, and half of their content words are common."""
    sides = [_CUE.sub(" ", text.lower()) for text in (pair.stored, pair.draft)]
    cues = [bool(_CUE.search(text)) for text in (pair.stored, pair.draft)]
    words = [{w.rstrip("s") for w in re.findall(r"[a-z0-9]+", side)} - _STOP for side in sides]
    union = words[0] | words[1]
    close = bool(union) and len(words[0] & words[1]) / len(union) >= _PEER_OVERLAP
    return Kind.CONTRADICTS if cues[0] != cues[1] and close else Kind.NONE


def detector(pair: Pair) -> str:
    """The kind our detector gives."""
    return detect(Claim(pair.draft), Claim(pair.stored)).kind


def _ratio(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def figures(pairs: list[Pair], kinds: list[str]) -> dict[str, object]:
    """Precision, recall and F1 of CONTRADICTS for the label `contradiction`, and what other labels suffer."""
    flagged = Counter(pair.label for pair, kind in zip(pairs, kinds, strict=True) if kind == Kind.CONTRADICTS)
    labels = Counter(pair.label for pair in pairs)
    hits, called = flagged["contradiction"], sum(flagged.values())
    precision, recall = _ratio(hits, called), _ratio(hits, labels["contradiction"])
    return {
        "n": len(pairs),
        "base_rate": _ratio(labels["contradiction"], len(pairs)),
        "precision": precision,
        "recall": recall,
        "f1": round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0,
        "flagged": called,
        "entailment_flagged": _ratio(flagged["entailment"], labels["entailment"]),
        "neutral_flagged": _ratio(flagged["neutral"], labels["neutral"]),
        "kinds": {label: dict(_kinds(pairs, kinds, label)) for label in sorted(labels)},
    }


def _kinds(pairs: list[Pair], kinds: list[str], label: str) -> Counter[str]:
    return Counter(str(kind) for pair, kind in zip(pairs, kinds, strict=True) if pair.label == label)


def by_group(pairs: list[Pair], rule: Callable[[Pair], str]) -> dict[str, dict[str, object]]:
    """The figures of each set."""
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.group].append(pair)
    return {group: figures(members, [rule(pair) for pair in members]) for group, members in sorted(groups.items())}


def speed(pairs: Iterable[Pair]) -> dict[str, float]:
    """Pairs a second with nothing remembered, and microseconds a pair with both texts analysed before."""
    claims = [(Claim(pair.draft), Claim(pair.stored)) for pair in pairs]
    forget_analyses()
    start = time.perf_counter()
    for draft, stored in claims:
        detect(draft, stored)
    cold = time.perf_counter() - start
    some = claims[:1000]
    for draft, stored in some:
        detect(draft, stored)
    start = time.perf_counter()
    for draft, stored in some:
        detect(draft, stored)
    warm = time.perf_counter() - start
    return {
        "pairs_per_second": round(len(claims) / cold, 1),
        "warm_microseconds_per_pair": round(warm / len(some) * 1e6, 1),
    }


def _print(title: str, found: dict[str, dict[str, object]]) -> None:
    print(title)
    for group, row in found.items():
        print(
            f"  {group:14} n {row['n']:>5}  base {row['base_rate']:.3f}  precision {row['precision']:.3f}  "
            f"recall {row['recall']:.3f}  F1 {row['f1']:.3f}  entailment flagged {row['entailment_flagged']:.1%}  "
            f"neutral flagged {row['neutral_flagged']:.1%}"
        )


def _print_kinds(found: dict[str, dict[str, object]]) -> None:
    print("kinds by label")
    for group, row in found.items():
        for label, kinds in row["kinds"].items():  # pyright: ignore[reportAttributeAccessIssue]
            print(f"  {group:14} {label:14} " + "  ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())))


def _arguments() -> argparse.Namespace:
    data = Path(os.environ.get("HYDRAMIND_DATA", ROOT.parent / "shared" / "data"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=Path, default=data / "contradiction" / "pairs_dev.jsonl")
    parser.add_argument("--json", action="store_true", help="print the JSON line only")
    return parser.parse_args()


def main() -> None:
    """Measures and prints."""
    arguments = _arguments()
    pairs = read(arguments.pairs)
    ours, peer = by_group(pairs, detector), by_group(pairs, negation_rule)
    halves = {half: by_group([p for p in pairs if p.half == half], detector) for half in ("look", "check")}
    rates = speed(pairs)
    if not arguments.json:
        _print("hydramind, all pairs", ours)
        for half, found in halves.items():
            _print(f"hydramind, half {half!r}", found)
        _print("peer: plain negation rule, all pairs", peer)
        _print_kinds(ours)
        print(f"speed: {rates}")
    report.emit(
        {
            "n": len(pairs),
            "commit": report.commit(),
            "machine": report.machine(),
            **rates,
            "sets": ours,
            "halves": halves,
            "peer": peer,
        }
    )


if __name__ == "__main__":
    main()
