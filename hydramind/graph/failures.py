"""Driver exceptions sorted by what a caller can do; decided by class and code, never by prose."""

from __future__ import annotations

from neo4j import exceptions as driver

from hydramind.errors import HydraMindError, Misconfigured, Unauthorized, Unavailable

FAILURES: tuple[type[Exception], ...] = (driver.Neo4jError, driver.DriverError, OSError)
"""What the driver raises for anything that the server or the connection did."""

LOST_CONNECTION: tuple[type[Exception], ...] = (
    driver.ServiceUnavailable,
    driver.SessionExpired,
    driver.IncompleteCommit,
    driver.ConnectionAcquisitionTimeoutError,
    OSError,
)
"""The server may be gone or restarting; whether the last commit happened is unknown."""

CLASH: tuple[type[Exception], ...] = (driver.TransientError, driver.ConstraintError)
"""Another writer was faster: nothing was changed, read again and decide again."""

_NO_DATABASE = "Neo.ClientError.Database.DatabaseNotFound"


def translated(error: BaseException, uri: str) -> HydraMindError:
    """The error to show for a driver failure; `uri` holds no secret."""
    if isinstance(error, driver.AuthError):
        return Unauthorized(
            f"the database at {uri} refused the credentials: check HYDRAMIND_USERNAME and HYDRAMIND_TOKEN"
        )
    if isinstance(error, LOST_CONNECTION):
        return Unavailable(f"the database at {uri} cannot be reached ({type(error).__name__}): is it running?")
    if isinstance(error, driver.ConfigurationError):
        return Misconfigured(f"HYDRAMIND_URI {uri}: {error}")
    if isinstance(error, driver.Neo4jError) and error.code == _NO_DATABASE:
        return Misconfigured(f"the server at {uri} has no such database: check HYDRAMIND_DATABASE")
    code = error.code if isinstance(error, driver.Neo4jError) else type(error).__name__
    return Unavailable(f"the database at {uri} failed ({code}): {error}")
