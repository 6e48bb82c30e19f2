"""What travels between a host and the supervisor of a program: the same after it travelled, or refused."""

from __future__ import annotations

import json

import pytest

from jupyter_mcpgen.sandbox.inside.confinement import Confinement, Preparation
from jupyter_mcpgen.sandbox.inside.fields import Fields
from jupyter_mcpgen.sandbox.inside.program_plan import Plan
from jupyter_mcpgen.sandbox.inside.program_report import (
    Begun,
    Ended,
    Moved,
    Reaped,
    Refused,
    Report,
    Stop,
    decoded,
    encoded,
)

CONFINEMENT = Confinement(
    scratch="/scratch",
    read=("/etc", "/ü \n"),
    devices=("/dev/null",),
    wall_seconds=1.5,
    memory_bytes=2**40,
    cpu_seconds=2,
    file_bytes=3,
    open_files=4,
    processes=5,
    identity=None,
    landlock=True,
    seccomp=False,
    run=("/usr",),
    work=(),
    starts_programs=True,
    namespaces=True,
    links=(("/bin", "usr/bin"),),
    temporary="/tmp",
)
PLAN = Plan(CONFINEMENT, ("/bin/sh", "-c", "a\nb"), {"LANG": "C", "EMPTY": ""}, "/scratch", 6, 7)


@pytest.mark.parametrize("confinement", [CONFINEMENT, CONFINEMENT._replace(identity=61_200, temporary=None, links=())])
def test_a_plan_is_the_same_after_it_travelled(confinement: Confinement) -> None:
    plan = PLAN._replace(confinement=confinement)

    assert Plan.decoded(plan.encoded()) == plan


def test_a_preparation_is_the_same_after_it_travelled() -> None:
    preparation = Preparation(("/usr",), ("/dev/null",), True, True, True, None, (("/bin", "usr/bin"),))

    assert Preparation.from_fields(Fields.decoded(json.dumps(preparation._asdict()).encode())) == preparation


@pytest.mark.parametrize(
    "report",
    [
        Begun(),
        Refused("OSError: it says `no`\nin two lines"),
        Ended(Stop.TIMED_OUT, 1.25, 10, Reaped(9, 0.5, 20), Moved(30, 40)),
        Ended(Stop.EXITED, 0.0, 0, Reaped(0, 0.0, 0), None),
    ],
)
def test_a_report_is_one_line_and_the_same_after_it_travelled(report: Report) -> None:
    line = encoded(report)

    assert line.count(b"\n") == 1
    assert decoded(line) == report


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scratch", 1), ("read", "/etc"), ("read", [1]), ("links", [["one"]]), ("landlock", 1), ("landlock", None),
        ("cpu_seconds", True), ("cpu_seconds", 1.5), ("wall_seconds", "1"), ("identity", "root"), ("temporary", 3),
    ],
)  # fmt: skip
def test_a_field_of_another_type_is_refused_by_its_name(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"`{name}` was expected"):
        Confinement.from_fields(Fields({**CONFINEMENT._asdict(), name: value}))


@pytest.mark.parametrize("name", ["landlock", "seccomp", "namespaces", "run", "processes"])
def test_nothing_that_is_enforced_has_a_value_of_its_own_when_it_is_missing(name: str) -> None:
    document = {key: value for key, value in CONFINEMENT._asdict().items() if key != name}

    with pytest.raises(ValueError, match=f"`{name}` was expected"):
        Confinement.from_fields(Fields(document))


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"{}", b'{"stop": "won"}', b'{"begun'])
def test_what_is_no_report_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decoded(line)
