"""What the test server promises: a real Neo4j 5.26 on loopback, assembled only from the jars of the lock file."""

from __future__ import annotations

import importlib
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from neo4j import Driver, GraphDatabase

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "neo4j_server.py"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    """The script as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        yield importlib.import_module("scripts.neo4j_server")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the module's server."""
    return tmp_path_factory.mktemp("neo4j")


@pytest.fixture(scope="module")
def server(script: ModuleType, home: Path) -> Iterator[Any]:
    """A running server and how to reach it."""
    with script.serve(home) as connection:
        yield connection


def command(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """The script as a person runs it."""
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def driver(connection: dict[str, Any]) -> Driver:
    """A driver logged in with the facts that `start` printed."""
    return GraphDatabase.driver(connection["uri"], auth=(connection["username"], connection["password"]))


@pytest.mark.neo4j
def test_a_started_server_is_neo4j_5_26_and_answers(server: Any) -> None:
    """The server names itself Neo4j 5.26 and runs a query on the database it told of."""
    with driver(vars(server)) as neo4j:
        records = neo4j.execute_query("RETURN 1 AS one", database_=server.database).records
        assert neo4j.get_server_info().agent.startswith("Neo4j/5.26")
    assert [record.data() for record in records] == [{"one": 1}]


@pytest.mark.neo4j
def test_secrets_of_a_server_are_readable_by_the_owner_alone(server: Any, home: Path) -> None:
    """The password and the account file have mode 0600, and the password is not on the command line."""
    shown = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(server.pid)], capture_output=True, text=True)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (home / "password", home / "data/dbms/auth.ini")]
    assert modes == [0o600, 0o600]
    assert str(home) in shown.stdout
    assert server.password not in shown.stdout


@pytest.mark.neo4j
def test_a_home_has_one_server(script: ModuleType, server: Any, home: Path) -> None:
    """A second start in the folder of a running server is refused and leaves the first alone."""
    with pytest.raises(script.ServerError, match="already runs"):
        script.start(home)
    with driver(vars(server)) as neo4j:
        neo4j.verify_connectivity()


@pytest.mark.neo4j
def test_two_servers_start_at_the_same_time_and_stop(tmp_path: Path) -> None:
    """Parallel starts in two folders give two servers with their own ports and passwords; stop ends each."""
    homes = [tmp_path / "a", tmp_path / "b"]
    started = [command("start", "--home", home).communicate for home in homes]
    facts = [json.loads(outcome()[0]) for outcome in started]
    for connection in facts:
        with driver(connection) as neo4j:
            neo4j.verify_connectivity()
    assert len({fact["uri"] for fact in facts}) == len({fact["password"] for fact in facts}) == 2
    assert [command("stop", "--home", home).communicate()[0] for home in homes] == ["stopped\n"] * 2
    assert [command("stop", "--home", home).communicate()[0] for home in homes] == ["not running\n"] * 2


@pytest.mark.neo4j
def test_a_killed_server_comes_back_with_its_data(script: ModuleType, tmp_path: Path) -> None:
    """A folder whose server died is started again on its data, under the same password."""
    with script.serve(tmp_path) as first:
        with driver(vars(first)) as neo4j:
            neo4j.execute_query("CREATE (:Kept {id: 7})", database_=first.database)
        os.kill(first.pid, signal.SIGKILL)
        script.stop(tmp_path)
        with script.serve(tmp_path) as second, driver(vars(second)) as neo4j:
            records = neo4j.execute_query("MATCH (n:Kept) RETURN n.id AS id", database_=second.database).records
    assert [record["id"] for record in records] == [7]
    assert second.password == first.password


@pytest.mark.neo4j
def test_a_folder_of_other_things_is_not_used(tmp_path: Path) -> None:
    """A folder with files that no server left is refused before anything is written there."""
    (tmp_path / "notes.txt").write_text("mine")
    outcome = command("start", "--home", tmp_path)
    assert "is not empty" in outcome.communicate()[1]
    assert outcome.returncode == 1
    assert {path.name for path in tmp_path.iterdir()} <= {"notes.txt", "lock"}


@pytest.mark.parametrize(
    ("verb", "package"), [(["prepare"], "maven"), (["start", "--home", "unused"], "openjdk-17-jre-headless")]
)
def test_a_missing_program_is_named_with_its_package(tmp_path: Path, verb: list[str], package: str) -> None:
    """Without Maven or Java the exit code is 2 and the message says what to install."""
    outcome = command(*verb, PATH=str(tmp_path), HYDRAMIND_CACHE=str(tmp_path / "cache"))
    assert f"apt-get install {package}" in outcome.communicate()[1]
    assert outcome.returncode == 2


def test_jars_other_than_those_of_the_lock_file_are_refused(tmp_path: Path) -> None:
    """A download that differs from the lock file is reported and never reaches the cache."""
    maven = tmp_path / "mvn"
    maven.write_text('#!/bin/sh\nmkdir -p jars && echo forged > "jars/neo4j-5.26.30.jar"\n')
    maven.chmod(0o700)
    cache = tmp_path / "cache"
    outcome = command("prepare", PATH=f"{tmp_path}:{os.environ['PATH']}", HYDRAMIND_CACHE=str(cache))
    assert "differ from neo4j.lock" in outcome.communicate()[1]
    assert outcome.returncode == 1
    assert [path.name for path in (cache / "neo4j").iterdir()] == []
