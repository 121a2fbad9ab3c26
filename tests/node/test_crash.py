"""kill -9 of Java, of the keeper and of clients, while others are attached."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from node_process import Client, command_line, javas_of, processes_of, until

from hydramind.errors import Unavailable
from hydramind.node import NodeOptions, acquire, status, stop
from hydramind.node.keeper.locks import is_held

pytestmark = pytest.mark.engine


def silent(_text: str) -> None:
    """No report."""


async def keeper_of(options: NodeOptions) -> int:
    """Its pid."""
    found = await status(options)
    assert found.keeper_pid is not None
    return found.keeper_pid


async def kill_keeper(options: NodeOptions) -> None:
    """kill -9, and the kernel has done it."""
    os.kill(await keeper_of(options), signal.SIGKILL)
    await until(lambda: not is_held(options.home / "node" / "keeper.lock"))


async def test_several_clients_revive_a_killed_java_once(home: Path, options: NodeOptions) -> None:
    """Same port, one new process, one starter among the clients."""
    clients = [await Client.start(home) for _ in range(3)]
    before = set(await asyncio.gather(*(client.answer() for client in clients)))
    ((pid, uri),) = before
    started = sum(client.remarks.count("starting the graph node\n") for client in clients)
    os.kill(pid, signal.SIGKILL)
    for client in clients:
        client.ask("revive")
    ((new_pid, new_uri),) = set(await asyncio.gather(*(client.answer() for client in clients)))
    assert (started, new_uri) == (1, uri)
    assert new_pid != pid
    assert javas_of(home) == [new_pid]
    assert sum(client.remarks.count("starting the graph node\n") for client in clients) == 2
    assert [await client.end() for client in clients] == [b"", b"", b""]


async def test_a_killed_keeper_is_replaced_and_its_java_is_not_left_behind(home: Path, options: NodeOptions) -> None:
    """The next acquire and the revive of the attached client meet at the same new node."""
    first = await acquire(options, silent)
    await kill_keeper(options)
    second, revived = await asyncio.gather(acquire(options, silent), first.revive())
    assert second.address == revived
    assert revived.uri.startswith("bolt://127.0.0.1:")
    assert javas_of(home) == [revived.pid]
    assert command_line(await keeper_of(options)) != ""
    await first.release()
    await second.release()


async def test_killing_keeper_and_java_together_costs_only_a_restart(home: Path, options: NodeOptions) -> None:
    """Nothing they left behind stands in the way."""
    lease = await acquire(options, silent)
    await kill_keeper(options)
    os.kill(lease.address.pid, signal.SIGKILL)
    before = lease.address
    after = await lease.revive()
    assert (after.uri, after.password) == (before.uri, before.password)
    assert javas_of(home) == [after.pid]
    await lease.release()


async def test_revive_of_a_healthy_node_changes_nothing(options: NodeOptions) -> None:
    """Many at once are as good as one."""
    lease = await acquire(options, silent)
    before = lease.address
    assert await asyncio.gather(*(lease.revive() for _ in range(5))) == [before] * 5
    await lease.release()


async def test_a_released_lease_revives_no_node(home: Path, options: NodeOptions) -> None:
    """Whoever gave it up acquires anew; giving up twice is no error."""
    lease = await acquire(options, silent)
    await lease.release()
    await lease.release()
    with pytest.raises(Unavailable, match="acquire a new one"):
        await lease.revive()


async def test_java_of_a_killed_keeper_ends_without_any_client(home: Path, options: NodeOptions) -> None:
    """Nobody has to come back for it."""
    lease = await acquire(options, silent)
    await lease.release()
    await kill_keeper(options)
    await until(lambda: processes_of(home) == {} and not is_held(home / "node" / "java.lock"))
    assert await stop(options) is False


async def test_a_java_that_hangs_is_ended_with_its_killed_keeper(home: Path, options: NodeOptions) -> None:
    """A stopped process hears no polite request."""
    lease = await acquire(options, silent)
    os.kill(lease.address.pid, signal.SIGSTOP)
    await kill_keeper(options)
    before = lease.address
    after = await lease.revive()
    assert after.pid != before.pid
    assert javas_of(home) == [after.pid]
    await lease.release()
