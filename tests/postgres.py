"""A PostgreSQL server of its own for a test, where one is installed, in a folder that nobody else can reach."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OWNER = "postgres"
_PROGRAMS = ("initdb", "pg_ctl", "createdb", "psql")


def programs() -> Path | None:
    """Return the folder with the server's programs, None where it is not installed."""
    found = shutil.which("initdb")
    places = [*([Path(found).resolve().parent] if found else []), *Path("/usr/lib/postgresql").glob("*/bin")]
    return next((place for place in places if all((place / name).exists() for name in _PROGRAMS)), None)


@contextmanager
def server(statements: str) -> Iterator[str]:
    """Run a server with the database `shop`, made by some statements; gives its address for the role `reader`."""
    place = programs()
    assert place is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    user = _OWNER if os.getuid() == 0 else None  # it does not run as root
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    data = folder / "data"

    def run(program: str, *words: str, given: str | None = None) -> None:
        subprocess.run(
            [str(place / program), *words], user=user, cwd=folder, input=given, text=True, check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        )  # fmt: skip

    try:
        run("initdb", "-D", str(data), "-U", _OWNER, "--auth=trust", "--no-sync")
        run("pg_ctl", "-D", str(data), "-w", "-o", f"-k {folder} -h '' -F", "-l", str(folder / "log"), "start")
        try:
            run("createdb", "-h", str(folder), "-U", _OWNER, "shop")
            run("psql", "-h", str(folder), "-U", _OWNER, "-v", "ON_ERROR_STOP=1", "-q", "shop", given=statements)
            yield f"postgresql://reader@/shop?host={folder}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
