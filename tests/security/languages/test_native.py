"""Attacks from native code: each succeeds without the sandbox and is refused inside it for the right reason.

A program that starts programs has more system calls than a tool, so it has its own list.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.selfcheck.decoys import Decoys, planted
from tests.security.languages.hostile_programs import (
    ROOMY,
    SameUser,
    attempts,
    executor,
    needs_compiler,
    needs_namespaces,
    needs_programs,
)

pytestmark = needs_programs
NATIVE = (Path(__file__).parents[1] / "programs" / "attacks.c").read_text(encoding="utf-8")
# What each attack must be answered with. Landlock refuses with EACCES, and links and moves across with EXDEV;
# everything that is not on the list of system calls is EPERM.
REFUSED_BY_PATH = ("read_secret", "list_folder", "overwrite_victim", "create_outside", "read_environment",
                   "read_command_line", "list_processes", "shared_memory", "execute_from_outside")  # fmt: skip
REFUSED_BY_LIST = (
    "truncate_victim", "change_attributes", "hard_link", "symbolic_link", "connect_by_tcp", "connect_by_udp",
    "connect_by_path", "connect_by_abstract_name", "open_netlink", "pair_of_datagram_sockets", "signal_bystander",
    "signal_host", "signal_thread", "signal_by_descriptor", "signal_by_ownership", "trace_bystander", "limit_bystander",
    "user_namespace", "clone_into_namespace", "mount_something", "change_root", "become_root", "become_another",
    "ring", "key_ring", "bpf_program", "user_fault", "performance_counter", "memory_file", "type_into_terminal",
    "raise_memory_limit", "turn_filter_off", "hand_a_crash_to_the_machine", "other_user_by_program", "change_mode",
    "change_times", "signal_first_process", "change_device", "change_program", "send_descriptor",
)  # fmt: skip
EXPECTED = {
    **dict.fromkeys(REFUSED_BY_PATH, str(errno.EACCES)),
    **dict.fromkeys(REFUSED_BY_LIST, str(errno.EPERM)),
    "read_first_environment": str(errno.EACCES),
    "leave_by_first_root": str(errno.EACCES),
    "read_kernel_setting": str(errno.EACCES),
    "make_pipe": str(errno.EPERM),
    "read_attributes": str(errno.ENOTSUP),
    "x32_call": f"signal {int(signal.SIGSYS)}",
}
# In a root and a process namespace of its own, a program does not find what level 2 refuses it, or lets it see.
NOT_THERE = [name for name in REFUSED_BY_PATH if name != "list_processes"]
EXPECTED_INSIDE = {
    **EXPECTED,
    **dict.fromkeys((*NOT_THERE, "look_at_secret", "look_at_process"), str(errno.ENOENT)),
    **dict.fromkeys(("signal_bystander", "signal_host", "signal_thread"), str(errno.ESRCH)),
}
SEEN_AT_LEVEL_2 = ("look_at_secret", "look_at_process")
ALLOWED = ("fork_child", "execute_system_program", "signal_own_child", "pair_of_stream_sockets", "write_scratch")
# What this machine, its kernel or an unprivileged user is refused anyway, so that a control says nothing.
UP_TO_THE_MACHINE = {
    "change_attributes", "read_attributes", "trace_bystander", "user_namespace", "clone_into_namespace", "ring",
    "mount_something", "change_root", "become_root", "become_another", "key_ring", "bpf_program", "user_fault",
    "performance_counter", "type_into_terminal", "raise_memory_limit", "turn_filter_off", "other_user_by_program",
    "shared_memory", "hard_link", "x32_call", "read_first_environment", "leave_by_first_root",
}  # fmt: skip
UP_TO_THE_USER = set() if os.geteuid() == 0 else {"signal_first_process", "change_device", "change_program"}


def native(
    folder: Path, decoys: Decoys, layers: frozenset[Layer], kind: type[ProgramSandbox] = SameUser
) -> Mapping[str, str]:
    target = decoys.target
    order = ("secret", "victim", "outside", "unix", "abstract", "tcp", "udp", "pid", "host")
    words = " ".join(str(target[name]) for name in order) + "\n"
    return attempts(executor(folder, layers, kind).execute("c", NATIVE, stdin=words, limits=ROOMY))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, layers: frozenset[Layer]) -> Mapping[str, str]:
    """Every native attack with what came of it inside, where nothing outside may change."""
    with planted() as targets:
        _add_program(targets)
        before = targets.damage()
        confined = native(tmp_path_factory.mktemp("native"), targets, layers)
        assert [line for line in targets.damage() if line not in before] == []
    return confined


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Every native attack with what came of it without the sandbox."""
    with planted() as targets:
        _add_program(targets)
        return native(tmp_path_factory.mktemp("control"), targets, frozenset())


