"""The eight languages that programs may be written in: how each is compiled and run, and what it needs.

The table is closed. A command is an argument list whose first word is a tool of the table; it is replaced by the path
that was found, and `{…}` by the paths of one call. Nothing of it comes from a request.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from jupyter_mcpgen.errors import ToolchainMissing
from jupyter_mcpgen.sandbox.interpreter import Interpreter, existing, links_on

Find = Callable[[str], str | None]
Command = tuple[str, ...]

_SYSTEM_PROGRAMS = (
    "/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
)  # fmt: skip
_SYSTEM_FILES = (
    "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/ssl/openssl.cnf", "/proc/meminfo", "/proc/cpuinfo",
    "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage",
)  # fmt: skip
_JAVA_MEMORY = ("-XX:ReservedCodeCacheSize=32m", "-XX:CompressedClassSpaceSize=32m")
# No file for other tools to read in the shared temporary folder, and no look at a container's limits: ours are meant.
_JAVA_QUIET = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:-UseContainerSupport")

_C_ERROR = r"^.*(?:\berror: |undefined reference to |multiple definition of ).*"


@dataclass(frozen=True)
class Language:
    """One row of the table; `address_mb` is the least that one of its processes must be able to map.

    `compile_error` and `run_error` are patterns of the line that says what was wrong, in what the compiler and the
    program write; without one it is the last line.
    """

    name: str
    extension: str
    image: str
    tools: tuple[str, ...]
    run: Command
    compile: Command = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    address_mb: int = 0
    timeout_factor: float = 1.0
    install: str = ""
    out_of_memory: tuple[str, ...] = ()
    compile_error: str = ""
    run_error: str = ""

    @property
    def is_compiled(self) -> bool:
        """True when there is a step before the program runs."""
        return bool(self.compile)


LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language(
            name="bash",
            extension=".sh",
            image="bash:5.2",
            tools=("bash",),
            run=("bash", "{source}"),
            install="install the package `bash`",
            out_of_memory=("cannot allocate", "Cannot allocate memory"),
        ),
        Language(
            name="c",
            extension=".c",
            image="gcc:14",
            tools=("gcc",),
            compile=("gcc", "-O1", "-I.", "-o", "{binary}", "{source}", "-lm", "-pthread"),
            run=("{binary}",),
            timeout_factor=1.5,
            install="install a C compiler, on Debian and Ubuntu the package `gcc` with `libc6-dev`",
            compile_error=_C_ERROR,
        ),
        Language(
            name="cpp",
            extension=".cpp",
            image="gcc:14",
            tools=("g++",),
            compile=("g++", "-O1", "-I.", "-o", "{binary}", "{source}", "-pthread"),
            run=("{binary}",),
            timeout_factor=2.0,
            install="install a C++ compiler, on Debian and Ubuntu the package `g++`",
            out_of_memory=("std::bad_alloc",),
            compile_error=_C_ERROR,
            run_error=r"^terminate called .*(?:\n  what\(\): .*)?",
        ),
        Language(
            name="go",
            extension=".go",
            image="golang:1.23",
            tools=("go",),
            compile=("go", "build", "-o", "{binary}", "{source}"),
            run=("{binary}",),
            environment={
                "GOCACHE": "{scratch}/go-cache",
                "GOPATH": "{scratch}/go",
                "GOTMPDIR": "{scratch}",
                "GOFLAGS": "-mod=mod",
                "GOPROXY": "off",
                "GOTOOLCHAIN": "local",
                "GOTELEMETRY": "off",
                "GO111MODULE": "off",
                "CGO_ENABLED": "0",
            },
            address_mb=1024,
            timeout_factor=2.0,
            install="install Go from https://go.dev/dl/, on Debian and Ubuntu the package `golang-go`",
            out_of_memory=("runtime: out of memory", "cannot allocate memory"),
            compile_error=r"^\S+\.go:\d+.*",
            run_error=r"^(?:panic|fatal error): .*",
        ),
        Language(
            name="java",
            extension=".java",
            image="eclipse-temurin:21",
            tools=("javac", "java"),
            compile=(
                "javac", "-J-Xmx256m", *(f"-J{flag}" for flag in (*_JAVA_MEMORY, *_JAVA_QUIET)),
                "-encoding", "UTF-8", "-proc:none", "-d", "{classes}", "{source}",
            ),
            run=(
                "java", "-Xmx{heap_mb}m", *_JAVA_MEMORY, *_JAVA_QUIET,
                "-Dfile.encoding=UTF-8", "-Djava.io.tmpdir={scratch}", "-cp", "{classes}", "{main}",
            ),
            # The C library would reserve 64 MB for each thread that allocates.
            environment={"MALLOC_ARENA_MAX": "1"},
            address_mb=1024,
            timeout_factor=2.0,
            install="install a Java development kit, on Debian and Ubuntu the package `default-jdk-headless`",
            out_of_memory=("java.lang.OutOfMemoryError", "Native memory allocation"),
            compile_error=r"^\S+\.java:\d+: error: .*",
            run_error=r"^Exception in thread .*",
        ),
        Language(
            name="javascript",
            extension=".js",
            image="node:22-slim",
            tools=("node",),
            run=("node", "--max-old-space-size={heap_mb}", "{source}"),
            address_mb=2048,
            install="install Node.js from https://nodejs.org/, on Debian and Ubuntu the package `nodejs`",
            out_of_memory=("JavaScript heap out of memory", "Array buffer allocation failed"),
            run_error=r"^(?:Uncaught )?(?:[A-Z]\w{0,60})?Error\b.*",
        ),
        Language(
            name="python",
            extension=".py",
            image="python:3.12-slim",
            tools=("python",),
            run=("python", "-s", "-B", "-X", "utf8", "{source}"),
            environment={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            address_mb=2048,
            install="run the product with an ordinary Python",
            out_of_memory=("MemoryError",),
        ),
        Language(
            name="rust",
            extension=".rs",
            image="rust:1.82-slim",
            tools=("rustc", "cc"),
            compile=(
                "rustc", "--edition", "2021", "-C", "opt-level=1", "-C", "linker={cc}", "-o", "{binary}", "{source}",
            ),
            run=("{binary}",),
            timeout_factor=2.0,
            install="install Rust from https://rustup.rs/ and a C compiler, whose linker it uses",
            out_of_memory=("memory allocation of",),
            compile_error=r"^error(?:\[E\d+\])?: .*(?:\n *--> .*)?",
            run_error=r"^thread .* panicked at .*(?:\n.*)?",
        ),
    )
}  # fmt: skip
"""Every language there is, by name, in alphabetical order; names are compared exactly."""


@dataclass(frozen=True)
class Toolchain:
    """What was found on this machine for a language: the path of each tool, and what it must read and execute.

    `links` are the links that one meets on the way there, which a root of its own needs as well; `environment` is what
    this machine's tools need besides the language's own.
    """

    language: Language
    tools: Mapping[str, str]
    read: tuple[Path, ...]
    run: tuple[Path, ...]
    links: tuple[tuple[str, str], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def find_toolchain(language: Language, find: Find | None = None) -> Toolchain:
    """Return the tools of a language; raises `ToolchainMissing` with the cure when one is not installed."""
    tools = {name: _found(language, name, find or _which) for name in language.tools}
    read, run = _needs(language, tools)
    links = _links((*_SYSTEM_PROGRAMS, *_SYSTEM_FILES, *tools.values(), *map(str, (*read, *run))))
    return Toolchain(language, tools, existing(*map(Path, _SYSTEM_FILES), *read), _programs(*run), links)


def available() -> dict[str, str | None]:
    """Return every language, with `None` where it can be used and else what is missing."""
    return {name: _lack(language) for name, language in LANGUAGES.items()}


def fill(command: Command, tools: Mapping[str, str], **places: str | int) -> Command:
    """Return a command of the table with its tool and its places filled in."""
    first, *rest = (part.format(**tools, **places) for part in command)
    return (tools.get(first, first), *rest)


def _lack(language: Language) -> str | None:
    try:
        find_toolchain(language)
    except ToolchainMissing as missing:
        return str(missing)
    return None


def _found(language: Language, tool: str, find: Find) -> str:
    path = find(tool)
    if path is None:
        raise ToolchainMissing(language.name, tool, language.install)
    return path


def _which(tool: str) -> str | None:
    if tool == "python":
        return sys.executable or None
    if tool == "rustc":
        proxy = shutil.which(tool) or _executable(Path.home() / ".cargo" / "bin" / tool)
        return _told(proxy, ("--print", "sysroot"), tool)
    if tool == "go":
        return _told(shutil.which(tool) or _executable(Path("/usr/local/go/bin/go")), ("env", "GOROOT"), tool)
    return shutil.which(tool)


def _executable(path: Path) -> str | None:
    return str(path) if os.access(path, os.X_OK) else None


@lru_cache
def _told(proxy: str | None, question: tuple[str, ...], tool: str) -> str | None:
    """Return the compiler itself: what is on the path may be a proxy that wants its settings, or a script."""
    if proxy is None:
        return None
    try:
        asked = subprocess.run(  # noqa: S603  # the person's own compiler, asked where it lives
            [proxy, *question],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "GOTOOLCHAIN": "local"},  # a folder's wish for another version is a download
        )
    except (OSError, subprocess.SubprocessError):
        return None  # a proxy without a toolchain
    return _executable(Path(asked.stdout.strip()) / "bin" / tool)


def _needs(language: Language, tools: Mapping[str, str]) -> tuple[list[Path], list[Path]]:
    """Return what the tools of a language read, and what they execute, beyond the system's own."""
    match language.name:
        case "python":
            return _python()
        case "rust":
            return [], [Path(tools["rustc"]).resolve().parents[1] / part for part in ("bin", "lib")]
        case "go":
            root = Path(tools["go"]).resolve().parents[1]
            return [], [root / part for part in ("bin", "go.env", "lib", "pkg", "src", "VERSION")]
        case "java":
            home = Path(tools["java"]).resolve().parents[1]
            return [*Path("/etc").glob("java-*")], [home / part for part in ("bin", "conf", "jmods", "lib", "release")]
        case _:
            return [], [Path(tool).resolve() for tool in tools.values()]


@lru_cache(maxsize=64)  # an installation moves less often than a program is run
def _links(paths: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return links_on(*map(Path, paths))


def _python() -> tuple[list[Path], list[Path]]:
    interpreter = Interpreter.current()
    named = [Path(path) for path, _ in interpreter.links]  # followed again, so that nothing is lost of the way
    return [*interpreter.reads, *named, Path(sys.prefix) / "pyvenv.cfg"], [interpreter.executable]


def _programs(*own: Path) -> tuple[Path, ...]:
    return existing(*map(Path, _SYSTEM_PROGRAMS), *own)
