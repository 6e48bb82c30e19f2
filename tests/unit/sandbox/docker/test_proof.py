"""An engine is not believed: neither what it says of itself, nor that it does what it accepted."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.docker.proof import broken_promises, promises, refused_engine

GOOD = {
    "OSType": "linux",
    "CgroupVersion": "1",
    "MemoryLimit": True,
    "PidsLimit": True,
    "CpuCfsQuota": True,
    "SecurityOptions": ["name=seccomp,profile=default"],
}
ROOTLESS = {**GOOD, "SecurityOptions": ["name=seccomp,profile=default", "name=rootless"]}
TOLD = {
    "memory": "50331648",
    "pids": "24",
    "cpu": "50000",
    "Uid:": "65534",
    "CapEff:": "0000000000000000",
    "CapBnd:": "0000000000000000",
    "NoNewPrivs:": "1",
    "Seccomp:": "2",
    "root": "closed",
    "work": "writable",
    "net": "lo",
}


def told(**changes: str) -> str:
    rows = TOLD | {f"{name}:" if f"{name}:" in TOLD else name: value for name, value in changes.items()}
    return "\n".join(f"{name} {value}" for name, value in rows.items())


def test_an_ordinary_engine_and_a_rootless_one_with_new_control_groups_may_be_tried() -> None:
    assert refused_engine(GOOD) is None
    assert refused_engine({**ROOTLESS, "CgroupVersion": "2"}) is None


@pytest.mark.parametrize(
    ("info", "words"),
    [
        (ROOTLESS, "ignores every bound of memory"),
        ({**GOOD, "MemoryLimit": False}, "cannot bound memory"),
        ({**GOOD, "PidsLimit": False, "CpuCfsQuota": False}, "cannot bound processes and processor time"),
        ({**GOOD, "SecurityOptions": []}, "filters no system calls"),
        ({**GOOD, "SecurityOptions": ["name=seccomp,profile=unconfined"]}, "filters no system calls"),
        ({**GOOD, "OSType": "windows"}, "`windows` containers"),
    ],
)
def test_an_engine_that_admits_to_bounding_nothing_is_refused(info: dict[str, object], words: str) -> None:
    assert words in (refused_engine(info) or "")


@pytest.mark.parametrize("cpu", ["50000", "50000 100000", "25000 50000"])
def test_a_container_that_finds_all_its_bounds_breaks_no_promise(cpu: str) -> None:
    assert broken_promises(told(cpu=cpu)) == ()


@pytest.mark.parametrize(
    ("name", "value", "broken"),
    [
        ("memory", "max", "bound_memory"),
        ("memory", "9223372036854771712", "bound_memory"),
        ("pids", "max", "bound_processes"),
        ("cpu", "-1", "bound_processor"),
        ("cpu", "max 100000", "bound_processor"),
        ("Uid", "0", "not_root"),
        ("CapEff", "00000000a80425fb", "no_capability"),
        ("CapBnd", "00000000a80425fb", "no_capability_to_gain"),
        ("NoNewPrivs", "0", "no_new_privileges"),
        ("Seccomp", "0", "filtered_system_calls"),
        ("root", "writable", "closed_root"),
        ("work", "closed", "own_folder"),
        ("net", "loeth0", "no_network"),
        ("net", "", "no_network"),
    ],
)
def test_each_bound_that_is_missing_breaks_one_promise(name: str, value: str, broken: str) -> None:
    assert [one.name for one in promises(told(**{name: value})) if not one.holds] == [broken]


def test_an_engine_that_accepts_every_bound_and_applies_none_is_found_out() -> None:
    # What a rootless Podman on old control groups told, after it had said of itself that it bounds all of them.
    seen = told(memory="9223372036854771712", cpu="-1").replace("pids 24\n", "")

    assert broken_promises(seen) == (
        "`bound_memory` is `9223372036854771712`",
        "`bound_processes` is `not told`",
        "`bound_processor` is `-1`",
    )


def test_a_container_that_tells_nothing_keeps_no_promise() -> None:
    assert not any(one.holds for one in promises(""))
