"""Starting and sharing one node, and what it shows to the outside."""

# ruff: noqa: ASYNC240 - a test looks at files while nothing else runs on its loop

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from pathlib import Path

import neo4j
import pytest
from conftest import furnished
from node_process import Client, command_line, javas_of, listeners, processes_of, until

from hydramind.node import NodeAddress, NodeOptions, acquire, log_path, status, stop, tail

pytestmark = pytest.mark.engine


def silent(_text: str) -> None:
    """No report."""


async def one(address: NodeAddress, query: neo4j.Query | str, **parameters: object) -> object:
    """The single value a query returns."""
    auth = (address.username, address.password)
    async with neo4j.AsyncGraphDatabase.driver(address.uri, auth=auth) as driver:
        records, _, _ = await driver.execute_query(query, parameters, database_=address.database)  # type: ignore[arg-type]
    return records[0][0]


async def test_a_fresh_home_gets_a_node_that_answers_queries(options: NodeOptions) -> None:
    """The first client starts it and is told so."""
    remarks: list[str] = []
    lease = await acquire(options, remarks.append)
    assert await one(lease.address, "RETURN 41 + 1 AS answer") == 42
    assert remarks == ["starting the graph node"]
    found = await status(options)
    assert (found.state, found.answers, found.in_use, found.pid) == ("running", True, True, lease.address.pid)
    await lease.release()


async def test_two_processes_that_come_at_once_share_one_node(home: Path) -> None:
    """One of them starts it; neither finds a word on its stdout."""
    clients = [await Client.start(home) for _ in range(3)]
    answers = await asyncio.gather(*(client.answer() for client in clients))
    assert len(set(answers)) == 1
    assert sum(client.remarks.count("starting the graph node\n") for client in clients) == 1
    assert len(javas_of(home)) == 1
    assert [await client.end() for client in clients] == [b"", b"", b""]


async def test_the_node_outlives_its_clients_and_keeps_what_they_wrote(home: Path, options: NodeOptions) -> None:
    """A client that ends leaves the node to the next."""
    first = await acquire(options, silent)
    await one(first.address, "CREATE (m:Memory {id: 7}) RETURN m.id AS id")
    await first.release()
    second = await acquire(options, silent)
    assert second.address == first.address
    assert await one(second.address, "MATCH (m:Memory {id: 7}) RETURN count(m) AS n") == 1
    await second.release()


async def test_a_node_nobody_uses_stops_by_itself(home: Path) -> None:
    """It runs while a client lives, even one that does nothing, and ends when that one was killed."""
    client = await Client.start(home, idle_seconds=1)
    pid, _ = await client.answer()
    await until(lambda: command_line(pid) != "", 1.0)
    client.process.kill()
    await client.end()
    await until(lambda: processes_of(home) == {})
    found = await status(NodeOptions(home))
    assert (found.state, found.answers, found.in_use, found.pid) == ("stopped", False, False, None)


async def test_a_held_lease_keeps_an_idle_node_running(fresh: Path, class_cache: Path) -> None:
    """Another node with the same idle time, but without a client, has stopped meanwhile."""
    held, left = (furnished(fresh / name, class_cache) for name in ("held", "left"))
    lease = await acquire(NodeOptions(held, idle_seconds=1), silent)
    await (await acquire(NodeOptions(left, idle_seconds=1), silent)).release()
    await until(lambda: processes_of(left) == {})
    assert javas_of(held) == [lease.address.pid]
    await lease.release()


async def test_stop_ends_keeper_and_java_and_a_restart_keeps_port_and_data(home: Path, options: NodeOptions) -> None:
    """Stopping what does not run says so."""
    assert await stop(options) is False
    lease = await acquire(options, silent)
    await one(lease.address, "CREATE (m:Memory {id: 7}) RETURN m.id AS id")
    await lease.release()
    assert await stop(options) is True
    await until(lambda: processes_of(home) == {})
    again = await acquire(options, silent)
    assert (again.address.uri, again.address.password) == (lease.address.uri, lease.address.password)
    assert again.address.pid != lease.address.pid
    assert await one(again.address, "MATCH (m:Memory {id: 7}) RETURN count(m) AS n") == 1
    await again.release()


