"""The closed table of languages, and what is said when a tool is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import ToolchainMissing
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Language, available, fill, find_toolchain

NAMES = ["bash", "c", "cpp", "go", "java", "javascript", "python", "rust"]
TOOLS = {tool: f"/opt/{tool}" for language in LANGUAGES.values() for tool in language.tools}
PLACES = {
    "source": "S", "binary": "B", "classes": "C", "main": "Main", "scratch": "T", "heap_mb": 192,
}  # fmt: skip


def test_there_are_exactly_eight_languages_in_order() -> None:
    assert list(LANGUAGES) == NAMES


@pytest.mark.parametrize("name", ["Python", "PYTHON", "", "cobol", "sql", "ruby", "php", "r", "js", "c++"])
def test_no_other_name_is_a_language(name: str) -> None:
    assert name not in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=NAMES)
def test_each_has_an_image_an_extension_a_command_and_a_cure(language: Language) -> None:
    assert language.extension.startswith(".")
    assert ":" in language.image
    assert language.run
    assert language.tools
    assert language.install
    assert language.timeout_factor >= 1


def test_a_compiled_language_gets_at_least_the_time_of_an_interpreted_one() -> None:
    compiled = [language.timeout_factor for language in LANGUAGES.values() if language.is_compiled]
    interpreted = [language.timeout_factor for language in LANGUAGES.values() if not language.is_compiled]

    assert min(compiled) >= max(interpreted)


@pytest.mark.parametrize(
    ("name", "compiler", "program"),
    [
        ("bash", (), ("/opt/bash", "S")),
        ("c", ("/opt/gcc", "-O1", "-I.", "-o", "B", "S", "-lm", "-pthread"), ("B",)),
        ("cpp", ("/opt/g++", "-O1", "-I.", "-o", "B", "S", "-pthread"), ("B",)),
        ("go", ("/opt/go", "build", "-o", "B", "S"), ("B",)),
        (
            "java",
            (
                "/opt/javac", "-J-Xmx256m", "-J-XX:ReservedCodeCacheSize=32m", "-J-XX:CompressedClassSpaceSize=32m",
                "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-J-XX:-UseContainerSupport",
                "-encoding", "UTF-8", "-proc:none", "-d", "C", "S",
            ),
            (
                "/opt/java", "-Xmx192m", "-XX:ReservedCodeCacheSize=32m", "-XX:CompressedClassSpaceSize=32m",
                "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:-UseContainerSupport",
                "-Dfile.encoding=UTF-8", "-Djava.io.tmpdir=T", "-cp", "C", "Main",
            ),
        ),
        ("javascript", (), ("/opt/node", "--max-old-space-size=192", "S")),
        ("python", (), ("/opt/python", "-s", "-B", "-X", "utf8", "S")),
        (
            "rust",
            ("/opt/rustc", "--edition", "2021", "-C", "opt-level=1", "-C", "linker=/opt/cc", "-o", "B", "S"),
            ("B",),
        ),
    ],
)  # fmt: skip
def test_the_commands_are_these(name: str, compiler: tuple[str, ...], program: tuple[str, ...]) -> None:
    language = LANGUAGES[name]

    assert (fill(language.compile, TOOLS, **PLACES) if language.is_compiled else ()) == compiler
    assert fill(language.run, TOOLS, **PLACES) == program


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=NAMES)
def test_a_missing_tool_is_named_with_its_cure(language: Language) -> None:
    with pytest.raises(ToolchainMissing) as missing:
        find_toolchain(language, lambda _: None)

    assert str(missing.value).startswith(f"`{language.name}` cannot be run here: `{language.tools[0]}` was not found.")
    assert language.install in str(missing.value)


def test_no_home_folder_and_no_temporary_folder_is_granted() -> None:
    for name, missing in available().items():
        if missing is None:
            toolchain = find_toolchain(LANGUAGES[name])
            granted = {*toolchain.read, *toolchain.run}
            assert not granted & {Path.home(), Path("/"), Path("/tmp"), Path("/etc"), Path("/proc"), Path("/home")}


def test_python_is_always_there() -> None:
    assert available()["python"] is None
