"""Each benchmark runs at a small size and says what it promises; its speed is nobody's business here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import demo, races, report, smoke_eval, stress
from benchmarks.facts import facts
from benchmarks.places import Embedded
from hydramind.models import OneScope
from hydramind.service import HydraMind
from hydramind.settings import Settings

ORIGIN = {"commit", "hydramind", "engine", "agent", "embedded", "driver", "machine"}


@pytest.mark.engine
async def test_the_memory_keeps_its_six_promises(embedded_settings: Settings) -> None:
    """All six cases pass, each by several checks, and their scopes are gone afterwards."""
    lines: list[str] = []
    result = await smoke_eval.evaluate(embedded_settings, lines.append)
    failed = [check for row in result["cases"] for check in row["checks"] if not check["passed"]]
    assert failed == []
    assert (result["passed"], result["failed"], len(lines)) == (6, 0, 6)
    assert min(len(row["checks"]) for row in result["cases"]) >= 3
    assert result.keys() >= ORIGIN
    async with HydraMind.open(embedded_settings) as mind:
        assert not [scope for scope in await mind.scopes() if scope.name.startswith("smoke-")]


@pytest.mark.engine
async def test_a_failed_check_fails_its_case(embedded_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A promise that is not kept is counted and shown."""

    async def broken(trial: smoke_eval.Trial) -> None:
        """Never true."""
        trial.check("one", 1, 2)

    lines: list[str] = []
    monkeypatch.setattr(smoke_eval, "CASES", {"broken": broken})
    result = await smoke_eval.evaluate(embedded_settings, lines.append)
    assert (result["passed"], result["failed"]) == (0, 1)
    assert lines == ["FAILED  broken: Never true.", "        one: got 1, expected 2"]


@pytest.mark.engine
async def test_the_demo_ends_at_its_three_trusts(
    embedded_settings: Settings, scope: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """1.0 -> 0.6, 0.85 and 0.70, with the conflict told before the write and a question left unanswered."""
    async with HydraMind.open(embedded_settings) as mind:
        assert await demo.tell(mind, scope) == {"contradicted": 0.6, "one hop": 0.85, "two hops": 0.7}
    told = capsys.readouterr().out
    assert told.index("before writing") < told.index("trust 1.00 -> 0.60") < told.index("nothing: none of 4 memories")


@pytest.mark.engine
async def test_stress_finds_every_fact_before_and_after_a_restart(embedded_settings: Settings) -> None:
    """A small run states its shape, its figures and its ratios."""
    arguments = stress.arguments_of("--writes 12 --workers 3 --recall-probes 5 --memories 20 --warm-up 10".split())
    result = await stress.measure(Embedded(embedded_settings), arguments)
    assert (result["exact"], result["restart"]["exact"], result["restart"]["server_restarted"]) == (5, 5, True)
    assert result["restart"]["findings"] == []
    assert result["restart"]["memories"] == 20 + 10 + 12
    assert (result["write"]["n"], result["recall"]["n"], result["floor"]["write"]["n"]) == (12, 5, 12)
    assert {"to_floor", "to_reference", "bars", "bars_met", "preload"} | ORIGIN <= result.keys()


@pytest.mark.engine
@pytest.mark.parametrize("kill", ["clients", "node"])
async def test_a_small_race_is_clean(embedded_settings: Settings, kill: str) -> None:
    """Two processes, killed clients or a killed server: nothing lost, doubled, unexplained or unsound."""
    race = races.Race(processes=2, writers=2, seconds=3.0, kill=kill, seed=5, scope=f"test-race-{kill}")
    result = await races.run_round(race, Embedded(embedded_settings))
    assert result.pop("wrong") == {}
    assert {name: result[name] for name in races.TROUBLE} == dict.fromkeys(races.TROUBLE, 0)
    assert result["acknowledged"]["total"] > 0
    async with HydraMind.open(embedded_settings) as mind:
        assert (await mind.stats(OneScope.parse({"scope": race.scope}))).memories == 0


def test_facts_are_unique_and_repeatable() -> None:
    """The same seed gives the same facts, and no question or content twice."""
    first, again = ([next(stream) for stream in [facts(7)] for _ in range(500)] for _ in range(2))
    assert first == again
    assert len({fact.content for fact in first}) == len({fact.question for fact in first}) == 500


def test_percentiles_are_nearest_rank_over_all_samples() -> None:
    """Of 1..100 ms: the 50th, 95th and 99th."""
    found = report.percentiles([number / 1_000 for number in range(100, 0, -1)])
    assert found == {"p50_ms": 50.0, "p95_ms": 95.0, "p99_ms": 99.0, "n": 100}
    assert report.percentiles([0.002]) == {"p50_ms": 2.0, "p95_ms": 2.0, "p99_ms": 2.0, "n": 1}
    assert report.percentiles([]) == {"n": 0}


def test_ratios_have_three_digits_and_survive_zero() -> None:
    """Small ratios keep their digits."""
    assert [report.ratio(1, 3), report.ratio(1, 3_000), report.ratio(5, 0)] == [0.333, 0.000333, 0.0]


def test_the_result_is_one_line_and_the_file_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both hold the same object."""
    result = {"passed": 1, "name": "ü"}
    report.emit(result)
    report.keep(result, tmp_path / "new" / "out.json")
    line = capsys.readouterr().out
    assert (line.count("\n"), json.loads(line)) == (1, result)
    assert json.loads((tmp_path / "new" / "out.json").read_text(encoding="utf-8")) == result
