"""The floors of an embedder are measured as they are used, and embedders are compared through the product."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime has no wheel for this platform", exc_type=ImportError)

from benchmarks import calibrate, embedders
from benchmarks.calibrate import Sample
from hydramind.mind.gate import Floors
from hydramind.models import OneScope
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.embed.onnx_models import folder, states, unit

SAMPLE = Sample(
    best={"a": [0.9, 0.8], "b": [0.7, 0.9]},
    evidence={"a": [0.9, 0.5], "b": [0.4, 0.9]},
    others={"a": [0.3, 0.8, 0.1], "b": [0.2]},
    unrelated={"a": [0.6, 0.95], "b": [0.65, 0.3]},
)


def talk(name: str, said: list[str], asked: str, gold: str) -> dict[str, object]:
    """One conversation of one session, a word or two a turn, and one question."""
    return {
        "sample_id": name,
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "red", "dia_id": f"D1:{place}", "text": text} for place, text in enumerate(said, start=1)
            ],
        },
        "qa": [{"question": asked, "evidence": [gold], "category": 1}],
    }


TALKS = [
    talk("one", ["kite", "ferry seven", "lake"], "kite kite", "D1:1"),
    talk("two", ["horse", "seven"], "horse lake", "D1:2"),
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two conversations, and an embedder of a few words in the environment."""
    root = folder(tmp_path / "tiny", pooling={"pooling_mode": "mean"})
    monkeypatch.setenv("HYDRAMIND_EMBEDDER", "onnx")
    monkeypatch.setenv("HYDRAMIND_EMBEDDER_PATH", str(root))
    monkeypatch.setenv("HYDRAMIND_EMBEDDER_FLOORS", "0.5,0.25")
    file = tmp_path / "talks.json"
    file.write_text(json.dumps(TALKS), encoding="utf-8")
    return file


def cosine(question: str, turn: str) -> float:
    """What the tiny model makes of both."""
    return float(unit(states(question).mean(axis=0)) @ unit(states(f"red : {turn}").mean(axis=0)))


def test_floors_are_percentiles_of_what_belongs_together() -> None:
    """Of the best cosines, and of the evidence's; never the second above the first."""
    assert calibrate.floors(SAMPLE, 0) == (0.7, 0.4)
    assert calibrate.floors(SAMPLE, 50) == pytest.approx((0.85, 0.7))
    assert calibrate.floors(SAMPLE, 0, only="a") == (0.8, 0.5)
    assert calibrate.floors(Sample({"a": [0.5]}, {"a": [0.9]}, {}, {}), 1) == (0.5, 0.5)


def test_what_floors_do_is_counted() -> None:
    """A value at a floor passes."""
    assert calibrate.judged(SAMPLE, 0.8, 0.5) == {
        "answerable_below_best": 0.25,
        "evidence_below_each": 0.25,
        "unrelated_below_best": 0.75,
        "other_turns_below_each": 0.75,
    }


@pytest.mark.parametrize(
    ("value", "kept"), [(0.8179, 0.817), (0.817, 0.817), (0.81699, 0.816), (-0.2, 0.0), (1.0, 1.0)]
)
def test_floors_are_rounded_down(value: float, kept: float) -> None:
    """So that what was measured still passes; a setting has no negative floor."""
    assert calibrate.down(value) == kept


def test_the_floors_in_use_are_judged_too() -> None:
    """On the same sample as those measured; without any there is nothing to judge."""
    used = calibrate.summary(SAMPLE, "tiny", 1.0, Floors(best=0.8, each=0.5))["in_use"]
    assert (used["best"], used["each"], used["unrelated_below_best"]) == (0.8, 0.5, 0.75)
    assert calibrate.summary(SAMPLE, "tiny", 1.0)["in_use"] == {}


async def test_the_embedder_of_the_environment_is_calibrated(data: Path) -> None:
    """Every question against every conversation: its own for the floors, the other for what is unrelated."""
    found = await calibrate.run(calibrate.arguments_of(["--data", str(data), "--percentile", "0"]))
    own = [[cosine("kite kite", turn) for turn in ("kite", "ferry seven", "lake")]]
    own += [[cosine("horse lake", turn) for turn in ("horse", "seven")]]
    best, each = min(map(max, own)), min(own[0][0], own[1][1])
    assert np.allclose((found["best"], found["each"]), (best, min(best, each)), atol=0.01)
    assert (found["questions"], found["evidence"], found["unrelated"]) == (2, 2, 2)
    assert (found["in_use"]["best"], found["in_use"]["each"]) == (0.5, 0.25)
    first, row, _ = calibrate.told(found).splitlines()
    assert first == f"HYDRAMIND_EMBEDDER_FLOORS={found['floors'][0]},{found['floors'][1]}"
    assert eval(row.strip().rstrip(",").join("{}"), {"Floors": Floors}) == {found["identity"]: Floors(*found["floors"])}


@pytest.mark.engine
async def test_an_embedder_is_measured_through_the_product(
    data: Path, embedded_settings: Settings, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Speed and quality of what the environment names, in a server that was told nothing of it; no scope stays."""
    monkeypatch.setenv("HYDRAMIND_HOME", str(embedded_settings.home))
    found = await embedders.run(embedders.arguments_of(["--data", str(data), "--prefix", f"{scope}-"]))
    assert (found["dimension"], found["vector_bytes"], found["calibrated"], found["passages"]) == (4, 8, True, 5)
    assert found["embedder"].startswith("onnx tiny sha256:")
    assert found["recall"].keys() == {"dense alone", "as shipped", "off"}
    assert {name: row["failed"] for name, row in found["recall"].items()} == dict.fromkeys(found["recall"], 0)
    assert found["recall"]["dense alone"]["r_at_10"] == 1.0
    async with HydraMind.open(embedded_settings) as mind:
        assert (await mind.stats(OneScope.parse({"scope": f"{scope}-one"}))).memories == 0
