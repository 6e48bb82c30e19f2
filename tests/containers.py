"""A real container engine for the tests: the one that runs here, or one that is started for them, or a reason why not.

Its image is made of this machine's own Python and shell, so no registry is needed.
"""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tarfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

IMAGE = "mcpgen-tests:python"
_PROGRAMS = ("sh", "bash", "cat", "timeout", "sleep", "mkdir", "tar", "true")
_LEFT_OUT = {
    "test",
    "tests",
    "site-packages",
    "__pycache__",
    "idlelib",
    "ensurepip",
    "lib2to3",
    "turtledemo",
    "config-3",
}
_START_SECONDS = 20


@dataclass(frozen=True)
class Place:
    """Where an engine listens, and the image that is on it."""

    url: str
    image: str = IMAGE


@contextmanager
def container_engine(folder: Path) -> Iterator[Place | str]:
    """Give an engine with the image on it, or say why there is none."""
    try:
        import docker
    except ImportError:
        yield "the package `docker` is not installed"
        return
    with ExitStack() as cleanup:
        url = _running() or cleanup.enter_context(_started(folder))
        if not url.startswith(("unix:", "tcp:")):
            yield url
            return
        client = docker.DockerClient(base_url=url, timeout=60)
        cleanup.callback(client.close)
        client.api.import_image(src=_root_folder(), repository=IMAGE.partition(":")[0], tag=IMAGE.partition(":")[2])
        yield Place(url)


def _running() -> str | None:
    url = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not url.startswith("unix://"):
        return url
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as visitor:
        try:
            visitor.connect(url.removeprefix("unix://"))
        except OSError:
            return None
    return url


@contextmanager
def _started(folder: Path) -> Iterator[str]:
    program = shutil.which("dockerd")
    if program is None or os.geteuid() != 0:
        yield "no container engine runs here, and `dockerd` is not installed or may not be started by this user"
        return
    url = f"unix://{folder}/docker.sock"
    places = ("--data-root", f"{folder}/data", "--exec-root", f"{folder}/run", "--pidfile", f"{folder}/pid")
    quiet = ("--iptables=false", "--bridge=none", "--storage-driver=overlay2", "--host", url)
    with open(folder / "log", "wb") as log:
        daemon = subprocess.Popen([program, *places, *quiet], stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not (folder / "docker.sock").exists() and daemon.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
        is_up = (folder / "docker.sock").exists() and daemon.poll() is None
        yield url if is_up else f"`dockerd` did not start: {(folder / 'log').read_text()[-300:]}"
    finally:
        daemon.terminate()
        daemon.wait(timeout=30)


def _root_folder() -> bytes:
    """Return an archive of a small root folder with Python and a shell in it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", dereference=True) as tar:
        for name in ("tmp", "etc", "usr/local/bin"):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            tar.addfile(entry)
        python = Path(os.path.realpath(sys.executable))
        programs = {f"/bin/{name}": Path(path) for name in _PROGRAMS if (path := shutil.which(name))}
        for place, path in {**programs, str(python): python}.items():
            tar.add(os.path.realpath(path), place, filter=_anybodys)
        standard = sysconfig.get_path("stdlib")
        tar.add(os.path.realpath(standard), standard, filter=_needed)
        for library in sorted(_libraries([*programs.values(), python, *Path(standard, "lib-dynload").glob("*.so")])):
            tar.add(os.path.realpath(library), library, filter=_anybodys)
        link = tarfile.TarInfo("usr/local/bin/python3")
        link.type, link.linkname = tarfile.SYMTYPE, str(python)
        tar.addfile(link)
    return buffer.getvalue()


def _libraries(programs: list[Path]) -> set[str]:
    told = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, check=False).stdout
    words = (word for line in told.splitlines() if "=>" in line or "ld-linux" in line for word in line.split())
    return {word for word in words if word.startswith("/") and not word.endswith(":")}


def _anybodys(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.mode = 0o755
    return entry


def _needed(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if _LEFT_OUT & set(Path(entry.name).parts) else _anybodys(entry)
