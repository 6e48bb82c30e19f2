"""The macOS profile as text, which is all of it that can be tested off a Mac, and the launcher without the profile."""

from __future__ import annotations

import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.launch import Ending
from jupyter_mcpgen.sandbox.macos.backend import UNTESTED, MacBackend, Profile, profile_text, quoted, resource_limits
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.scratch import scratch_folder


def test_the_whole_profile_of_a_job() -> None:
    profile = Profile(
        read=(Path("/Users/ada/data.csv"),),
        execute=(Path("/opt/python3"),),
        scratch=Path("/private/tmp/scratch"),
        files=(Path("/dev/null"),),
    )

    assert profile_text(profile) == textwrap.dedent(
        """\
        (version 1)
        (deny default)
        (deny network*)
        (deny process-fork)
        (deny file-link)
        (deny mach-lookup)
        (allow process-exec
          (literal "/opt/python3"))
        (allow file-read*
          (subpath "/System/Library")
          (subpath "/usr/lib")
          (subpath "/usr/share/zoneinfo")
          (subpath "/Library/Preferences/Logging")
          (subpath "/private/var/db/timezone")
          (subpath "/private/var/db/dyld")
          (subpath "/System/Volumes/Preboot/Cryptexes")
          (subpath "/Users/ada/data.csv")
          (literal "/dev/null")
          (subpath "/private/tmp/scratch"))
        (allow file-read-metadata
          (literal "/")
          (literal "/Users")
          (literal "/Users/ada")
          (literal "/private")
          (literal "/private/tmp"))
        (allow file-map-executable
          (subpath "/System/Library")
          (subpath "/usr/lib")
          (subpath "/usr/share/zoneinfo")
          (subpath "/Library/Preferences/Logging")
          (subpath "/private/var/db/timezone")
          (subpath "/private/var/db/dyld")
          (subpath "/System/Volumes/Preboot/Cryptexes")
          (subpath "/Users/ada/data.csv")
          (literal "/opt/python3"))
        (allow file-write*
          (subpath "/private/tmp/scratch"))
        (allow file-write-data
          (literal "/dev/null"))
        (deny file-write-setugid)
        (allow sysctl-read (sysctl-name "hw.ncpu") (sysctl-name "hw.activecpu") (sysctl-name "hw.memsize") \
(sysctl-name "hw.pagesize") (sysctl-name "hw.machine") (sysctl-name "kern.osrelease") (sysctl-name "kern.ostype"))
        (allow signal (target self))
        (allow process-info* (target self))
        """
    )


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/a b", '"/a b"'),
        ('/a"))(allow default)("', '"/a\\"))(allow default)(\\""'),
        ("/a\\", '"/a\\\\"'),
        ('/\\"', '"/\\\\\\""'),
        ("/ä;#|'`$(x)", '"/ä;#|\'`$(x)"'),
    ],
)
def test_a_hostile_path_stays_one_string(path: str, written: str) -> None:
    assert quoted(Path(path)) == written


@pytest.mark.parametrize("path", ["relative", "/a/../b", "/a\nb", "/a\tb", "/a\x7fb"])
def test_a_path_that_a_profile_cannot_hold_is_refused(path: str) -> None:
    with pytest.raises(SandboxError, match="cannot be used in a sandbox profile"):
        quoted(Path(path))


def test_no_quote_of_a_hostile_name_opens_a_rule() -> None:
    hostile = Path('/x" (allow network*) "')
    text = profile_text(Profile((hostile,), (Path("/p"),), Path("/s")))

    unescaped = text.replace('\\"', "")
    assert unescaped.count('"') % 2 == 0
    assert not any(line.startswith("(allow network") for line in text.splitlines())


@pytest.mark.skipif(sys.platform == "darwin", reason="it does not refuse here")
def test_off_a_mac_it_refuses_and_runs_nothing(tmp_path: Path) -> None:
    backend = MacBackend()

    assert "is a program of macOS" in (backend.missing() or "")
    with pytest.raises(SandboxError, match="Nothing was run"):
        backend.run(Job(tmp_path, "tool", (Call({}),)), Policy())


def test_it_says_that_nobody_has_tried_it() -> None:
    assert UNTESTED in MacBackend().facts()["not covered"]
    assert MacBackend().level is Level.CONTAINER


def test_the_argument_list_ends_with_our_worker(tmp_path: Path) -> None:
    backend = MacBackend()
    profile = backend.profile(tmp_path, Policy(read=(tmp_path / "data.csv",)), tmp_path / "scratch")

    arguments = backend.arguments(profile)

    assert arguments[:3] == ("/usr/bin/sandbox-exec", "-p", profile_text(profile))
    assert arguments[3:] == backend.worker()
    assert tmp_path / "data.csv" in profile.read


def ended(source: str, tmp_path: Path, **limits: float) -> tuple[Ending, Limits]:
    """Run a tool as it is run on a Mac, but without the profile."""
    (tmp_path / "tool.py").write_text(textwrap.dedent(source), encoding="utf-8")
    backend = MacBackend()
    bounds = replace(Limits(wall_seconds=60, memory_mb=2048), **limits)  # type: ignore[arg-type]
    job = Job(tmp_path, "tool", (Call({}),))
    with scratch_folder(tmp_path, None) as scratch:
        return backend.launched(backend.worker(), job, tmp_path, Policy(limits=bounds), scratch, Cancellation()), bounds


def outcome_of(ending: Ending, limits: Limits) -> Outcome:
    return judge(ending, read_answers(ending.result, 1), limits)[0]


def test_the_launcher_brings_answers_and_streams_back(tmp_path: Path) -> None:
    source = """
        import os, sys
        def tool():
            print("out"); print("err", file=sys.stderr)
            open("made", "w").close()
            return str(sorted(os.environ)) + os.listdir(".")[0]
    """

    ending, limits = ended(source, tmp_path)

    assert outcome_of(ending, limits) is Outcome.COMPLETED
    assert (ending.stdout, ending.stderr) == (b"out\n", b"err\n")
    expected = "['HOME', 'LANG', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'TMPDIR']made"
    assert read_answers(ending.result, 1).answers[0].text == expected


def test_the_launcher_ends_what_takes_too_long_or_writes_too_much(tmp_path: Path) -> None:
    late = ended("import time\ndef tool(): time.sleep(600)", tmp_path, wall_seconds=1)
    flood = ended("def tool():\n    while True: print('x' * 1000)", tmp_path, output_bytes=10_000)
    fills = """
        import time
        def tool():
            for name in ("a", "b"):
                with open(name, "wb") as stream:
                    stream.write(bytes(900_000))
            time.sleep(600)
    """
    scratch = ended(fills, tmp_path, scratch_bytes=1_000_000)

    assert outcome_of(*late) is Outcome.TIMED_OUT
    assert (outcome_of(*flood), len(flood[0].stdout)) == (Outcome.OUTPUT_EXCEEDED, 10_000)
    assert outcome_of(*scratch) is Outcome.OUTPUT_EXCEEDED


def test_the_resource_limits_are_the_policys() -> None:
    limits = Limits(cpu_seconds=3, memory_mb=100, scratch_bytes=5, open_files=7)

    assert resource_limits(limits) == {
        "RLIMIT_AS": [104_857_600, 104_857_600],
        "RLIMIT_CPU": [3, 4],
        "RLIMIT_FSIZE": [5, 5],
        "RLIMIT_NOFILE": [7, 7],
        "RLIMIT_CORE": [0, 0],
    }
