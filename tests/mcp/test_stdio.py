"""The real process over real pipes: nothing but protocol on stdout, and a prompt end however it is asked to end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hydramind.settings import Settings

COMMAND = Path(sys.executable).with_name("hydramind")
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Pipe:
    """One server process; replies are found by their id."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines = list[bytes]()
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin, self.stdout = process.stdin, process.stdout

    def send(self, text: str) -> None:
        """One line of input."""
        self.stdin.write(text.encode() + b"\n")

    async def reply(self) -> Any:
        """The next message, which must be one line of JSON-RPC in UTF-8."""
        line = await self.stdout.readline()
        self.lines.append(line)
        message = json.loads(line.decode())
        assert message["jsonrpc"] == "2.0"
        return message

    async def ask(self, ident: str | int, method: str, params: Mapping[str, Any]) -> Any:
        """Send a request and take the next message, which must be its reply."""
        self.send(json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params}))
        message = await self.reply()
        assert (type(message["id"]), message["id"]) == (type(ident), ident)
        return message["result"]

    async def call(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """Text and failure of a tool call."""
        result = await self.ask(f"call-{tool}", "tools/call", {"name": tool, "arguments": arguments})
        return result["content"][0]["text"], result["isError"]

    async def start(self) -> None:
        """The handshake."""
        await self.ask("init-\u03b1-1", "initialize", INITIALIZE)
        self.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')

    async def rest(self) -> tuple[bytes, str]:
        """What was left on stdout, and all of stderr."""
        out, err = await self.process.communicate()
        return out, err.decode()


@asynccontextmanager
async def running(home: Path, **environ: str) -> AsyncGenerator[Pipe]:
    """The installed command with an environment of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HYDRAMIND_")}
    process = await asyncio.create_subprocess_exec(
        str(COMMAND),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**inherited, "HYDRAMIND_HOME": str(home), "HYDRAMIND_NODE_IDLE_SECONDS": "20", **environ},
        limit=16 * 1024 * 1024,
    )
    try:
        yield Pipe(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(
    "environ",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONWARNINGS": "always", "HYDRAMIND_LOG_LEVEL": "DEBUG"},
    ],
)
async def test_a_session_is_pure_utf8_protocol_on_stdout(
    environ: dict[str, str], embedded_settings: Settings, scope: str
) -> None:
    """Emoji go in and come out under any console encoding; logs and warnings stay on stderr; ids keep value and type."""
    async with running(embedded_settings.home, **environ) as pipe:
        await pipe.start()
        assert len((await pipe.ask(0, "tools/list", {}))["tools"]) == 10
        assert (await pipe.ask(9007199254740993, "tools/list", {}))["tools"]
        text, failed = await pipe.call("remember", content="\N{ROCKET} ok", scope=scope)
        assert not failed, text
        text, failed = await pipe.call("recall", query="ok", scope=scope)
        assert "\N{ROCKET} ok" in text
        assert "\N{ROCKET}".encode() in pipe.lines[-1]
        pipe.stdin.close()
        out, _ = await pipe.rest()
        assert (out, pipe.process.returncode) == (b"", 0)


async def test_half_a_surrogate_pair_is_replaced_and_stops_nothing(embedded_settings: Settings, scope: str) -> None:
    """One poisoned line takes down neither the server nor later reads; a proper pair becomes one character."""
    async with running(embedded_settings.home) as pipe:
        await pipe.start()
        request = (
            '{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            '"params":{"name":"remember","arguments":{"scope":"%s","content":"%s"}}}'
        )
        pipe.send(request % (scope, r"build log \ud83d cut here"))
        assert (await pipe.reply())["id"] == 1
        pipe.send(request % (scope, r"build party \ud83c\udf89"))
        assert (await pipe.reply())["id"] == 1
        text, failed = await pipe.call("recall", query="build", scope=scope)
        assert not failed
        assert "build log \ufffd cut here" in text
        assert "build party \N{PARTY POPPER}" in text


async def test_missing_database_is_a_tool_error_and_the_server_goes_on(tmp_path: Path) -> None:
    """It starts and lists its tools all the same; each call tries again; no secret is printed."""
    uri = f"bolt://127.0.0.1:{closed_port()}"
    async with running(tmp_path, HYDRAMIND_URI=uri, HYDRAMIND_TOKEN="probe-s3cret") as pipe:
        await pipe.start()
        for _ in range(2):
            text, failed = await pipe.call("remember", content="x", scope="s")
            assert failed
            assert text.startswith("unavailable: ")
            assert "Go on without memory" in text
        assert (await pipe.ask(1, "tools/list", {}))["tools"]
        pipe.stdin.close()
        out, err = await pipe.rest()
        assert (out, pipe.process.returncode) == (b"", 0)
        assert "probe-s3cret" not in err + b"".join(pipe.lines).decode()


async def test_wrong_setting_ends_it_at_the_start_with_the_reason_on_stderr(tmp_path: Path) -> None:
    """A host shows stderr when a server does not come up."""
    async with running(tmp_path, HYDRAMIND_HOEM="x") as pipe:
        out, err = await pipe.rest()
        assert out == b""
        assert pipe.process.returncode not in (0, None)
        assert "HYDRAMIND_HOEM" in err
        assert "Traceback" not in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_signal_ends_it_with_code_zero_while_stdin_stays_open(number: signal.Signals, tmp_path: Path) -> None:
    """Hosts signal first and close the pipe later, if at all."""
    async with running(tmp_path) as pipe:
        await pipe.start()
        pipe.process.send_signal(number)
        assert await asyncio.wait_for(pipe.process.wait(), 5) == 0
        out, err = await pipe.rest()
        assert (out, err) == (b"", "")


async def test_signal_with_a_call_in_flight_ends_it_too(embedded_settings: Settings, scope: str) -> None:
    """The open graph is closed on the way; two signals in a row are one."""
    async with running(embedded_settings.home) as pipe:
        await pipe.start()
        await pipe.call("remember", content="x", scope=scope)
        for ident in range(20):
            arguments = {"content": f"note {ident}", "scope": scope}
            params = {"name": "remember", "arguments": arguments}
            pipe.send(json.dumps({"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": params}))
        await pipe.stdin.drain()
        pipe.process.send_signal(signal.SIGINT)
        pipe.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(pipe.process.wait(), 5) == 0
        out, err = await pipe.rest()
        assert "Traceback" not in err
        for line in out.splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"


async def test_end_of_input_waits_for_the_answers_to_what_was_asked(embedded_settings: Settings, scope: str) -> None:
    """Piping a file of requests through the command gives a file of replies."""
    async with running(embedded_settings.home) as pipe:
        arguments = {"content": "piped", "scope": scope}
        for ident, (method, params) in enumerate(
            [("initialize", INITIALIZE), ("tools/call", {"name": "remember", "arguments": arguments})]
        ):
            pipe.send(json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params}))
        pipe.stdin.close()
        out, _ = await pipe.rest()
        replies = [json.loads(line) for line in out.splitlines()]
        assert [reply["id"] for reply in replies] == [0, 1]
        assert "remembered as memory" in replies[1]["result"]["content"][0]["text"]
        assert pipe.process.returncode == 0


async def test_client_that_stops_reading_ends_it_without_a_crash(tmp_path: Path) -> None:
    """A closed pipe is noticed though stdin stays open."""
    read, write = os.pipe()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HYDRAMIND_")}
    process = await asyncio.create_subprocess_exec(
        str(COMMAND),
        stdin=asyncio.subprocess.PIPE,
        stdout=write,
        stderr=asyncio.subprocess.PIPE,
        env={**inherited, "HYDRAMIND_HOME": str(tmp_path)},
    )
    os.close(write)
    os.close(read)
    assert process.stdin is not None
    process.stdin.write(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}).encode() + b"\n"
    )
    await asyncio.wait_for(process.wait(), 10)
    _, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")


async def test_server_ends_when_its_parent_is_gone_though_stdin_stays_open(tmp_path: Path) -> None:
    """A wrapper's descriptors may outlive the client that started it."""
    read, write = os.pipe()
    # The wrapper lives until its own stdin ends; the server's stdout is the wrapper's stderr.
    script = f"import subprocess, sys; subprocess.Popen([{str(COMMAND)!r}], stdin={read}, stdout=2); sys.stdin.read()"
    wrapper = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        script,
        pass_fds=(read,),
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "HYDRAMIND_HOME": str(tmp_path)},
    )
    assert wrapper.stderr is not None
    assert wrapper.stdin is not None
    os.write(
        write, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}).encode() + b"\n"
    )
    assert json.loads(await wrapper.stderr.readline())["id"] == 1
    wrapper.stdin.close()
    await wrapper.wait()
    # The stream ends when its last holder, the server, has ended.
    assert await asyncio.wait_for(wrapper.stderr.read(), 20) == b""
    os.close(read)
    os.close(write)
