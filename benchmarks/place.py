"""A temporary place for everything that is measured: nobody's registry, settings or state is touched."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.data.demo import crashes

ROOT = Path(__file__).parents[1]
ROWS = 10_000


@dataclass(frozen=True)
class Place:
    """A folder, and a table of 10,000 rows in it."""

    folder: Path

    @property
    def table(self) -> Path:
        """The table as a CSV file."""
        return self.folder / "crashes.csv"

    def new_folder(self, name: str) -> Path:
        """Return an empty folder."""
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))

    @property
    def environment(self) -> dict[str, str]:
        """The environment of every process that is measured."""
        own = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "IPYTHONDIR": "ipython",
            "XDG_CACHE_HOME": "cache",
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MCPGEN_", "FASTMCP_"))}
        return {**inherited, **{name: str(self.folder / part) for name, part in own.items()}, "PYTHONPATH": str(ROOT)}

    def python(self, *arguments: str) -> None:
        """Run a fresh Python to its end."""
        self.run(self.interpreter, *arguments)

    @property
    def interpreter(self) -> str:
        """The Python that is measured, and that the references use."""
        return sys.executable

    def run(self, *arguments: str) -> None:
        """Run a program to its end."""
        subprocess.run(arguments, env=self.environment, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    @contextmanager
    def kept(self, *arguments: str) -> Iterator[Callable[[str, int], list[tuple[str, float]]]]:
        """Keep a Python that is sent a line, and return how many lines it answers, each after how many milliseconds."""
        program = [self.interpreter, *arguments]
        with subprocess.Popen(
            program,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            send, receive = process.stdin.write, process.stdout.readline

            def said(line: str, answers: int) -> list[tuple[str, float]]:
                begin = time.perf_counter()
                send(f"{line}\n")
                return [(receive().strip(), (time.perf_counter() - begin) * 1000) for _ in range(answers)]

            yield said
            process.stdin.close()

    @property
    def group_by(self) -> str:
        """The program that all answers are compared with: plain pandas, as one would type it."""
        return (
            "import pandas as pd; "
            f"df = pd.read_csv({str(self.table)!r}); "
            "print(df.groupby('weather_condition', as_index=False)['num_units'].sum())"
        )


@contextmanager
def open_place() -> Iterator[Place]:
    """Make the place, and take it away afterwards."""
    with tempfile.TemporaryDirectory(prefix="mcpgen-bench-") as name:
        place = Place(Path(name))
        crashes().head(ROWS).to_csv(place.table, index=False)
        yield place
