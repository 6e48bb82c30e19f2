"""Copies of a notebook's variables for the tools of AI clients: the kernel serves them, a server process asks.

Each kernel listens on a Unix socket of its own that only its user may open. One line of JSON goes each way; frames of
pandas are in it as Arrow files in base64. Standard library only, because a kernel loads this with the extension.
"""

from __future__ import annotations

import base64
import io
import json
import os
import socket
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

FOLDER = "kernels"
"""Where the sockets of kernels lie in the state folder."""
_LONGEST_PATH = 100
"""How long the path of a Unix socket may be, everywhere."""
_MOST_BYTES = 4 * 1024 * 1024
_MOST_FRAME_BYTES = 32 * 1024 * 1024
"""How much the frames of one call may take as Arrow."""
_LONGEST_LINE = 2 * (_MOST_BYTES + _MOST_FRAME_BYTES)
_SECONDS = 5.0


class Copies(NamedTuple):
    """Copies of variables by name: JSON values, and data frames as the bytes of Arrow files."""

    values: dict[str, Any]
    frames: dict[str, bytes]


class NotCopied(Exception):
    """A variable that no notebook has, or that cannot be copied as it is; the message says which and why."""


class ValueServer:
    """Serves copies of the variables of one kernel, from a thread of its own."""

    def __init__(self, folder: Path, variables: Callable[[], Mapping[str, Any]]) -> None:
        self._variables = variables
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / f"{os.getpid()}.sock"
        self._path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            with _short(self._path) as path:
                self._listener.bind(path)
        finally:
            os.umask(before)
        self._listener.listen()
        self._thread = Thread(target=self._serve, name="mcpgen-values", daemon=True)
        self._thread.start()

    def used_now(self) -> None:
        """Note that a cell ran in this kernel: of several with a variable, the one used last is meant."""
        with suppress(OSError):
            os.utime(self._path)

    def close(self) -> None:
        """Serve nothing any more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            with connection, suppress(OSError, ValueError):  # whoever asked went away, or is none of us
                connection.settimeout(_SECONDS)
                asked = json.loads(_received(connection))
                names = asked.get("names") if isinstance(asked, dict) else None
                if isinstance(names, list) and all(isinstance(name, str) for name in names):
                    connection.sendall(json.dumps(self._answer(names)).encode() + b"\n")

    def _answer(self, names: Sequence[str]) -> dict[str, Any]:
        variables = self._variables()
        if missing := [name for name in names if name not in variables]:
            return {"missing": missing[0]}
        values: dict[str, Any] = {}
        frames: dict[str, str] = {}
        size = taken = 0
        for name in names:
            try:
                if _is_frame(variables[name]):
                    content = _arrow(variables[name])
                    taken += len(content)
                    frames[name] = base64.b64encode(content).decode()
                else:
                    values[name] = copied(variables[name])
                    size += len(json.dumps(values[name]))
            except NotCopied as error:
                return {"unfit": f"`{name}` {error}"}
            except Exception as error:  # any object of a notebook may fail in its own way, or change meanwhile
                return {"unfit": f"`{name}` cannot be copied ({type(error).__name__})"}
            if size > _MOST_BYTES:
                return {"unfit": f"the variables take more than {_MOST_BYTES // 1024 // 1024} MB as JSON"}
            if taken > _MOST_FRAME_BYTES:
                return {"unfit": f"the data frames take more than {_MOST_FRAME_BYTES // 1024 // 1024} MB"}
        return {"values": values, "frames": frames}


def _is_frame(value: object) -> bool:
    """Tell whether a value is a data frame of pandas, without importing it."""
    kind = type(value)
    return (kind.__module__.partition(".")[0], kind.__name__) == ("pandas", "DataFrame")


def _arrow(frame: Any) -> bytes:
    """Return a data frame as an Arrow file, with its index; raises `NotCopied` for one that is too large."""
    if frame.memory_usage(index=True).sum() > 4 * _MOST_FRAME_BYTES:  # it would take its memory once more
        raise NotCopied(f"takes more than {_MOST_FRAME_BYTES // 1024 // 1024} MB")
    import pyarrow as pa  # deferred: a kernel loads it with its first data frame

    table, written = pa.Table.from_pandas(frame), io.BytesIO()
    with pa.ipc.new_file(written, table.schema) as file:
        file.write_table(table)
    return written.getvalue()


def copied(value: Any) -> Any:
    """Return a value as JSON holds it; raises `NotCopied` for one that JSON does not have."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [copied(each) for each in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: copied(each) for key, each in value.items()}
    kind = type(value).__name__
    if hasattr(value, "tolist"):  # numbers and arrays of numpy, columns of pandas
        if getattr(value, "size", 0) > _MOST_BYTES:  # as a list it would take many times its memory from the kernel
            raise NotCopied(f"takes more than {_MOST_BYTES // 1024 // 1024} MB as JSON")
        return copied(value.tolist())
    raise NotCopied(f"is a `{kind}`, which JSON does not have")


def copies_of_notebook(folder: Path, names: Sequence[str]) -> Copies:
    """Return copies of variables from the kernel that has them all, of several from the one used last.

    Raises `NotCopied` that says why there are none.
    """
    told = f"no notebook is open in which jupyter-mcpgen is loaded and `{names[0]}` is defined"
    for path in _sockets(folder):
        answer = _asked(path, names)
        if answer is None:
            continue
        if "values" in answer:
            return _named(answer, names)
        if "unfit" in answer:
            raise NotCopied(str(answer["unfit"]))
        told = f"`{answer.get('missing')}` is not defined in the notebook"
    raise NotCopied(told)


def _named(answer: Mapping[str, Any], names: Sequence[str]) -> Copies:
    """Return what was asked for of an answer, and nothing else: its names become names of files."""
    values, frames = answer["values"], answer.get("frames", {})
    try:
        return Copies(
            {name: values[name] for name in names if name in values},
            {name: base64.b64decode(frames[name]) for name in names if name in frames},
        )
    except (TypeError, ValueError) as error:
        raise NotCopied("the notebook's kernel gave an answer that cannot be read") from error


def _sockets(folder: Path) -> list[Path]:
    """Return the sockets of kernels of this user, the one used last first."""
    found: list[tuple[float, Path]] = []
    for path in folder.glob("*.sock"):
        with suppress(OSError):
            facts = path.lstat()
            if stat.S_ISSOCK(facts.st_mode) and facts.st_uid == os.geteuid():
                found.append((facts.st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def _asked(path: Path, names: Sequence[str]) -> dict[str, Any] | None:
    """Return what one kernel answers, or None for one that is gone or does not answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_SECONDS)
        try:
            with _short(path) as place:
                connection.connect(place)
            connection.sendall(json.dumps({"names": list(names)}).encode() + b"\n")
            answer = json.loads(_received(connection))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)  # of a kernel that was killed
            return None
        except (OSError, ValueError):
            return None
    return answer if isinstance(answer, dict) else None


def _received(connection: socket.socket) -> bytes:
    parts: list[bytes] = []
    while not (parts and parts[-1].endswith(b"\n")):
        part = connection.recv(65_536)
        parts.append(part)
        if not part or sum(map(len, parts)) > _LONGEST_LINE:
            break
    return b"".join(parts)


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Return a path to a socket that is short enough; on Linux through the descriptor of its folder where it is not."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)