async def test_the_secret_is_in_no_command_line_no_environment_and_no_log(home: Path, options: NodeOptions) -> None:
    """It is in its own file only, and the address does not print it."""
    lease = await acquire(options, silent)
    secret = lease.address.password
    assert len(secret) >= 32
    assert secret not in repr(lease.address)
    running = processes_of(home)
    assert len(running) == 2
    for pid, line in running.items():
        assert secret not in line
        assert secret.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
    holders = [path.name for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert holders == ["secret"]
    await lease.release()


async def test_every_file_of_the_node_is_for_its_owner_only(home: Path, options: NodeOptions) -> None:
    """Folders 0700; files without a bit for group and others."""
    lease = await acquire(options, silent)
    await lease.release()
    await stop(options)
    paths = [home, *home.rglob("*")]
    assert [path for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    assert stat.S_IMODE((home / "node" / "secret").stat().st_mode) == 0o600


async def test_the_node_listens_on_loopback_only(options: NodeOptions) -> None:
    """Bolt and the HTTP port that cannot be switched off; nothing else listens."""
    lease = await acquire(options, silent)
    runtime = json.loads((options.home / "node" / "node.json").read_text())
    loopback = {"0100007F", "0000000000000000FFFF00000100007F"}
    found = listeners(lease.address.pid)
    assert {address.split(":")[0] for address in found} <= loopback
    assert {int(address.split(":")[1], 16) for address in found} == {runtime["port"], runtime["http_port"]}
    await lease.release()


async def test_a_taken_port_is_left_to_its_owner(home: Path, options: NodeOptions) -> None:
    """The node of a home keeps its port, but takes another when a stranger listens there."""
    lease = await acquire(options, silent)
    await lease.release()
    await stop(options)
    port = int(lease.address.uri.rsplit(":", 1)[1])
    with socket.create_server(("127.0.0.1", port)):
        again = await acquire(options, silent)
    assert again.address.uri != lease.address.uri
    assert await one(again.address, "RETURN 1 AS one") == 1
    assert len(javas_of(home)) == 1
    await again.release()


@pytest.mark.parametrize("content", [b"", b"\0\xff", b'{"state": "ready"}', b"[]", b'{"state": 1, "port": "x"}'])
async def test_a_broken_runtime_file_is_no_obstacle(home: Path, options: NodeOptions, content: bytes) -> None:
    """Whatever stands there, status reads it as no node."""
    (home / "node" / "node.json").write_bytes(content)
    assert (await status(options)).state == "stopped"


async def test_a_stale_runtime_file_that_names_a_living_process_is_no_obstacle(
    home: Path, options: NodeOptions
) -> None:
    """Its pid has passed to this very process, which survives start and stop."""
    stale = {
        "state": "ready",
        "port": 9,
        "http_port": 9,
        "pid": os.getpid(),
        "keeper_pid": os.getpid(),
        "started_at": 1.0,
    }
    (home / "node" / "node.json").write_text(json.dumps(stale))
    assert (await status(options)).state == "stopped"
    assert await stop(options) is False
    lease = await acquire(options, silent)
    assert lease.address.pid != os.getpid()
    await lease.release()
    assert await stop(options) is True


async def test_a_path_with_spaces_and_letters_of_many_scripts_works(fresh: Path, class_cache: Path) -> None:
    """Java opens it whatever the client's locale says."""
    options = NodeOptions(furnished(fresh / "mémoire d'été 記憶 💾", class_cache))
    lease = await acquire(options, silent)
    assert await one(lease.address, "RETURN 1 AS one") == 1
    await lease.release()
    await stop(options)
    assert (options.home / "node" / "server" / "databases" / "hydramind").is_dir()


async def test_the_log_tells_of_start_and_stop(options: NodeOptions) -> None:
    """Empty before the first start."""
    assert tail(options) == []
    lease = await acquire(options, silent)
    await lease.release()
    await stop(options)
    text = "\n".join(tail(options, 1_000))
    assert "ArcadeDB Server started" in text
    assert "ArcadeDB Server is down" in text
    assert log_path(options).is_file()
    assert len(tail(options, 2)) == 2


async def test_the_class_cache_made_after_a_first_stop_is_used_from_then_on(class_cache: Path, home: Path) -> None:
    """One file, no leavings."""
    (made,) = class_cache.iterdir()
    assert made.suffix == ".aot"
    lease = await acquire(NodeOptions(home), silent)
    assert f"-XX:AOTCache={home / 'node' / 'cache' / made.name}" in command_line(lease.address.pid)
    await lease.release()


async def test_a_damaged_class_cache_does_not_keep_the_node_from_starting(class_cache: Path, fresh: Path) -> None:
    """Java warns and goes on without it."""
    (made,) = class_cache.iterdir()
    (fresh / "node" / "cache").mkdir(parents=True)
    (fresh / "node" / "cache" / made.name).write_bytes(b"not a cache")
    lease = await acquire(NodeOptions(fresh), silent)
    assert await one(lease.address, "RETURN 1 AS one") == 1
    await lease.release()
