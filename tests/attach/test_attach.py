"""Attaching writes one entry and one block, and takes exactly them out again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hydramind.attach import HOSTS, Options, World, run
from hydramind.attach.block import BEGIN, BLOCK, END
from hydramind.attach.files import backup_of
from hydramind.errors import Invalid, Refused, Unsupported

COMMAND = ("/opt/venv/bin/hydramind",)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user without any settings."""
    return World(tmp_path / "home", "linux", {}, COMMAND)


def config_of(host: str, world: World, project: Path | None = None) -> Path:
    """The host's settings file."""
    path = HOSTS[host].config(world, project)
    assert path is not None
    return path


def entry_of(host: str, path: Path) -> Any:
    """Our entry as the host reads it."""
    data: Any = tomllib.loads(path.read_text()) if HOSTS[host].format == "toml" else json.loads(path.read_text())
    for key in HOSTS[host].key:
        data = data[key]
    return data["hydramind"]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below `folder`."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("host", HOSTS)
def test_attach_on_an_empty_machine_and_remove_leaves_nothing(host: str, world: World) -> None:
    """Files that hold nothing but ours are deleted again."""
    run(host, world=world)
    assert entry_of(host, config_of(host, world))["command"] == COMMAND[0]
    run(host, Options(remove=True), world)
    assert tree(world.home) == {}


@pytest.mark.parametrize("host", HOSTS)
def test_attach_twice_changes_nothing_the_second_time(host: str, world: World) -> None:
    """It is idempotent to the byte, and says so."""
    run(host, world=world)
    once = tree(world.home)
    assert "up to date" in run(host, world=world)
    assert tree(world.home) == once


@pytest.mark.parametrize("host", ["claude", "gemini", "cursor", "vscode", "desktop"])
def test_json_entries_and_comments_of_others_survive_and_come_back(host: str, world: World) -> None:
    """The backup holds the bytes from before; --remove brings them back."""
    path, key = config_of(host, world), HOSTS[host].key[0]
    before = f'{{\n  // mine\n  "x": [1, 2],\n  "{key}": {{"other": {{"command": "o"}}}}\n}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before)
    path.chmod(0o600)
    run(host, world=world)
    after = path.read_text()
    assert "// mine" in after
    assert '"other": {"command": "o"}' in after
    assert backup_of(path).read_text() == before
    assert path.stat().st_mode & 0o777 == 0o600
    run(host, Options(remove=True), world)
    assert path.read_text() == before


def test_codex_tables_and_comments_of_others_survive_and_come_back(world: World) -> None:
    """TOML is edited, not rewritten."""
    path = config_of("codex", world)
    before = '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "o" # theirs'
    path.parent.mkdir(parents=True)
    path.write_text(before)
    run("codex", world=world)
    assert path.read_text().startswith(before)
    assert entry_of("codex", path) == {"command": COMMAND[0], "args": [], "startup_timeout_sec": 60}
    run("codex", Options(remove=True), world)
    assert path.read_text() == before


def test_remove_after_the_user_changed_more_takes_out_only_ours(world: World) -> None:
    """A backup is used only where nothing else has changed since."""
    path = config_of("cursor", world)
    path.parent.mkdir(parents=True)
    path.write_text('{"mcpServers": {}}')
    run("cursor", world=world)
    data = json.loads(path.read_text())
    data["mcpServers"]["later"] = {"url": "u"}
    path.write_text(json.dumps(data))
    run("cursor", Options(remove=True), world)
    assert json.loads(path.read_text()) == {"mcpServers": {"later": {"url": "u"}}}


def test_keys_that_the_user_added_to_our_entry_stay(world: World) -> None:
    """How to reach the server is ours, what the host may do with it is the user's."""
    path = config_of("codex", world)
    run("codex", world=world)
    path.write_text(path.read_text().replace("args = []", 'args = []\ndefault_tools_approval_mode = "approve"'))
    run("codex", Options(http_url="http://127.0.0.1:8788/mcp"), world)
    assert entry_of("codex", path) == {
        "url": "http://127.0.0.1:8788/mcp",
        "startup_timeout_sec": 60,
        "default_tools_approval_mode": "approve",
    }


@pytest.mark.parametrize(
    ("host", "text", "line"),
    [
        ("codex", "a = 1\nb = = 2\n", "line 2"),
        ("claude", '{\n  "a": 1,\n  b\n}', "line 3"),
        ("cursor", '{"mcpServers": []}', "line 1"),
        ("gemini", "[]", "line 1"),
    ],
)
def test_broken_config_is_refused_with_its_line_and_left_alone(host: str, text: str, line: str, world: World) -> None:
    """Nothing is written, not even the block."""
    path = config_of(host, world)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    before = tree(world.home)
    with pytest.raises(Refused, match=line):
        run(host, world=world)
    assert tree(world.home) == before


def test_toml_form_that_cannot_be_edited_safely_is_refused(world: World) -> None:
    """An inline table of servers would be closed to further tables."""
    path = config_of("codex", world)
    path.parent.mkdir(parents=True)
    path.write_text('mcp_servers = { other = { command = "o" } }\n')
    with pytest.raises(Refused, match="by hand"):
        run("codex", world=world)
    assert path.read_text() == 'mcp_servers = { other = { command = "o" } }\n'


