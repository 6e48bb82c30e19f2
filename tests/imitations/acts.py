"""What an imitated model server does with a request, and when."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.imitations.server import Act, Arrival, When, Wire

USAGE = {"prompt_tokens": 21, "completion_tokens": 7}


def always(arrival: Arrival) -> bool:
    """Every request for a completion."""
    return arrival.method == "POST"


def listing(arrival: Arrival) -> bool:
    """A request for the list of models."""
    return arrival.method == "GET" and arrival.path in ("/v1/models", "/models")


def first(count: int = 1) -> When:
    """The first requests."""
    return lambda arrival: always(arrival) and arrival.earlier < count


def at(path: str) -> When:
    """A request to a path."""
    return lambda arrival: arrival.path == path


def sends(name: str, value: object = ...) -> When:
    """A request whose body has a field, which may be below others: `response_format.type`."""

    def holds(arrival: Arrival) -> bool:
        found = field_of(arrival.body, name) if always(arrival) else None
        return found is not None and (value is ... or found == value)

    return holds


def says_as(role: str) -> When:
    """A request with a message of a role."""
    return lambda arrival: always(arrival) and any(one["role"] == role for one in arrival.body["messages"])


def field_of(body: Mapping[str, Any], name: str) -> Any:
    """Return a field that may be below others, or None."""
    found: Any = body
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def refuse(
    status: int, body: object = None, headers: Mapping[str, str] | None = None, kind: str = "application/json"
) -> Act:
    """Answer with a status, and JSON or a text."""
    raw = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return lambda wire: wire.send(status, kind, raw, headers)


def error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: object) -> Act:
    """Answer with an error as OpenAI writes it."""
    return refuse(status, {"error": {"message": message, **more}}, headers)


def whole(**parts: object) -> Act:
    """Answer without streaming, as some servers do although it was asked for."""
    return refuse(200, {"id": "1", "model": "imitated", **parts})


def message(content: object, finish: str | None = "stop", **more: object) -> Act:
    """Answer with one message that is not streamed."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}
    return whole(choices=[choice], usage=USAGE)


def event(record: object) -> bytes:
    """Return one server-sent event."""
    return b"data: " + json.dumps(record).encode() + b"\n\n"


def chunk(delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    """Return one piece of a streamed completion."""
    return {"id": "1", "model": "imitated", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


DONE = b"data: [DONE]\n\n"


def stream(pieces: Iterable[bytes]) -> Act:
    """Send pieces, and end well."""
    sent = tuple(pieces)

    def act(wire: Wire) -> None:
        wire.begin_stream()
        for one in sent:
            wire.piece(one)
        wire.end_stream()

    return act


def cut(pieces: Iterable[bytes]) -> Act:
    """Send pieces, and lose the connection."""
    sent = tuple(pieces)

    def act(wire: Wire) -> None:
        wire.begin_stream()
        for one in sent:
            wire.piece(one)
        wire.hang_up()

    return act


def says(text: str, finish: str | None = "stop", usage: Mapping[str, object] | None = USAGE, **more: object) -> Act:
    """Stream a text in pieces of a few characters, as models do."""
    deltas: list[Mapping[str, object]] = [{"role": "assistant", "content": ""}]
    deltas += [{name: value} for name, value in more.items()]
    deltas += [{"content": text[at : at + 5]} for at in range(0, len(text), 5)]
    pieces = [event(chunk(one)) for one in deltas]
    pieces.append(event(chunk({}, finish)))
    if usage is not None:
        pieces.append(event({"id": "1", "model": "imitated", "choices": [], "usage": usage}))
    return stream([*pieces, DONE])


def streams(*deltas: Mapping[str, object], finish: str | None = "stop") -> Act:
    """Stream deltas as they are."""
    return stream([*(event(chunk(one)) for one in deltas), event(chunk({}, finish)), DONE])


def silent(wire: Wire) -> None:
    """Never answer."""
    wire.wait_until_gone()


def silent_after_headers(wire: Wire) -> None:
    """Begin to answer, and say nothing."""
    wire.begin_stream()
    wire.wait_until_gone()


def silent_after(text: str) -> Act:
    """Say a text, and then nothing more."""

    def act(wire: Wire) -> None:
        wire.begin_stream()
        wire.piece(event(chunk({"content": text})))
        wire.wait_until_gone()

    return act


def drip_blanks(wire: Wire) -> None:
    """Send blanks until the client has enough."""
    wire.begin_stream()
    try:
        while True:
            wire.piece(event(chunk({"content": " \n" * 50})))
    except OSError:
        wire.note_that_it_is_gone()


def endless(kind: str, begin: bytes) -> Act:
    """Begin a body of some kind, and never end it."""

    def act(wire: Wire) -> None:
        wire.begin_stream(kind)
        try:
            wire.piece(begin)
            while True:
                wire.piece(b"x" * 100_000)
        except OSError:
            wire.note_that_it_is_gone()

    return act


def endless_refusal(wire: Wire) -> None:
    """Refuse a request with a text that has no end."""
    wire.send_response(400)
    wire.send_header("Transfer-Encoding", "chunked")
    wire.end_headers()
    try:
        while True:
            wire.piece(b"x" * 4000)
    except OSError:
        wire.note_that_it_is_gone()


def drip_forever(wire: Wire) -> None:
    """Send a body byte by byte, without end."""
    wire.begin_stream("application/json")
    try:
        while not wire.server.imitation.over.wait(0.001):
            wire.piece(b" ")
    except OSError:
        wire.close_connection = True


def reset(wire: Wire) -> None:
    """End the connection before anything is sent."""
    wire.reset()


def then_hang_up(act: Act) -> Act:
    """Answer, and close the connection without saying so."""

    def both(wire: Wire) -> None:
        act(wire)
        wire.wfile.flush()
        wire.hang_up()

    return both
