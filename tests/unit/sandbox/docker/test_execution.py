"""What can be said about running in a container before any engine is asked."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import EngineUnavailable, ImageMissing
from jupyter_mcpgen.sandbox.docker.archive import Member, archive
from jupyter_mcpgen.sandbox.docker.engine import Ended, Engine
from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor, DockerSettings, Failure, _made
from jupyter_mcpgen.sandbox.docker.usage import Reading, of_group, of_stats
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES

ENDED = Ended("c", 0, False, False, False, False, b"", b"", 0.1, Reading())


def nobody(url: str | None) -> Engine:
    raise EngineUnavailable("the Docker daemon is not running; start it")


@pytest.fixture
def executor() -> DockerExecutor:
    return DockerExecutor(connect=nobody)


def test_no_engine_is_a_setup_error_in_the_words_of_the_interface(executor: DockerExecutor) -> None:
    run = executor.execute("python", "print(1)")

    assert (run.execution.status, run.execution.exit_code, run.execution.level) == (
        Status.SETUP_ERROR,
        -1,
        Level.CONTAINER,
    )
    assert run.failure is Failure.NO_ENGINE
    assert run.error == "Docker execution failed: The Docker daemon is not running; start it."


def test_every_language_has_its_own_image_on_the_list_and_a_named_one_joins_it() -> None:
    every = DockerSettings(images=("team/pandas:1",)).every_image

    assert {language.image for language in LANGUAGES.values()} < set(every)
    assert every[-2:] == ("python:3.11-slim", "team/pandas:1")


@pytest.mark.parametrize(
    ("how", "words", "failure"),
    [
        ({"language": "Python"}, "Unsupported language: `Python`. Did you mean `python`?", Failure.CONTAINER),
        ({"code": " "}, "There is no code to run", Failure.CONTAINER),
        ({"code": None}, "There is no code to run", Failure.CONTAINER),
        ({"image": "evil:latest"}, "`evil:latest` is not on the list", Failure.NO_IMAGE),
        ({"network": True}, "`sandbox.docker_network` is off", Failure.CONTAINER),
        ({"environment": {"LD_PRELOAD": "x"}}, "`LD_PRELOAD` is set by the sandbox", Failure.CONTAINER),
    ],
)
def test_what_may_not_run_is_refused_before_an_engine_is_asked(
    executor: DockerExecutor, how: dict[str, object], words: str, failure: Failure
) -> None:
    asked = {"language": "python", "code": "print(1)", **how}

    run = executor.execute(**asked)  # type: ignore[arg-type]

    assert (run.execution.status, run.failure) == (Status.SETUP_ERROR, failure)
    assert words in (run.error or "")


def test_a_missing_image_says_how_to_get_it() -> None:
    assert "`docker pull a:b`" in str(ImageMissing("a:b"))


def test_files_are_roots_and_nobody_may_write_them() -> None:
    with tarfile.open(fileobj=io.BytesIO(archive([Member("a/b/c", b"x", executable=True), Member("d", b"")]))) as tar:
        rows = [(row.name, row.isdir(), oct(row.mode), row.uid) for row in tar.getmembers()]

    assert rows == [
        (".", True, "0o755", 0),
        ("a", True, "0o755", 0),
        ("a/b", True, "0o755", 0),
        ("a/b/c", False, "0o755", 0),
        ("d", False, "0o644", 0),
    ]


def archived(*rows: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for row in rows:
            row.size = 0 if row.issym() or row.isdir() else 1
            tar.addfile(row, io.BytesIO(b"x"))
    return buffer.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    row = tarfile.TarInfo(name)
    row.type, row.linkname = kind, "/etc/passwd" if kind == tarfile.SYMTYPE else ""
    return row


def test_of_what_a_compiler_made_only_plain_files_in_their_place_are_taken() -> None:
    made = archived(
        entry("program"),
        entry("classes", tarfile.DIRTYPE),
        entry("classes/a/B.class"),
        entry("classes/../../escape"),
        entry("classes/link", tarfile.SYMTYPE),
        entry("main.py"),
        entry("/etc/passwd"),
    )

    assert [member.name for member in _made(replace(ENDED, stdout=made))] == ["program", "classes/a/B.class"]


@pytest.mark.parametrize(
    "ended",
    [
        replace(ENDED, stdout=b"no archive"),
        replace(ENDED, stdout=archived(entry("program")), exit_code=1),
        replace(ENDED, stdout=archived(entry("program")), timed_out=True),
        replace(ENDED, stdout=archived(entry("program"))[:300]),
    ],
)
def test_a_compiler_that_failed_or_lied_made_nothing(ended: Ended) -> None:
    assert _made(ended) == []


def test_use_is_read_from_either_kind_of_control_group_and_only_from_the_containers_own(tmp_path: Path) -> None:
    from jupyter_mcpgen.sandbox.docker import usage as docker_usage

    old, new = tmp_path / "old", tmp_path / "new"
    for folder, files in (
        (old, {"memory.max_usage_in_bytes": "10\n", "cpuacct.usage": "2000000000\n"}),
        (new, {"memory.peak": "20\n", "cpu.stat": "usage_usec 3000000\nuser_usec 1\n"}),
    ):
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content, encoding="ascii")

    assert docker_usage._read([old]) == Reading(2.0, 10)
    assert docker_usage._read([new]) == Reading(3.0, 20)
    assert docker_usage._read([tmp_path]) == Reading()
    assert of_group("an id that no process here has", 1) is None


def test_what_the_engine_tells_is_used_where_nothing_else_can_be_seen() -> None:
    stats = {"memory_stats": {"usage": 5, "max_usage": 9}, "cpu_stats": {"cpu_usage": {"total_usage": 1_500_000_000}}}

    assert of_stats(stats) == Reading(1.5, 9)
    assert of_stats({}) == Reading()
    assert Reading(1.0, 9).joined(Reading(None, 5)) == Reading(1.0, 9)
