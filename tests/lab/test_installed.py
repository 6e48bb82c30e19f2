"""The wheel and the sdist with all dependencies in empty environments; takes minutes, so it runs with `make soak`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
LOAD = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "jupyter_mcpgen")
shell.run_line_magic("mcpgen", "help")
import jupyter_mcpgen
print(jupyter_mcpgen.__file__)
"""

pytestmark = [pytest.mark.install, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build an sdist from what git knows, and a wheel from the sdist, as an index would get them."""
    folder = tmp_path_factory.mktemp("dist")
    checkout = folder / "checkout"
    known = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, known.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            (checkout / name).write_bytes((ROOT / name).read_bytes())
    build = f"import hatchling.build as build; build.build_sdist({str(folder)!r}); build.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=checkout, check=True, capture_output=True)
    return {"sdist": next(folder.glob("*.tar.gz")), "wheel": next(folder.glob("*.whl"))}


@pytest.fixture
def empty() -> Iterator[Path]:
    """Give a folder that is taken away at once: pytest would keep gigabytes."""
    with TemporaryDirectory(prefix="mcpgen-install-") as name:
        yield Path(name)


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_an_empty_environment_gets_the_whole_product(kind: str, distributions: dict[str, Path], empty: Path):
    environment = empty / "venv"
    wanted = f"jupyter-mcpgen[demo] @ {distributions[kind].as_uri()}"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    said_in(environment, "python", "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), wanted)

    version = said_in(environment, "jupyter", "mcpgen", "--version")
    listed = said_in(environment, "jupyter", "labextension", "list")
    loaded = said_in(environment, "python", "-c", LOAD)
    tour = said_in(environment, "jupyter-mcpgen", "demo", "--yes")

    assert version.startswith("jupyter-mcpgen ")
    assert re.search(r"jupyter-mcpgen v\S+ .*enabled.*OK.*jupyter_mcpgen", listed)
    assert "It uses its built-in planner" in loaded
    assert str(environment) in loaded.splitlines()[-1]
    assert re.findall(r"Over (HTTP|stdio).*answered with 5 rows", tour) == ["HTTP", "stdio"]


def said_in(environment: Path, command: str, *arguments: str) -> str:
    """Run one of an environment's commands in the folder around it; return what it printed."""
    binaries, home = environment / "bin", str(environment.parent)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER", "MCPGEN"))}
    own = {"HOME": home, "TMPDIR": home, "COLUMNS": "200", "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [binaries / command, *arguments],
        cwd=home,
        env={**kept, **own},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
