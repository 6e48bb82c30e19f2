"""A policy becomes one request to the engine, closed by default, and hostile words stay words."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from jupyter_mcpgen.sandbox.docker.policy import (
    ContainerLimits,
    ContainerPolicy,
    allowed,
    command_line,
    engine_request,
    memory_mb,
    reference,
    refused_path,
    refused_variable,
    started,
)

SCRIPT = (
    'cd /sandbox/work; if command -v timeout >/dev/null 2>&1; then exec timeout -s KILL "$0" "$@"; else exec "$@"; fi'
)


def test_the_whole_request_of_an_ordinary_program() -> None:
    policy = ContainerPolicy("sha256:1", ("python3", "/sandbox/code/main.py"), environment={"DEBUG": "1"})

    assert engine_request(policy, until=100) == {
        "Image": "sha256:1",
        "Entrypoint": ["/bin/sh", "-c", SCRIPT, "35", "python3", "/sandbox/code/main.py"],
        "Cmd": [],
        "Env": ["DEBUG=1", "HOME=/sandbox/work", "TMPDIR=/sandbox/work"],
        "User": "65534:65534",
        "WorkingDir": "/",
        "Hostname": "sandbox",
        "Labels": {"jupyter-mcpgen.sandbox": "1", "jupyter-mcpgen.until": "100"},
        "Volumes": {"/sandbox/code": {}},
        "Healthcheck": {"Test": ["NONE"]},
        "NetworkDisabled": True,
        "AttachStdin": False,
        "AttachStdout": True,
        "AttachStderr": True,
        "OpenStdin": False,
        "Tty": False,
        "StopSignal": "SIGKILL",
        "HostConfig": {
            "NetworkMode": "none",
            "Memory": 268_435_456,
            "MemorySwap": 268_435_456,
            "NanoCpus": 1_000_000_000,
            "PidsLimit": 128,
            "ReadonlyRootfs": True,
            "CapDrop": ["ALL"],
            "CapAdd": [],
            "Privileged": False,
            "SecurityOpt": ["no-new-privileges"],
            "IpcMode": "private",
            "ShmSize": 16_777_216,
            "Tmpfs": {
                "/sandbox/work": "rw,exec,nosuid,nodev,size=268435456,mode=1777",
                "/tmp": "rw,noexec,nosuid,nodev,size=67108864,mode=1777",
            },
            "Mounts": [],
            "Ulimits": [
                {"Name": "nofile", "Soft": 256, "Hard": 256},
                {"Name": "nproc", "Soft": 4_096, "Hard": 4_096},
                {"Name": "core", "Soft": 1, "Hard": 1},
            ],
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no"},
            "AutoRemove": False,
        },
    }


def test_the_same_bounds_as_a_command_line() -> None:
    limits = ContainerLimits(memory_mb=512, cpu_cores=0.5, tasks=32, scratch_mb=8)
    policy = ContainerPolicy("python:3.12", ("python3",), limits=limits, read=(Path("/data/a b.csv"),))

    assert command_line(policy) == (
        "--network=none",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--memory=512m",
        "--memory-swap=512m",
        "--cpus=0.5",
        "--pids-limit=32",
        "--read-only",
        "--user=65534:65534",
        "--ipc=private",
        "--log-driver=none",
        "--tmpfs=/sandbox/work:rw,exec,nosuid,nodev,size=8388608,mode=1777",
        "--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=67108864,mode=1777",
        "--ulimit=nofile=256:256",
        "--ulimit=nproc=4096:4096",
        "--ulimit=core=1:1",
        "--mount=type=bind,source=/data/a b.csv,target=/data/a b.csv,readonly",
        "python:3.12",
    )


def test_granted_data_is_bound_read_only_under_its_own_name() -> None:
    request = engine_request(ContainerPolicy("i", ("x",), read=(Path("/data/a.csv"),)), until=0)

    assert request["HostConfig"]["Mounts"] == [
        {
            "Type": "bind",
            "Source": "/data/a.csv",
            "Target": "/data/a.csv",
            "ReadOnly": True,
            "BindOptions": {"Propagation": "rprivate"},
        }
    ]


def test_a_network_is_there_only_when_it_was_asked_for() -> None:
    host = engine_request(ContainerPolicy("i", ("x",), network=True), until=0)

    assert (host["NetworkDisabled"], host["HostConfig"]["NetworkMode"]) == (False, "bridge")


def test_the_disks_that_an_image_declares_are_in_memory_and_bounded() -> None:
    policy = ContainerPolicy("i", ("x",), volumes=("/var/lib/data", "/tmp"))

    folders = engine_request(policy, until=0)["HostConfig"]["Tmpfs"]

    assert list(folders) == ["/var/lib/data", "/sandbox/work", "/tmp"]
    assert folders["/var/lib/data"] == "rw,noexec,nosuid,nodev,size=67108864,mode=1777"


def test_the_sandbox_has_the_last_word_on_its_own_variables() -> None:
    environment = {"HOME": "/elsewhere"}

    assert "HOME=/sandbox/work" in engine_request(ContainerPolicy("i", ("x",), environment), until=0)["Env"]


def test_input_comes_from_a_file_whose_name_the_shell_cannot_misread() -> None:
    policy = ContainerPolicy("i", ("x", "; rm -rf /"), stdin=PurePosixPath("/sandbox/code/a b.txt"))

    shell, flag, script, seconds, *command = started(policy)

    assert (shell, flag, seconds, command) == ("/bin/sh", "-c", "35", ["x", "; rm -rf /"])
    assert script.startswith("cd /sandbox/work; exec <'/sandbox/code/a b.txt'; if ")


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [("256m", 256), ("1g", 1024), ("512M", 512), ("268435456", 256), ("262144k", 256), ("2gb", 2048)],
)
def test_sizes_of_memory_are_read_as_docker_reads_them(text: str, megabytes: int) -> None:
    assert memory_mb(text) == megabytes


@pytest.mark.parametrize("text", ["", "m", "-1m", "1.5g", "256x", "5m", "0", "256m; rm", "1e9"])
def test_a_size_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Use at least"):
        memory_mb(text)


def test_an_image_is_the_same_however_it_is_written_and_a_name_alone_is_latest() -> None:
    assert reference("docker.io/library/python:3.12") == reference("python:3.12") == "python:3.12"
    assert reference("python") == "python:latest"
    assert reference("localhost:5000/python") == "localhost:5000/python:latest"
    assert allowed("library/python:3.12", ["python:3.12"])
    for other in ("python", "python:3.13", "evil/python:3.12", "python:3.12@sha256:0", "", " "):
        assert not allowed(other, ["python:3.12"])


@pytest.mark.parametrize(
    "environment",
    [
        {"PATH": "/evil"},
        {"LD_PRELOAD": "x"},
        {"BASH_ENV": "x"},
        {"BASH_FUNC_ls%%": "() { :; }"},
        {"a b": "x"},
        {"": "x"},
        {"A=B": "x"},
        {"A": "x\0y"},
        {"A": "x" * 40_000},
        {str(number): "x" for number in range(1)},
        {f"V{number}": "x" for number in range(101)},
    ],
)
def test_variables_that_decide_what_is_loaded_or_are_none_are_refused(environment: dict[str, str]) -> None:
    assert refused_variable(environment) is not None


def test_ordinary_variables_pass() -> None:
    assert refused_variable({"DEBUG": "true", "_x1": "several\nlines"}) is None


@pytest.mark.parametrize(
    "path", ["/", "/etc", "/etc/passwd", "/tmp", "/proc/1", "/dev/sda", "/sandbox", "/usr/lib", "a"]
)
def test_a_path_that_would_hide_a_part_of_the_container_is_refused(path: str) -> None:
    assert refused_path(Path(path)) is not None


@pytest.mark.parametrize("path", ["/home/ada/data.csv", "/tmp/x/data.csv", "/mnt/d", "/project/data.csv", "/code/x"])
def test_data_elsewhere_keeps_its_name(path: str) -> None:
    assert refused_path(Path(path)) is None


@pytest.mark.parametrize(
    ("name", "value"), [("memory_mb", 5), ("cpu_cores", 0), ("cpu_cores", 65), ("wall_seconds", 0), ("tasks", 0)]
)
def test_a_limit_that_makes_no_sense_is_refused_by_its_name(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"`{name}`"):
        ContainerLimits(**{name: value})  # type: ignore[arg-type]
