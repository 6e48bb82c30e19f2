"""What version control must know of a registry: what stays out, that no byte is converted, and no tool mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from jupyter_mcpgen.errors import LeadsOut
from jupyter_mcpgen.registry.layout import Layout

# Where two people changed the same tool, git reports a conflict and leaves the files of the one who merges as they
# were: with marks of a conflict in them the tool would be nobody's, and would not run.
_ATTRIBUTES = b"* -text\nactive/** -merge\narchive/** -merge\n"


def keep_git_files(layout: Layout) -> None:
    """Write both files where they are missing, and add to an existing `.gitignore` the lines that it lacks.

    What a person wrote stays, also `!metrics.json`, with which they keep a file in version control.
    """
    folder, ignored, attributes = layout.folder, layout.root / ".gitignore", layout.root / ".gitattributes"
    if not folder.exists(attributes):
        folder.replace(attributes, _ATTRIBUTES)
    if not folder.exists(ignored):
        folder.replace(ignored, _lines(layout.unshared))
        return
    with suppress(LeadsOut):  # somebody's link to rules of their own: it is neither followed nor replaced
        content = folder.read(ignored)
        lacking = [name for name in layout.unshared if name not in set(_named(content))]
        if lacking:
            end = b"" if not content or content.endswith(b"\n") else b"\n"
            folder.replace(ignored, content + end + _lines(lacking))


def _named(content: bytes) -> Iterator[str]:
    """Yield the names that the lines of a `.gitignore` are about, ignored or not."""
    for line in content.decode("utf-8", "replace").splitlines():
        yield line.strip().removeprefix("!").strip("/")


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()
