"""Attaching agent hosts: `run("codex", Options())` edits the host's settings and tells its agent when to use the memory."""

from hydramind.attach.hosts import HOSTS
from hydramind.attach.run import Options, run
from hydramind.attach.world import World

__all__ = ["HOSTS", "Options", "World", "run"]
