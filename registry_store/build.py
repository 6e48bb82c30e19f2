"""Makes the tools of the starter library from their sources: `python registry_store/build.py` (`make starter`).

Each goes through the whole pipeline, and nothing is written for one that a gate rejects. What a machine adds to a tool
when it is installed there is left out: the copy of the toolkit, and the digests of its own run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from jupyter_mcpgen.errors import UnsoundApproval
from jupyter_mcpgen.model.package import GOLDEN
from jupyter_mcpgen.pipeline.draft import Reused
from jupyter_mcpgen.pipeline.present import blocking
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.settings import load_settings
from jupyter_mcpgen.starter import StarterLibrary, StarterTool, starter_library

ADDED = frozenset({"helpers.py", GOLDEN})


def build_tool(tool: StarterTool, library: StarterLibrary, runtime: Runtime) -> dict[str, str]:
    """Return the files of one tool; raises `UnsoundApproval` for one that a gate rejects."""
    data, other = library.tables(tool)
    intent = library.written(tool)
    if intent is None:
        computed = runtime.compute(tool.question, data, tool.name, other, reader=Reader.PLANNER)
        if isinstance(computed, Reused):
            raise AssertionError("a fresh registry has no tool to use again")
        card = runtime.starter.stage(tool, computed.intent)
    else:
        card = runtime.starter.stage(tool, intent)
    if not card.sound:
        raise UnsoundApproval(card.tool_name, blocking(card))
    places = {ref.path: Path(ref.path).name for ref in (data, other) if ref is not None}
    files = {name: text for name, text in runtime.registry.package(card.card_id).files.items() if name not in ADDED}
    for path, name in places.items():
        files = {each: text.replace(path, name) for each, text in files.items()}
    return files


def build_library(library: StarterLibrary, runtime: Runtime, into: Path, names: tuple[str, ...] = ()) -> None:
    """Write the folders of all tools, or of those named, in the form of a registry."""
    for tool in library.tools:
        if names and tool.name not in names:
            continue
        files = build_tool(tool, library, runtime)
        home = into / tool.name
        rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        for name, text in files.items():
            (home / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"{tool.name}\n")


if __name__ == "__main__":
    with TemporaryDirectory(prefix="starter-") as folder:
        settings = load_settings(overrides={"registry.path": Path(folder) / "registry"}).values
        build_library(starter_library(), build(settings), starter_library().folder / "tools", tuple(sys.argv[1:]))
