"""What a container says of its job is read with care, and its policy is a value."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import EngineUnavailable, SandboxError
from jupyter_mcpgen.sandbox.docker.backend import DockerBackend, _record, _told, container_policy
from jupyter_mcpgen.sandbox.docker.engine import Ended, Engine, Image
from jupyter_mcpgen.sandbox.docker.policy import NOBODY, ContainerLimits
from jupyter_mcpgen.sandbox.docker.usage import Reading
from jupyter_mcpgen.sandbox.job import Artifact, Call, Job, Outcome
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy

IMAGE = Image("team/pandas:1", "sha256:1", ("/data",))
JOB = Job(Path("/package"), "tool", (Call({}),))
ENDED = Ended("c", 0, False, False, False, False, b"", b"", 0.1, Reading(0.5, 100))


def frame(number: int, content: bytes) -> bytes:
    return bytes([number]) + len(content).to_bytes(4, "big") + content


def answer(text: bytes) -> bytes:
    header = b'{"loaded": true}'
    blobs = len(text).to_bytes(8, "big") + text + (0).to_bytes(8, "big")
    return len(header).to_bytes(4, "big") + header + blobs


def report(**said: object) -> bytes:
    return frame(4, json.dumps({"status": 0, "cpu_seconds": 0.1, "peak_memory_bytes": 50, **said}).encode())


def test_the_bounds_of_a_job_become_the_bounds_of_its_container() -> None:
    policy = container_policy(
        IMAGE, Limits(wall_seconds=5, memory_mb=1024, scratch_bytes=2**25), (Path("/d.csv"),), NOBODY
    )

    assert (policy.image, policy.read, policy.user, policy.network) == ("sha256:1", (Path("/d.csv"),), NOBODY, False)
    assert policy.limits == ContainerLimits(
        wall_seconds=15,
        memory_mb=1024 + 32 + 128,
        cpu_cores=2.0,
        tasks=66,
        open_files=512,
        scratch_mb=32,
        output_bytes=2 * 2**20 + 64 * 2**20 + 2**20,
    )
    assert policy.volumes == ("/data",)


def test_a_whole_answer_and_a_report_are_a_completed_job() -> None:
    said = frame(1, b"out") + frame(2, b"err") + frame(3, answer(b"fine")) + report()

    run = _record(JOB, Policy(), replace(ENDED, stdout=said))

    assert (run.outcome, run.answers[0].text, run.stdout, run.stderr) == (Outcome.COMPLETED, "fine", "out", "err")
    assert (run.level, run.usage.cpu_seconds, run.usage.peak_memory_bytes) == (Level.CONTAINER, 0.5, 100)


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (replace(ENDED, cancelled=True), Outcome.CANCELLED),
        (replace(ENDED, timed_out=True), Outcome.TIMED_OUT),
        (replace(ENDED, stdout=report(timed_out=True)), Outcome.TIMED_OUT),
        (replace(ENDED, overflow=True), Outcome.OUTPUT_EXCEEDED),
        (replace(ENDED, stdout=report(overflow="it wrote more than 5 bytes of output")), Outcome.OUTPUT_EXCEEDED),
        (replace(ENDED, out_of_memory=True), Outcome.MEMORY_EXCEEDED),
        (replace(ENDED, exit_code=137), Outcome.CRASHED),
        (replace(ENDED, stdout=frame(3, answer(b"fine"))), Outcome.CRASHED),
        (replace(ENDED, stdout=report()), Outcome.FAILED),
        (replace(ENDED, stdout=frame(3, answer(b"fine")) + report(status=11)), Outcome.CRASHED),
        (replace(ENDED, stdout=frame(3, answer(b"fine")) + report(status="0")), Outcome.FAILED),
        (replace(ENDED, stdout=frame(3, answer(b"fine")) + report(status=-1)), Outcome.FAILED),
        (replace(ENDED, stdout=frame(4, b"[" * 100_000)), Outcome.CRASHED),
        (replace(ENDED, stdout=frame(4, b"[1]")), Outcome.CRASHED),
    ],
)
def test_every_other_end_is_told_as_what_it_is(ended: Ended, outcome: Outcome) -> None:
    run = _record(JOB, Policy(), ended)

    assert run.outcome is outcome
    assert run.reason


def left(path: bytes, content: bytes) -> bytes:
    return frame(5, len(path).to_bytes(4, "big") + path + content)


def test_files_come_back_when_they_are_wanted() -> None:
    said = (
        frame(3, answer(b"fine")) + left(b"charts/one.svg", b"<svg/>") + frame(6, b"`pipe`: no plain file") + report()
    )
    ended = replace(ENDED, stdout=said)

    kept, not_kept = _record(JOB, Policy(keeps_files=True), ended), _record(JOB, Policy(), ended)

    assert kept.artifacts == (Artifact("charts/one.svg", b"<svg/>"),)
    assert kept.left_out == ("`pipe`: no plain file",)
    assert (not_kept.artifacts, not_kept.left_out) == ((), ())


@pytest.mark.parametrize(
    "path", [b"../out", b"/etc/passwd", b"a/../../b", b"", b"a//b", b"a\n", b"/".join([b"d"] * 30), b"a\xff\0"]
)
def test_a_name_that_leads_elsewhere_is_not_taken_from_a_container(path: bytes) -> None:
    ended = replace(ENDED, stdout=frame(3, answer(b"fine")) + left(path, b"x") + report())

    run = _record(JOB, Policy(keeps_files=True), ended)

    assert run.artifacts == ()
    assert len(run.left_out) == 1
    assert run.left_out[0].isprintable()


def test_a_container_that_sends_more_than_there_is_room_for_is_cut_short() -> None:
    sent = left(b"a", b"123") + left(b"a", b"4") + left(b"b", b"456") + left(b"c", b"7") + left(b"d", b"8")
    limits = Limits(artifact_bytes=5, artifacts=2)

    run = _record(JOB, Policy(keeps_files=True, limits=limits), replace(ENDED, stdout=sent + report()))

    assert [artifact.path for artifact in run.artifacts] == ["a", "c"]
    assert len(run.left_out) == 3


@pytest.mark.parametrize("noise", [b"", b"\1", b"\1\0\0\0\5abc", b"\7\0\0\0\0", b"\xff" * 100])
def test_noise_after_a_frame_is_left_out(noise: bytes) -> None:
    assert _told(frame(1, b"kept") + noise).stdout == b"kept"


def test_no_engine_is_a_lack_with_its_cure_and_no_job_runs() -> None:
    def nobody(url: str | None) -> Engine:
        raise EngineUnavailable("the Docker daemon is not running; start it.")

    backend = DockerBackend("team/pandas:1", connect=nobody)

    assert backend.missing() == "the Docker daemon is not running; start it"
    with pytest.raises(SandboxError):
        backend.run(JOB, Policy())
