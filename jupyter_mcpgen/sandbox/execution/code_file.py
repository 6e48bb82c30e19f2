"""Writes a program's text, exactly as given, into a fresh folder, and names what is made of it."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.sandbox.programs.languages import Language

ARCHIVE = b"!<arch>"
"""How a library begins, which no system starts."""
_JAVA_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_JAVA_TYPE = re.compile(
    r"(?<![\w.])(public\s+)?(?:(?:final|abstract|sealed|strictfp)\s+)*(?:class|record|enum|interface)\s+(\w+)"
)
_JAVA_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?void\s+main\s*\(")
_JAVA_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@dataclass(frozen=True)
class CodeFile:
    """Where a program's text, its standard input and what is compiled from it lie; `main` is what Java starts."""

    folder: Path
    source: Path
    stdin: Path | None
    main: str = "Main"

    @property
    def binary(self) -> Path:
        """Return where the compiler puts the program."""
        return self.folder / "program"

    @property
    def classes(self) -> Path:
        """Return where Java's compiler puts the classes."""
        return self.folder / "classes"


def write_code(
    root: Path,
    language: Language,
    code: str,
    stdin: str | None,
    owner: int | None,
    beside: Mapping[str, bytes] | None = None,
) -> CodeFile:
    """Write code and standard input into a new folder below `root` that belongs to `owner`, and more files beside."""
    folder = Path(tempfile.mkdtemp(prefix="code-", dir=root))
    stem, main = java_names(code) if language.name == "java" else ("main", "")
    source = folder / f"{stem}{language.extension}"
    _write(source, code)
    given = folder / "stdin.txt" if stdin else None
    if given is not None and stdin is not None:
        _write(given, stdin)
    for name, content in (beside or {}).items():
        (folder / name).parent.mkdir(mode=0o700, exist_ok=True)
        (folder / name).write_bytes(content)
    if owner is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, owner, owner, follow_symlinks=False)
    return CodeFile(folder, source, given, main)


def make_runnable(files: CodeFile) -> bool:
    """Mark what was compiled as a program; return whether there is one: Go makes an archive of what has no `main`.

    The compiler cannot do it where changing modes is refused to it.
    """
    if files.classes.is_dir():
        return True
    try:
        descriptor = os.open(files.binary, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        is_program = stat.S_ISREG(os.fstat(descriptor).st_mode) and os.read(descriptor, len(ARCHIVE)) != ARCHIVE
        if is_program:
            os.fchmod(descriptor, 0o700)
        return is_program
    finally:
        os.close(descriptor)


def java_names(code: str) -> tuple[str, str]:
    """Return the file name, without extension, that Java demands for this text, and the class that holds `main`."""
    plain = _JAVA_NOISE.sub(" ", code)
    types = list(_JAVA_TYPE.finditer(plain))
    entry = _JAVA_MAIN.search(plain)
    outermost = [found for found in types if _is_open(plain, 0, found.start(), 0)]
    public = next((found[2] for found in outermost if found[1]), None)
    around = [found[2] for found in types if entry and _is_open(plain, found.end(), entry.start(), 1)]
    main = "$".join(around) or public or "Main"
    package = _JAVA_PACKAGE.search(plain)
    return public or main.partition("$")[0], f"{package[1]}.{main}" if package else main


def _is_open(code: str, begin: int, end: int, least: int) -> bool:
    """Return whether so many more braces were opened than closed between two places, and never fewer on the way."""
    depth, opened = 0, False
    for sign in code[begin:end]:
        depth += (sign == "{") - (sign == "}")
        opened = opened or depth >= least
        if opened and depth < least:
            return False
    return depth >= least and (least > 0 or depth == 0)


def _write(path: Path, text: str) -> None:
    # Lone surrogates are kept as they are: it is for the language to refuse them.
    with open(path, "x", encoding="utf-8", errors="surrogatepass", newline="") as stream:
        stream.write(text)
