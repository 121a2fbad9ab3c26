"""`hydramind attach HOST`: plan every edit first, then write; or print what would be written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hydramind.attach import toml_tables
from hydramind.attach.block import BLOCK
from hydramind.attach.edits import NAME, Edit, remove_entry, remove_notes, set_entry, set_notes
from hydramind.attach.hosts import HOSTS, Entry, Host
from hydramind.attach.world import World
from hydramind.errors import Invalid, Unsupported


@dataclass(frozen=True, slots=True)
class Options:
    """`http_url` attaches to a running server instead of starting one; `project` writes into that folder, not the user's."""

    print_only: bool = False
    remove: bool = False
    http_url: str = ""
    project: Path | None = None


def run(host: str, options: Options | None = None, world: World | None = None) -> str:
    """What was done, or with `print_only` what to add where; raises `Invalid`, `Unsupported`, or `Refused` before any write."""
    if host not in HOSTS:
        raise Invalid("host", f"must be one of {', '.join(HOSTS)}, got {host!r}")
    chosen, asked, around = HOSTS[host], options or Options(), world or World.here()
    config, notes = _paths(chosen, asked, around)
    if asked.remove:
        edits = [remove_entry(chosen, config), *([remove_notes(notes)] if notes else [])]
        return _report(chosen, edits, removed=True)
    entry = _entry(chosen, asked, around)
    if asked.print_only:
        return _printed(chosen, config, notes, entry)
    edits = [set_entry(chosen, config, entry), *([set_notes(notes)] if notes else [])]
    return "\n".join((_report(chosen, edits, removed=False), *_warnings(chosen, asked, around)))


def _paths(host: Host, options: Options, world: World) -> tuple[Path, Path | None]:
    project = options.project.absolute() if options.project else None
    if project is not None and not project.is_dir():
        raise Invalid("project", f"must be an existing folder, got {str(options.project)!r}")
    config = host.config(world, project)
    if config is None:
        raise Unsupported(f"{host.title} has no settings per project; attach it without --project")
    return config, host.notes(world, project)


def _entry(host: Host, options: Options, world: World) -> Entry:
    if not options.http_url:
        return host.stdio(world)
    if not options.http_url.startswith(("http://", "https://")):
        raise Invalid("http", f"must be a URL such as 'http://127.0.0.1:8788/mcp', got {options.http_url!r}")
    return host.http(options.http_url, world)


def _report(host: Host, edits: list[Edit], *, removed: bool) -> str:
    lines = list[str]()
    for edit in edits:
        if not edit.changes:
            lines.append(f"{edit.path}: {'nothing of ours' if removed else 'up to date'}")
            continue
        backup = edit.apply()
        done = "deleted, nothing else was in it" if edit.after is None else "cleaned" if removed else "written"
        lines.append(f"{edit.path}: {done}{f' (before: {backup})' if backup else ''}")
    changed = any(edit.changes for edit in edits)
    return "\n".join((*lines, *([f"Restart {host.title} so that it sees the change."] if changed else [])))


def _printed(host: Host, config: Path, notes: Path | None, entry: Entry) -> str:
    if host.format == "toml":
        snippet = toml_tables.dump((*host.key, NAME), entry)
    else:
        nested: Entry = {NAME: entry}
        for key in reversed(host.key):
            nested = {key: nested}
        snippet = json.dumps(nested, indent=2, ensure_ascii=False) + "\n"
    where = str(notes) if notes else "AGENTS.md of a project"
    return f"Add to {config}:\n\n{snippet}\nAnd to {where}:\n\n{BLOCK}"


def _warnings(host: Host, options: Options, world: World) -> list[str]:
    named = [name for name in world.secrets if not options.http_url]
    if not named:
        return []
    if host.name == "desktop":
        return [f"{', '.join(named)} is set here but was not copied: add it to the entry's env by hand."]
    return [f"{', '.join(named)} is named in the entry, not copied: {host.title} must be started with it set."]
