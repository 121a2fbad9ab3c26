"""Cross-process locks on files: the kernel drops them when their owner dies, so none is ever stale."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt
    import random
else:
    import fcntl

# Windows has no shared byte locks: a sharer takes one byte of this range, an owner all of it.
_SLOTS = 1 << 20


def try_lock(path: str | os.PathLike[str], *, shared: bool = False) -> int | None:
    """Locks the file (made when absent) and returns the descriptor that holds the lock, or None when another holds it.

    Several may hold it shared, one exclusively. Never waits. Raises OSError when the folder or the file system refuses.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        if _lock(descriptor, shared=shared):
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def unlock(descriptor: int) -> None:
    """Gives the lock up."""
    os.close(descriptor)


def is_held(path: str | os.PathLike[str]) -> bool:
    """Whether someone holds the lock exclusively at this moment."""
    if not os.path.exists(path):
        return False
    descriptor = try_lock(path, shared=True)
    if descriptor is None:
        return True
    unlock(descriptor)
    return False


if sys.platform == "win32":

    def _lock(descriptor: int, *, shared: bool) -> bool:
        os.lseek(descriptor, random.randrange(_SLOTS) if shared else 0, os.SEEK_SET)  # noqa: S311 - a slot, not a secret
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1 if shared else _SLOTS)
        except OSError:
            return False
        return True

else:

    def _lock(descriptor: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
