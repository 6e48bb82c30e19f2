"""Builds are queued, watched, stopped and remembered, and none says that it succeeded where it did not."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_mcpgen.build.kept import KeptBuilds
from jupyter_mcpgen.build.records import BuildStarted, BuildStatus, State
from jupyter_mcpgen.errors import PathNotOpen
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.execution.record import Reason
from tests.builders import approval, approved, draft
from tests.fakes.executors import Ended, Endless
from tests.unit.build.conftest import MakeBuilds

WHEEL, ARCHIVE = "mcp_tool_hello-1.0.0-py3-none-any.whl", "mcp_tool_hello-1.0.0.tar.gz"
QUEUE = """
import sys, time
from pathlib import Path
from jupyter_mcpgen.build.kept import KeptBuild, KeptBuilds, new_id
from jupyter_mcpgen.build.records import State
kept = KeptBuild(build_id=new_id(), target="tool:hello", content="x", created_at="2026-01-22")
claim = KeptBuilds(Path(sys.argv[1])).create(kept.replace(state=State.IN_PROGRESS, progress=50))
print(kept.build_id, flush=True)
time.sleep(600)
"""


def ended(builds, target: str, folder: Path, **options) -> BuildStatus:
    """Build a target to its end."""
    started = builds.trigger(target, lambda: folder, **options)
    assert started.status == "pending", started.error_message
    return builds.wait(started.build_id)


def refused(builds, target: str, folder: Path, **options) -> str:
    """Return why a target is not built, after a look that nothing was."""
    started: BuildStarted = builds.trigger(target, lambda: folder, **options)
    assert (started.status, started.build_id, started.artifact_paths) == ("failure", "", ())
    assert not folder.exists()
    return started.error_message


def test_a_page_of_one_tool_leaves_the_page_of_all_as_it_is(builds: MakeBuilds, tmp_path: Path) -> None:
    made, out = builds(), tmp_path / "out"

    statuses = [ended(made, target, out) for target in ("docs:all", "docs:hello")]

    assert [status.status for status in statuses] == [State.SUCCESS, State.SUCCESS]
    pages = [Path(path).name for status in statuses for path in status.artifact_paths]
    assert pages == ["catalogue.html", "catalogue-hello.html"]


def test_a_tool_becomes_a_wheel_and_a_source_archive_with_their_digests(builds: MakeBuilds, tmp_path: Path) -> None:
    made = builds()

    status = ended(made, "tool:hello", tmp_path / "out")

    assert (status.status, status.progress_percentage, status.error_details) == (State.SUCCESS, 100, "")
    assert status.message == "The build is done. Its tests pass in the sandbox."
    assert [Path(path).name for path in status.artifact_paths] == [WHEEL, ARCHIVE]
    for artifact in status.artifacts:
        content = Path(artifact.path).read_bytes()
        assert (artifact.sha256, artifact.size) == (hashlib.sha256(content).hexdigest(), len(content))
    assert "Running `mcp_tool_hello/tests` in the sandbox." in Path(status.log_file_path).read_text(encoding="utf-8")


def test_the_same_tool_gives_the_same_bytes(builds: MakeBuilds, tmp_path: Path) -> None:
    first, second = (ended(builds(), "tool:hello", tmp_path / name) for name in ("one", "two"))

    assert [each.sha256 for each in first.artifacts] == [each.sha256 for each in second.artifacts]


def test_another_process_tells_how_a_build_ended(builds: MakeBuilds, tmp_path: Path) -> None:
    status = ended(builds(), "script:hello", tmp_path / "out")

    assert builds().status(status.build_id) == status


@pytest.mark.parametrize(
    "build_id", ["", "build_0", "../build_000000000000000000000000", "build_" + "0" * 24, "\x1b[2J"]
)
def test_an_id_that_no_build_has_is_an_error(builds: MakeBuilds, build_id: str) -> None:
    status = builds().status(build_id)

    assert (status.status, status.message, status.artifact_paths) == (State.ERROR, "Invalid build_id", ())
    assert status.log_file_path == ""


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("tools:hello", "Did you mean `tool`? Targets: `tool:NAME[@VERSION]`, `script:"),
        ("image:hello", "`image:hello` cannot be built."),
        ("tool:../hello", "cannot be built"),
        ("tool:Hello", "cannot be built"),
        ("tool:", "cannot be built"),
        ("tool:helo", "No tool named `helo` is registered. Did you mean `hello`?"),
        ("tool:hello@2.0.0", "`hello` has no version 2.0.0. Versions of `hello`: 1.0.0."),
    ],
)
def test_what_cannot_be_built_is_said_at_once(builds: MakeBuilds, tmp_path: Path, target: str, said: str) -> None:
    assert said in refused(builds(), target, tmp_path / "out")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"config": {"profil": "debug"}}, "`config` has no key `profil`. Did you mean `profile`?"),
        ({"config": {"profile": "fast"}}, "`config.profile` does not fit"),
        ({"options": {"timeout_seconds": 0}}, "`build_options.timeout_seconds` does not fit"),
        ({"config": {"version": "1.0.1"}}, "name two versions"),
    ],
)
def test_a_key_that_does_not_fit_is_named(builds: MakeBuilds, tmp_path: Path, keys, said: str) -> None:
    assert said in refused(builds(), "tool:hello@1.0.0", tmp_path / "out", **keys)


def test_an_older_version_is_built_where_its_tool_is_active(
    builds: MakeBuilds, registry: Registry, tmp_path: Path
) -> None:
    later = draft("hello", "hello-2", "1.1.0", files={"tool.py": "def hello(name: str) -> str:\n    return name\n"})
    registry.stage(*later.parts)
    registry.promote(later.tool_id, approval(later), approved())

    old = ended(builds(), "script:hello@1.0.0", tmp_path / "old")
    new = ended(builds(), "script:hello", tmp_path / "new")

    assert "hello {name}" in Path(old.artifact_paths[0]).read_text(encoding="utf-8")
    assert "hello {name}" not in Path(new.artifact_paths[0]).read_text(encoding="utf-8")
    registry.unpublish("hello", "ada")
    assert "hello" in refused(builds(), "script:hello@1.0.0", tmp_path / "gone")


def test_what_was_built_before_is_given_again_only_while_it_is_unchanged(builds: MakeBuilds, tmp_path: Path) -> None:
    made, out = builds(), tmp_path / "out"
    first = ended(made, "script:hello", out)
    (path,) = map(Path, first.artifact_paths)

    again = made.trigger("script:hello", lambda: out)
    assert (again.status, again.build_id, again.artifact_paths) == ("success", first.build_id, first.artifact_paths)
    assert made.trigger("script:hello", lambda: out, clean=True).status == "pending"
    made.wait(made.trigger("script:hello", lambda: out, clean=True).build_id)

    path.unlink()
    assert ended(made, "script:hello", out).status is State.SUCCESS
    assert path.exists()


def test_a_file_that_no_build_made_is_left_as_it_is(builds: MakeBuilds, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "hello.py").write_text("mine")

    status = ended(builds(), "script:hello", out)

    assert (status.status, status.artifact_paths) == (State.FAILURE, ())
    assert "was not made by a build" in status.error_details
    assert (out / "hello.py").read_text() == "mine"


def test_a_file_of_an_earlier_build_is_replaced_but_not_after_a_person_changed_it(
    builds: MakeBuilds, registry: Registry, tmp_path: Path
) -> None:
    made, out = builds(), tmp_path / "out"
    ended(made, "script:hello", out)
    later = draft("hello", "hello-2", "1.1.0", files={"tool.py": "def hello(name: str) -> str:\n    return name\n"})
    registry.stage(*later.parts)
    registry.promote(later.tool_id, approval(later), approved())

    assert ended(made, "script:hello", out).status is State.SUCCESS
    (out / "hello.py").write_text("mine now")
    assert ended(made, "script:hello", out).status is State.FAILURE


def test_a_folder_that_is_not_open_is_refused_before_anything_is_queued(builds: MakeBuilds, tmp_path: Path) -> None:
    def place() -> Path:
        raise PathNotOpen("/etc", "server.output_folders", "write into")

    started = builds().trigger("tool:hello", place)

    assert (started.status, started.build_id) == ("failure", "")
    assert "`/etc` is not in a folder that clients may write into" in started.error_message
    assert not (tmp_path / "state").exists()


def test_a_tool_that_was_changed_is_not_built(builds: MakeBuilds, registry: Registry, tmp_path: Path) -> None:
    code = registry.root / "active" / "tools" / "hello" / "tool.py"
    code.write_text(code.read_text() + "\nprint('more')\n")

    assert "`tool.py` was changed" in refused(builds(), "tool:hello", tmp_path / "out")


@pytest.mark.parametrize(("profile", "state"), [("release", State.FAILURE), ("debug", State.SUCCESS)])
def test_tests_that_fail_end_a_release_and_are_told_of_in_debug(
    builds: MakeBuilds, tmp_path: Path, profile: str, state: State
) -> None:
    made = builds(Ended(Reason.RUNTIME_ERROR, "exit code 1", 1, "1 failed: assert 2 == 3"))

    status = ended(made, "tool:hello", tmp_path / "out", config={"profile": profile})

    assert status.status is state
    assert "Its tests fail: exit code 1." in f"{status.message} {status.error_details}"
    assert "assert 2 == 3" in made.log(status.build_id)
    assert (tmp_path / "out").exists() == (profile == "debug")


def test_tests_that_cannot_be_run_are_never_said_to_pass(builds: MakeBuilds, tmp_path: Path) -> None:
    nowhere = ended(builds(Ended(Reason.UNAVAILABLE, "no sandbox")), "tool:hello", tmp_path / "one")
    no_pytest = ended(builds(Ended(Reason.RUNTIME_ERROR, "exit code 77", 77)), "tool:hello", tmp_path / "two")
    skipped = ended(builds(), "tool:hello", tmp_path / "three", options={"skip_tests": True})

    assert nowhere.message == "The build is done. Its tests were not run: no sandbox."
    assert no_pytest.message == "The build is done. Its tests were not run: `pytest` is not installed here."
    assert skipped.message == "The build is done. Its tests were skipped."


def test_a_build_is_cancelled_from_another_process_while_the_next_one_waits(builds: MakeBuilds, tmp_path: Path) -> None:
    endless = Endless()
    made = builds(endless)
    running = made.trigger("tool:hello", lambda: tmp_path / "one")
    waiting = made.trigger("script:hello", lambda: tmp_path / "two")
    endless.began.wait()

    other = builds()
    assert other.status(running.build_id).status is State.IN_PROGRESS
    assert other.status(waiting.build_id).status is State.PENDING
    assert other.cancel(running.build_id).status is State.IN_PROGRESS

    assert made.wait(running.build_id).status is State.CANCELLED
    assert not (tmp_path / "one").exists()
    assert made.wait(waiting.build_id).status is State.SUCCESS
    assert other.cancel(running.build_id).status is State.CANCELLED


def test_builds_are_cancelled_when_their_process_ends_in_good_order(builds: MakeBuilds, tmp_path: Path) -> None:
    endless = Endless()
    made = builds(endless)
    started = [made.trigger(target, lambda: tmp_path / "out") for target in ("tool:hello", "script:hello")]
    endless.began.wait()

    made.close()

    assert [builds().status(each.build_id).status for each in started] == [State.CANCELLED, State.CANCELLED]
    assert "builds nothing more" in refused(made, "tool:hello", tmp_path / "out")


def test_a_build_that_takes_too_long_fails_and_writes_nothing(builds: MakeBuilds, tmp_path: Path) -> None:
    status = ended(builds(Endless()), "tool:hello", tmp_path / "out", options={"timeout_seconds": 1})

    assert (status.status, status.error_details) == (
        State.FAILURE,
        "The build took longer than 1 s. Nothing was written.",
    )
    assert not (tmp_path / "out").exists()


def test_a_build_whose_process_was_killed_has_failed(builds: MakeBuilds, tmp_path: Path) -> None:
    command = [sys.executable, "-c", QUEUE, str(tmp_path / "state")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        build_id = process.stdout.readline().strip()
        alive = builds().status(build_id)
        process.kill()

    dead = builds().status(build_id)

    assert (alive.status, alive.progress_percentage) == (State.IN_PROGRESS, 50)
    assert dead.status is State.FAILURE
    assert "The process that built it ended" in dead.error_details
    assert builds().status(build_id) == dead


def test_a_build_whose_file_was_damaged_is_no_build(builds: MakeBuilds, tmp_path: Path) -> None:
    status = ended(builds(), "script:hello", tmp_path / "out")
    (tmp_path / "state" / status.build_id / "build.json").write_text("{")

    assert builds().status(status.build_id).status is State.ERROR
    assert list(KeptBuilds(tmp_path / "state").everything()) == []


def test_a_tool_that_reads_a_notebook_cannot_stand_alone(
    builds: MakeBuilds, registry: Registry, tmp_path: Path
) -> None:
    reader = draft("reader", "reader-1", capabilities=("cap:notebook.read",))
    registry.stage(*reader.parts)
    registry.promote(reader.tool_id, approval(reader), approved())

    status = ended(builds(), "tool:reader", tmp_path / "out")

    assert status.status is State.FAILURE
    assert status.error_details.startswith("`reader` cannot stand alone: it reads variables of a notebook")