def test_block_replaces_its_older_self_and_nothing_else(tmp_path: Path, world: World) -> None:
    """What stands around the markers stays."""
    notes = tmp_path / "AGENTS.md"
    notes.write_text(f"# Mine\n\n{BEGIN}\nold words\n{END}\nAfter.\n")
    run("codex", Options(project=tmp_path), world)
    assert notes.read_text() == f"# Mine\n\n{BLOCK}After.\n"
    run("codex", Options(project=tmp_path, remove=True), world)
    assert notes.read_text() == "# Mine\nAfter.\n"


def test_block_added_to_a_file_comes_out_byte_for_byte(tmp_path: Path, world: World) -> None:
    """A file without a final line end gets its bytes back."""
    notes = tmp_path / "CLAUDE.md"
    notes.write_bytes(b"# Mine\r\nno end")
    run("claude", Options(project=tmp_path), world)
    assert BEGIN.encode() in notes.read_bytes()
    run("claude", Options(project=tmp_path, remove=True), world)
    assert notes.read_bytes() == b"# Mine\r\nno end"


def test_lone_marker_is_refused_before_anything_is_written(tmp_path: Path, world: World) -> None:
    """A cut block could swallow the user's text."""
    (tmp_path / "CLAUDE.md").write_text(f"one\n{BEGIN}\nthree\n")
    with pytest.raises(Refused, match="line 2"):
        run("claude", Options(project=tmp_path), world)
    assert not (tmp_path / ".mcp.json").exists()


def test_print_writes_nothing_and_shows_entry_and_block(world: World) -> None:
    """What is printed can be pasted."""
    printed = run("codex", Options(print_only=True), world)
    assert "[mcp_servers.hydramind]" in printed
    assert BLOCK in printed
    assert not world.home.exists()


def test_settings_are_carried_over_and_secrets_only_named(tmp_path: Path) -> None:
    """A host starts the server with an environment of its own."""
    environ = {
        "HYDRAMIND_HOME": "/srv/h",
        "HYDRAMIND_URI": "bolt://h",
        "HYDRAMIND_TOKEN": "probe-s3cret",
        "HYDRAMIND_TEST_X": "1",
    }
    world = World(tmp_path, "linux", environ, COMMAND)
    expected = {"HYDRAMIND_HOME": "/srv/h", "HYDRAMIND_URI": "bolt://h"}
    for host in HOSTS:
        text = run(host, world=world)
        assert "HYDRAMIND_TOKEN" in text
        env = entry_of(host, config_of(host, world))["env"]
        assert {name: env[name] for name in expected} == expected
        assert set(env) <= {*expected, "HYDRAMIND_TOKEN"}
    assert not any(b"probe-s3cret" in content for content in tree(tmp_path).values())
    assert entry_of("codex", config_of("codex", world))["env_vars"] == ["HYDRAMIND_TOKEN"]
    assert entry_of("claude", config_of("claude", world))["env"]["HYDRAMIND_TOKEN"] == "${HYDRAMIND_TOKEN}"


@pytest.mark.parametrize("host", [host for host in HOSTS if host != "desktop"])
def test_http_entry_names_the_url_and_the_tokens_variable(host: str, tmp_path: Path) -> None:
    """The token itself stays out of the file."""
    world = World(tmp_path, "linux", {"HYDRAMIND_HTTP_TOKEN": "probe"}, COMMAND)
    run(host, Options(http_url="http://127.0.0.1:8788/mcp"), world)
    text = config_of(host, world).read_text()
    assert "http://127.0.0.1:8788/mcp" in text
    assert "HYDRAMIND_HTTP_TOKEN" in text
    assert "probe" not in text
    assert "command" not in entry_of(host, config_of(host, world))


def test_links_are_followed_not_replaced(tmp_path: Path, world: World) -> None:
    """Settings kept in a dotfiles folder stay there."""
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    path = config_of("cursor", world)
    path.parent.mkdir(parents=True)
    path.symlink_to(real)
    run("cursor", world=world)
    assert path.is_symlink()
    assert "hydramind" in real.read_text()


def test_folder_that_cannot_be_made_is_refused(world: World) -> None:
    """The message names the file."""
    world.home.write_text("a file stands where the folder should be")
    with pytest.raises(Refused, match=r"\.cursor"):
        run("cursor", world=world)


def test_what_a_host_does_not_have_is_said(tmp_path: Path, world: World) -> None:
    """Claude Desktop has neither projects nor servers by URL in its file; other names are not hosts."""
    with pytest.raises(Unsupported, match="per project"):
        run("desktop", Options(project=tmp_path), world)
    with pytest.raises(Unsupported, match="Connectors"):
        run("desktop", Options(http_url="http://x/mcp"), world)
    with pytest.raises(Invalid, match="codex, claude"):
        run("emacs", world=world)
    with pytest.raises(Invalid, match="existing folder"):
        run("codex", Options(project=tmp_path / "none"), world)
    with pytest.raises(Invalid, match="URL"):
        run("codex", Options(http_url="localhost:1"), world)


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, ".config/Code/User/mcp.json"),
        ("darwin", {}, "Library/Application Support/Code/User/mcp.json"),
        ("win32", {}, "AppData/Roaming/Code/User/mcp.json"),
    ],
)
def test_each_platform_has_its_own_folder(
    platform: str, environ: dict[str, str], expected: str, tmp_path: Path
) -> None:
    """Editors keep their settings where the platform wants them."""
    assert config_of("vscode", World(tmp_path, platform, environ, COMMAND)) == tmp_path / expected


def test_command_of_this_machine_is_absolute() -> None:
    """Applications started from a desktop do not share the shell's PATH."""
    assert Path(World.here().command[0]).is_absolute()
