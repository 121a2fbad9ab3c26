"""Why a node does not start, said so that the reader knows what to do next."""

from __future__ import annotations

import errno
from pathlib import Path

from hydramind.errors import HydraMindError, Misconfigured, Refused, Unavailable

_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP)


def unusable_home(home: Path, error: OSError) -> HydraMindError:
    """The folder cannot hold the node."""
    where = str(home)
    if error.errno in _FULL:
        return Unavailable(f"no space left for the graph node in {where!r}: free some space and retry")
    if isinstance(error, FileExistsError | NotADirectoryError):
        return Misconfigured(f"home {where!r} is, or lies under, a file: set HYDRAMIND_HOME to a folder")
    if error.errno in _NO_LOCKS:
        return Misconfigured(f"the file system of {where!r} has no file locks: set HYDRAMIND_HOME to a local disk")
    reason = (error.strerror or str(error)).lower()
    return Misconfigured(f"home {where!r} cannot be written ({reason}): set HYDRAMIND_HOME to a folder you own")


def failed_start(cause: str, detail: str, home: Path, log: Path) -> HydraMindError:
    """The keeper's one word of cause, as an error."""
    where, see = str(home), f"see {str(log)!r}"
    match cause:
        case "disk":
            return Unavailable(f"no space left for the graph node in {where!r}: free some space and retry")
        case "unwritable":
            return Misconfigured(f"the graph node cannot write in {where!r}: check its owner and mode; {see}")
        case "locked":
            return Refused(f"another server holds the graph of {where!r}: stop it, or set HYDRAMIND_HOME; {see}")
        case "port":
            return Unavailable(f"the graph node found no free loopback port ({detail}): retry; {see}")
        case "memory":
            return Misconfigured(f"java cannot reserve its heap: lower HYDRAMIND_NODE_HEAP_MB; {see}")
        case "java":
            return Misconfigured(
                f"java does not run here ({detail}): reinstall arcadedb-embedded, or set HYDRAMIND_URI; {see}"
            )
        case "slow":
            return Unavailable(f"the graph node was not ready in time: retry; {see}")
        case _:
            return Unavailable(f"the graph node did not start ({detail}): {see}")
