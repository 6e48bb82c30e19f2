"""Runs cells of Python in one namespace."""

from __future__ import annotations

# By name: a cell may change what the modules hold.
import linecache
import sys
from itertools import count
from json import dumps, loads
from os import dup2, getcwd, read, set_inheritable, write
from tempfile import TemporaryFile
from traceback import format_exception_only, print_exception
from types import ModuleType
from typing import Any

REQUESTS, REPLIES = 3, 4
LENGTH_BYTES = 4


def main() -> None:
    """Answer requests until there are no more."""
    for descriptor in (REQUESTS, REPLIES):
        set_inheritable(descriptor, False)
    module = sys.modules["__main__"] = ModuleType("__main__")
    sys.path[0] = getcwd()
    for number in count(1):
        request = receive()
        if request is None:
            return
        give_input(request["stdin"])
        send(run(request["code"], f"<cell {number}>", module))


def run(code: str, name: str, module: ModuleType) -> dict[str, Any]:
    """Run one cell; what goes wrong is printed as Python prints it, and told."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    error = None
    try:
        exec(compile(code, name, "exec", dont_inherit=True), vars(module))  # noqa: S102  # what a cell is for
    except BaseException as raised:
        error = raised
    exit_code = 0 if error is None else 1
    message = None
    try:
        if isinstance(error, SystemExit):
            exit_code = error.code if isinstance(error.code, int) else int(error.code is not None)
            message = None if exit_code == 0 else f"SystemExit: {error.code}"
        elif error is not None:
            inside = error.__traceback__.tb_next if error.__traceback__ else None
            print_exception(type(error), error, inside)
            message = "".join(format_exception_only(type(error), error)).strip().splitlines()[-1]
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BaseException as broken:  # the cell replaced or closed what is used here
        message = f"{type(broken).__name__}: {broken}"
        exit_code = 1
    return {"exit_code": exit_code, "message": message}


def give_input(text: str) -> None:
    """Make a text the standard input of the next cell, and of what it starts."""
    with TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="") as stream:
        stream.write(text)
        stream.seek(0)
        dup2(stream.fileno(), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # as long as the cell


def receive() -> dict[str, Any] | None:
    """Return the next request, or `None` at the end."""
    length = read_exactly(LENGTH_BYTES)
    body = None if length is None else read_exactly(int.from_bytes(length, "big"))
    return None if body is None else loads(body)


def read_exactly(size: int) -> bytes | None:
    """Return so many bytes, or `None` when there are fewer."""
    data = b""
    while len(data) < size:
        chunk = read(REQUESTS, size - len(data))
        if not chunk:
            return None
        data += chunk
    return data


def send(reply: dict[str, Any]) -> None:
    """Write a reply."""
    encoded = dumps(reply).encode("utf-8", "replace")
    rest = memoryview(len(encoded).to_bytes(LENGTH_BYTES, "big") + encoded)
    while rest:
        rest = rest[write(REPLIES, rest) :]


if __name__ == "__main__":
    main()