def _add_program(targets: Decoys) -> None:
    program = targets.folder / "program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)


@needs_compiler
@pytest.mark.parametrize("name", [*EXPECTED])
def test_a_native_attack_is_refused_for_the_right_reason(
    results: Mapping[str, str], layers: frozenset[Layer], name: str
) -> None:
    expected = EXPECTED_INSIDE if Layer.NAMESPACES in layers else EXPECTED
    assert results[name] == expected[name]


@needs_compiler
@pytest.mark.parametrize("name", SEEN_AT_LEVEL_2)
def test_what_lies_elsewhere_is_seen_at_level_2_only(
    results: Mapping[str, str], layers: frozenset[Layer], name: str
) -> None:
    assert results[name] == (EXPECTED_INSIDE[name] if Layer.NAMESPACES in layers else "done")


@needs_compiler
@pytest.mark.parametrize("name", sorted(EXPECTED_INSIDE.keys() - UP_TO_THE_MACHINE - UP_TO_THE_USER))
def test_the_same_native_attack_succeeds_without_the_sandbox(control: Mapping[str, str], name: str) -> None:
    assert control.get(name, "done") == "done"  # whoever was replaced by another program says no more


@needs_compiler
@pytest.mark.parametrize("name", ALLOWED)
def test_honest_native_work_is_not_refused(results: Mapping[str, str], control: Mapping[str, str], name: str) -> None:
    assert (results[name], control[name]) == ("done", "done")


@needs_compiler
def test_each_native_attack_has_an_expectation(results: Mapping[str, str]) -> None:
    assert set(results) == {*EXPECTED_INSIDE, *ALLOWED}


@needs_compiler
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has an id to give up")
def test_under_a_user_of_its_own_a_program_reaches_no_more(
    tmp_path: Path, decoys: Decoys, layers: frozenset[Layer]
) -> None:
    found = native(tmp_path, decoys, layers, kind=ProgramSandbox)

    seen = set() if Layer.NAMESPACES in layers else set(SEEN_AT_LEVEL_2)
    assert {name for name, answer in found.items() if answer == "done"} - seen == {*ALLOWED}


@needs_compiler
def test_without_landlock_files_are_open_that_are_there(
    tmp_path: Path, decoys: Decoys, layers: frozenset[Layer]
) -> None:
    found = native(tmp_path, decoys, layers - {Layer.LANDLOCK})

    inside = Layer.NAMESPACES in layers
    listing = ("list_processes", "read_kernel_setting")
    outside = ("read_secret", "list_folder", "overwrite_victim", "create_outside")
    assert [found[name] for name in listing] == ["done", "done"]
    assert {found[name] for name in outside} == {str(errno.ENOENT) if inside else "done"}
    assert found["connect_by_tcp"] == str(errno.EPERM)


@needs_compiler
def test_without_seccomp_other_sockets_are_open(tmp_path: Path, decoys: Decoys, layers: frozenset[Layer]) -> None:
    found = native(tmp_path, decoys, layers - {Layer.SECCOMP})

    inside = Layer.NAMESPACES in layers
    assert (found["open_netlink"], found["memory_file"], found["send_descriptor"]) == ("done", "done", "done")
    assert found["connect_by_udp"] == (str(errno.ENETUNREACH) if inside else "done")
    assert found["read_secret"] == str(errno.ENOENT if inside else errno.EACCES)


@needs_compiler
@needs_namespaces
def test_namespaces_alone_hide_files_processes_and_sockets_of_the_host(tmp_path: Path, decoys: Decoys) -> None:
    found = native(tmp_path, decoys, frozenset({Layer.NAMESPACES}))

    assert {name: found[name] for name in ("look_at_secret", "look_at_process", "connect_by_path")} == dict.fromkeys(
        ("look_at_secret", "look_at_process", "connect_by_path"), str(errno.ENOENT)
    )
    assert found["signal_host"] == found["signal_bystander"] == str(errno.ESRCH)
    assert found["connect_by_abstract_name"] == str(errno.ECONNREFUSED)
    assert found["connect_by_tcp"] == str(errno.ENETUNREACH)
