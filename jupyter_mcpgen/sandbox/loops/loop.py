"""Runs cells of Python in one namespace."""

from __future__ import annotations

# By name: a cell may change what the modules hold.
import linecache
import sys
from itertools import count
from json import dumps, loads
from os import dup2, getcwd, read, replace, set_inheritable, write
from tempfile import TemporaryFile
from traceback import format_exception_only, print_exception
from types import ModuleType, TracebackType
from typing import Any

REQUESTS, REPLIES = 3, 4
LENGTH_BYTES = 4
MOST_STATE = 16 * 1024 * 1024
MOST_MESSAGE = 2_000
DEEPEST = 50
BROKEN_STATE = "The state file could not be read, so this session starts without variables."


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
        mark = request["mark"]
        give_input(request["stdin"])
        state = request.get("state_file")
        notes = recall(state, module) if state and number == 1 else []
        meter = meter_for(request.get("fuel"))
        reply = run(request["code"], f"<cell {number}>", module, meter)
        if state:
            notes += keep(state, module)
        if meter is not None:
            reply["fuel"] = told(meter)
        send({**reply, "notes": notes, "mark": mark})


def run(code: str, name: str, module: ModuleType, meter: Any) -> dict[str, Any]:
    """Run one cell; what goes wrong is printed as Python prints it, and told."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    error = None
    try:
        compiled = compile(code, name, "exec", dont_inherit=True)
        if meter is None:
            exec(compiled, vars(module))  # noqa: S102  # what a cell is for
        else:
            meter.call(exec, compiled, vars(module))
    except BaseException as raised:
        error = raised
    exit_code = 0 if error is None else 1
    message = None
    try:
        if isinstance(error, SystemExit):
            exit_code = error.code if isinstance(error.code, int) else int(error.code is not None)
            message = None if exit_code == 0 else f"SystemExit: {error.code}"
        elif error is not None:
            print_exception(type(error), error, inside(error.__traceback__))
            message = "".join(format_exception_only(type(error), error)).strip().splitlines()[-1]
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BaseException as broken:  # the cell replaced or closed what is used here
        message = f"{type(broken).__name__}: {broken}"
        exit_code = 1
    return {"exit_code": exit_code, "message": message and message[:MOST_MESSAGE]}


def inside(trace: TracebackType | None) -> TracebackType | None:
    """Return the part of a traceback that begins in a cell, without the meter that stopped it."""
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("<cell "):
        trace = trace.tb_next
    at = trace
    while at is not None and at.tb_next is not None:
        if at.tb_next.tb_frame.f_code.co_filename == "<meter>":
            at.tb_next = None
            break
        at = at.tb_next
    return trace


def meter_for(fuel: dict[str, Any] | None) -> Any:
    """Return a fresh meter, made of the text that came with the request; `None` where none was asked for."""
    if fuel is None:
        return None
    module = sys.modules.get("mcpgen_meter")
    if module is None:
        module = sys.modules["mcpgen_meter"] = ModuleType("mcpgen_meter")
        exec(compile(fuel["meter"], "<meter>", "exec", dont_inherit=True), vars(module))  # noqa: S102  # our own text
    return vars(module)["Meter"](fuel["budget"], lines=fuel["lines"])


def told(meter: Any) -> dict[str, Any]:
    """Return what a meter counted."""
    reading = meter.reading()
    if reading.consumed is None:
        return {"note": reading.note}
    return {"consumed": reading.consumed, "ran_out": reading.ran_out}


def recall(path: str, module: ModuleType) -> list[str]:
    """Put the variables of a state file into the namespace; one that cannot be read counts as none."""
    try:
        with open(path, encoding="utf-8") as file:
            state = loads(file.read(MOST_STATE))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError):
        return [BROKEN_STATE]
    if not isinstance(state, dict):
        return [BROKEN_STATE]
    vars(module).update({name: value for name, value in state.items() if name.isidentifier() and name[0] != "_"})
    return []


def keep(path: str, module: ModuleType) -> list[str]:
    """Write the variables that JSON can say to a state file; functions, modules, tables and the like are left out."""
    state = {name: value for name, value in vars(module).items() if name[:1] != "_" and is_plain(value, DEEPEST)}
    try:
        text = dumps(state)
        if len(text) > MOST_STATE:
            return [f"The state file was not written: the variables take {len(text):,} characters."]
        with open(f"{path}.part", "w", encoding="utf-8") as file:
            file.write(text)
        replace(f"{path}.part", path)
    except (OSError, ValueError) as error:
        return [f"The state file was not written: {error}."]
    return []


def is_plain(value: object, deep: int) -> bool:
    """Return whether JSON gives the same value back."""
    if value is None or type(value) in (bool, int, float, str):
        return True
    if deep == 0:
        return False
    if type(value) is list:
        return all(is_plain(part, deep - 1) for part in value)
    if type(value) is dict:
        return all(type(name) is str and is_plain(part, deep - 1) for name, part in value.items())
    return False


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
