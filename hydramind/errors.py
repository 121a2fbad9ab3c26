"""What can go wrong, named by what the caller can do about it; every face translates this one tree."""

from __future__ import annotations


class HydraMindError(Exception):
    """Any failure HydraMind explains itself; `code` is stable, `retryable` says whether the same call may succeed later."""

    code = "error"
    status = 500
    retryable = False

    @property
    def message(self) -> str:
        """One line, lower case, with the offending value quoted."""
        return str(self)


class Invalid(HydraMindError):
    """A field was malformed: correct it and call again. Nothing was changed."""

    code = "invalid"
    status = 422

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: {expected}")
        self.field = field
        self.expected = expected


class NotFound(HydraMindError):
    """The scope holds no such thing; ids of other scopes are unknown here."""

    code = "not_found"
    status = 404


class Conflict(HydraMindError):
    """The state has moved on, or a key was reused: read again and decide again."""

    code = "conflict"
    status = 409


class Refused(HydraMindError):
    """The request is well formed but not allowed."""

    code = "refused"
    status = 403


class Unauthorized(HydraMindError):
    """The token is missing or wrong."""

    code = "unauthorized"
    status = 401


class Unsupported(HydraMindError):
    """This engine or platform cannot do it."""

    code = "unsupported"
    status = 501


class Busy(HydraMindError):
    """Too many writes are waiting: retry after a moment."""

    code = "busy"
    status = 429
    retryable = True


class Unavailable(HydraMindError):
    """The graph cannot be reached, or a part of the service is down."""

    code = "unavailable"
    status = 503
    retryable = True


class BadAnswer(HydraMindError):
    """An embedder or reranker answered, but not what can be used: repair or replace it. Nothing of the answer was kept.

    `rows` are the positions in the batch that are at fault; empty when the whole answer is.
    """

    code = "bad_answer"
    status = 502

    def __init__(self, provider: str, expected: str, rows: tuple[int, ...] = ()) -> None:
        at = f" (wrong at {', '.join(map(str, rows[:5]))}{' ...' if len(rows) > 5 else ''})" if rows else ""
        super().__init__(f"{provider} answered badly: expected {expected}{at}")
        self.provider = provider
        self.expected = expected
        self.rows = rows


class Misconfigured(HydraMindError):
    """A setting is unknown, missing or contradictory: the process does not start."""

    code = "misconfigured"
    status = 500


class Damaged(HydraMindError):
    """Stored data breaks an invariant; it is reported, never repaired silently."""

    code = "damaged"
    status = 500
