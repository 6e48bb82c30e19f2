"""Plants the targets of the self-check, which nobody misses, and sees what became of them."""

from __future__ import annotations

import os
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

_WAIT = "import sys; sys.stdin.read()"


@dataclass(frozen=True)
class Decoys:
    """Planted targets; `target` is what an attack is told, `granted` the only folder it may read."""

    folder: Path
    granted: Path
    target: Mapping[str, str | int]
    receiver: socket.socket
    process: subprocess.Popen[bytes]
    before: Mapping[str, object]

    def damage(self) -> tuple[str, ...]:
        """Return what changed since the decoys were planted, seen from outside."""
        after = _state(self.folder, self.granted, self.process.pid)
        changed = [f"{name} changed" for name, value in self.before.items() if after.get(name) != value]
        added = [f"{name} appeared" for name in after if name not in self.before]
        return (*changed, *added, *(["a datagram arrived"] if _received(self.receiver) else []))


@contextmanager
def planted() -> Iterator[Decoys]:
    """Plant decoys, and remove them afterwards."""
    with ExitStack() as cleanup:
        root = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="mcpgen-decoys-"))).resolve()
        root.chmod(0o755)  # so that root's throw-away user can reach what is granted
        outside, granted = root / "outside", root / "granted"
        outside.mkdir(0o700)
        granted.mkdir(0o755)
        _write(outside / "secret", 0o600)
        _write(outside / "victim", 0o600)
        _write(granted / "data.csv", 0o644)
        (granted / "link").symlink_to(outside / "secret")
        abstract = f"mcpgen-{secrets.token_hex(8)}"
        tcp = cleanup.enter_context(_listener(socket.AF_INET, ("127.0.0.1", 0)))
        cleanup.enter_context(_listener(socket.AF_UNIX, str(outside / "socket")))
        cleanup.enter_context(_listener(socket.AF_UNIX, "\0" + abstract))
        receiver = cleanup.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        receiver.bind(("127.0.0.1", 0))
        process = cleanup.enter_context(_bystander())
        target = {
            "secret": str(outside / "secret"),
            "victim": str(outside / "victim"),
            "outside": str(outside),
            "data": str(granted / "data.csv"),
            "link": str(granted / "link"),
            "tcp": tcp.getsockname()[1],
            "udp": receiver.getsockname()[1],
            "unix": str(outside / "socket"),
            "abstract": abstract,
            "pid": process.pid,
            "host": os.getpid(),
            "name": socket.gethostname(),
        }
        yield Decoys(outside, granted, target, receiver, process, _state(outside, granted, process.pid))


def _listener(family: socket.AddressFamily, address: tuple[str, int] | str) -> socket.socket:
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen(8)
    return listener


@contextmanager
def _bystander() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(  # noqa: S603  # our own interpreter, no shell
        [sys.executable, "-I", "-S", "-c", _WAIT], stdin=subprocess.PIPE, env={"MCPGEN_DECOY": "secret"}
    ) as process:
        yield process


def _write(path: Path, mode: int) -> None:
    path.write_text("planted\n", encoding="utf-8")
    path.chmod(mode)


def _state(outside: Path, granted: Path, pid: int) -> dict[str, object]:
    state: dict[str, object] = {}
    for path in sorted([*outside.iterdir(), *granted.iterdir()]):
        facts = path.lstat()
        attributes = [] if path.is_symlink() else os.listxattr(path)
        content = path.read_bytes() if path.is_file() else b""
        state[path.name] = (facts.st_mode, facts.st_nlink, facts.st_mtime_ns, attributes, content)
    state["the open files of a bystander"] = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    return state


def _received(receiver: socket.socket) -> bool:
    receiver.setblocking(False)
    try:
        return bool(receiver.recv(16))
    except BlockingIOError:
        return False
