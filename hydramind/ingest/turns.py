"""What one JSON value of a chat export says: a conversation of turns, one turn, or nothing that anyone said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

Object = Mapping[str, Any]

_SPEAKER: Final = ("role", "speaker", "sender", "author", "from", "name", "type")
_TEXT: Final = ("content", "text", "message", "body", "value")
_TIME: Final = ("timestamp", "event_time", "created_at", "create_time", "date_time", "datetime", "time", "date", "ts")
_ID: Final = ("dia_id", "uuid", "id", "message_id", "msg_id")
_SESSION: Final = ("conversation_id", "session_id", "sessionId", "session", "sample_id", "uuid", "id")
_SILENT: Final = frozenset({"system", "tool", "developer", "function", "tool_result", "tool_use"})
"""Roles of messages that no side of the conversation said."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said, as the export has it: `when` is unread, empty `id` and `session` are not stated; `offset_ms` is added
    to a time that the whole conversation shares, so that its turns stay in order; `at` says where in the value it stands."""

    speaker: str
    text: str
    when: object = None
    id: str = ""
    session: str = ""
    offset_ms: int = 0
    at: str = ""


Said = Iterator[Turn | None]
"""Turns in order; None for each record that is none."""


def said(value: object) -> Said | None:
    """The turns of one value; None when it is neither a conversation nor a turn nor a record beside them."""
    if not isinstance(value, dict):
        return None
    body = cast(Object, value)
    for known, read in _CONVERSATIONS:
        if known(body):
            return read(body)
    return iter((turn_of(body),))


def turn_of(body: Object, session: str = "", at: str = "") -> Turn | None:
    """One turn of a message object, which may stand inside a `message`; None when nobody says anything in it."""
    inner = body.get("message")
    message = cast(Object, inner) if isinstance(inner, dict) else body
    speaker = _speaker(message) or _speaker(body)
    text = text_of(_first(message, _TEXT)).strip()
    caption = message.get("blip_caption")
    if isinstance(caption, str) and caption.strip():
        text = f"{text} [shared image: {caption.strip()}]".strip()
    if not text or not speaker or speaker.lower() in _SILENT:
        return None
    when = _first(message, _TIME) if message is body else (_first(message, _TIME) or _first(body, _TIME))
    own = _named(message, _ID) or _named(body, _ID)
    return Turn(speaker, text, when, own, session or _named(body, _SESSION[:4]), 0, at)


def text_of(value: object) -> str:
    """The text of a content: plain, a list of parts, or an object that holds either; parts without text are left out."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [text_of(part) for part in cast(list[object], value)]
        return "\n".join(part for part in parts if part)
    if isinstance(value, dict):
        body = cast(Object, value)
        return "" if body.get("type") in _SILENT else text_of(body.get("parts") or body.get("text"))
    return ""


def _is_chatgpt(body: Object) -> bool:
    return isinstance(body.get("mapping"), dict)


def _chatgpt(body: Object) -> Said:
    """The branch that ends in `current_node`: what was edited away or regenerated is not what was said."""
    mapping = cast(Mapping[str, Object], body["mapping"])
    session = _named(body, _SESSION) or _named(body, ("title",))
    path, seen = list[str](), set[str]()
    node = body.get("current_node")
    while isinstance(node, str) and isinstance(mapping.get(node), dict) and node not in seen:
        seen.add(node)
        path.append(node)
        node = mapping[node].get("parent")
    for name in reversed(path) if path else iter(mapping):
        message = mapping[name].get("message") if isinstance(mapping[name], dict) else None
        if not isinstance(message, dict):
            continue
        yield _chatgpt_turn(cast(Object, message), session, f"mapping.{name}")


def _chatgpt_turn(message: Object, session: str, at: str) -> Turn | None:
    details = message.get("metadata")
    hidden = isinstance(details, dict) and bool(cast(Object, details).get("is_visually_hidden_from_conversation"))
    if hidden or message.get("recipient") not in (None, "all"):
        return None
    return turn_of(message, session, at)


def _is_listed(body: Object) -> bool:
    return _list_name(body) is not None


def _listed(body: Object) -> Said:
    """An object with a list of messages: Claude's export, and the plain layouts."""
    name = _list_name(body) or ""
    session = _named(body, _SESSION) or _named(body, ("title", "name"))
    shared = _first(body, _TIME)
    return _turns(cast(Sequence[object], body[name]), session, name, shared)


def _list_name(body: Object) -> str | None:
    names = ("chat_messages", "messages", "turns", "conversations", "conversation", "dialogue", "dialog")
    return next((name for name in names if isinstance(body.get(name), list)), None)


def _sessions(body: Object) -> list[int]:
    numbers = (name.removeprefix("session_") for name in body if isinstance(body[name], list))
    return sorted(int(number) for number in numbers if number.isascii() and number.isdigit())


def _is_numbered(body: Object) -> bool:
    inner = body.get("conversation")
    return bool(_sessions(cast(Object, inner) if isinstance(inner, dict) else body))


def _numbered(body: Object) -> Said:
    """`session_1`, `session_1_date_time`, `session_2`, ..., at the top or under `conversation`."""
    inner = body.get("conversation")
    held = cast(Object, inner) if isinstance(inner, dict) else body
    whole = _named(body, _SESSION)
    for number in _sessions(held):
        name = f"session_{number}"
        session = f"{whole}/{name}" if whole else name
        yield from _turns(cast(Sequence[object], held[name]), session, name, held.get(f"{name}_date_time"))


def _turns(messages: Sequence[object], session: str, name: str, shared: object) -> Said:
    """`shared`: the time of turns that have none; each comes a millisecond after the one before."""
    for number, message in enumerate(messages):
        turn = turn_of(cast(Object, message), session, f"{name}[{number}]") if isinstance(message, dict) else None
        if turn is not None and turn.when in (None, "") and shared not in (None, ""):
            turn = Turn(turn.speaker, turn.text, shared, turn.id, turn.session, number, turn.at)
        yield turn


_CONVERSATIONS: Final = ((_is_chatgpt, _chatgpt), (_is_numbered, _numbered), (_is_listed, _listed))


def _speaker(body: Object) -> str:
    for name in _SPEAKER:
        value = body.get(name)
        if isinstance(value, dict):
            value = _named(cast(Object, value), ("role", "name"))
        if (
            isinstance(value, str)
            and value.strip()
            and not (name == "type" and value not in ("user", "assistant", "human"))
        ):
            return " ".join(value.split())
    return ""


def _first(body: Object, names: Sequence[str]) -> object:
    return next((body[name] for name in names if body.get(name) not in (None, "", [])), None)


def _named(body: Object, names: Sequence[str]) -> str:
    """The first of these that is a name or number, as text."""
    for name in names:
        value = body.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""
