"""What arrives of a reply, piece by piece: server-sent events, or one JSON object where a server does not stream."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jupyter_mcpgen.llm.faults import Fault, fault_in
from jupyter_mcpgen.llm.parse import LONGEST
from jupyter_mcpgen.llm.reply import Usage

MOST_BLANKS = 2_000
"""A model that writes nothing else for so long does not come back."""
_MOST_BYTES = 20_000_000
_MOST_OF_A_LINE = 1_000_000
_MOST_TOKENS = 100_000_000
"""A server that counts more does not count."""
_DONE = "[DONE]"
_LINE_END = re.compile("\r\n|\n|\r")


class TooMuch(Exception):
    """A server that sends without end; its message says what it did, as in "sent nothing but blanks"."""


class Events:
    """Cuts bytes into the data of server-sent events: any line ends, comments, characters split between packets."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""
        self._data: list[str] = []
        self._bytes = 0

    @property
    def have_come(self) -> bool:
        """Return whether anything came at all."""
        return self._bytes > 0

    def feed(self, piece: bytes) -> Iterator[str]:
        """Yield the data of each event that is complete."""
        self._bytes += len(piece)
        if self._bytes > _MOST_BYTES:
            raise TooMuch("sent far more than a reply has")
        text = self._rest + self._decode(piece)
        # the next packet may begin with the second half of this line's end
        held = "\r" if text.endswith("\r") else ""
        *lines, rest = _LINE_END.split(text.removesuffix("\r"))
        self._rest = f"{rest}{held}"
        if len(self._rest) > _MOST_OF_A_LINE:
            raise TooMuch("sent a line without end")
        for line in lines:
            yield from self._take(line)

    def end(self) -> Iterator[str]:
        """Yield the data of an event that no empty line ended."""
        if self._rest:
            yield from self._take(self._rest.rstrip("\r\n"))
        yield from self._take("")

    def _take(self, line: str) -> Iterator[str]:
        if not line:
            if self._data:
                yield "\n".join(self._data)
            self._data = []
        elif line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))


class Arrived:
    """A reply so far."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._arguments: dict[int, list[str]] = {}
        self._refusal: list[str] = []
        self._blanks = 0
        self.characters = 0
        self.thought = 0
        """Characters of reasoning, which are counted and not kept."""
        self.finish = ""
        self.model = ""
        self.usage = Usage()
        self.fault: Fault | None = None
        self.is_broken = False
        """Whether a piece was not readable, as when the connection ends within it."""
        self.is_over = False

    @property
    def text(self) -> str:
        """What the model wrote; a single call of a tool stands for the text that is missing."""
        written = "".join(self._content)
        if not written.strip() and len(self._arguments) == 1:
            return "".join(*self._arguments.values())
        return written

    @property
    def refusal(self) -> str:
        """Why the model declines, if it does."""
        return "".join(self._refusal)

    def take(self, data: str) -> None:
        """Add the data of one event; after the last one nothing more counts."""
        if data.strip() == _DONE:
            self.is_over = True
            return
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            self.is_broken = True
            return
        self.take_record(record)

    def take_record(self, record: Any) -> None:
        """Add one chunk, or a whole completion."""
        if not isinstance(record, Mapping):
            self.is_broken = True
            return
        if record.get("error"):
            self.fault = fault_in(record)
            return
        self.model = self.model or (record["model"] if isinstance(record.get("model"), str) else "")
        self._count(record.get("usage"))
        choices = record.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and choice.get("index") in (0, None):
                self._choose(choice)

    def _choose(self, choice: Mapping[str, Any]) -> None:
        finish = choice.get("finish_reason")
        self.finish = finish if isinstance(finish, str) and finish else self.finish
        message = choice.get("delta") or choice.get("message")
        if not isinstance(message, Mapping):
            return
        self._write(_text_of(message.get("content")))
        for name in ("reasoning", "reasoning_content"):
            self.thought += len(_text_of(message.get(name)))
        if refusal := _text_of(message.get("refusal")):
            self._refusal.append(refusal)
        calls = message.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            self._call(place, call)

    def _write(self, text: str) -> None:
        if not text:
            return
        self._content.append(text)
        self._grow(len(text))
        self._blanks = 0 if text.strip() else self._blanks + len(text)
        if self._blanks > MOST_BLANKS:
            raise TooMuch("sent nothing but blanks")

    def _call(self, place: int, call: Any) -> None:
        function = call.get("function") if isinstance(call, Mapping) else None
        arguments = function.get("arguments") if isinstance(function, Mapping) else None
        index = call.get("index") if isinstance(call, Mapping) else None
        if isinstance(arguments, Mapping):
            arguments = json.dumps(arguments)
        if isinstance(arguments, str):
            self._arguments.setdefault(index if isinstance(index, int) else place, []).append(arguments)
            self._grow(len(arguments))

    def _grow(self, characters: int) -> None:
        self.characters += characters
        if self.characters > LONGEST:
            raise TooMuch(f"is longer than {LONGEST:,} characters")

    def _count(self, usage: Any) -> None:
        if not isinstance(usage, Mapping):
            return
        details = usage.get("prompt_tokens_details")
        self.usage = Usage(
            prompt_tokens=_tokens(usage.get("prompt_tokens")) or self.usage.prompt_tokens,
            completion_tokens=_tokens(usage.get("completion_tokens")) or self.usage.completion_tokens,
            cached_tokens=_tokens(details.get("cached_tokens")) if isinstance(details, Mapping) else None,
        )


def _text_of(content: Any) -> str:
    """Return a text, also one that is given in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MOST_TOKENS else None
