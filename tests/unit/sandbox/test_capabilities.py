"""From labels to a policy, as whole values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.capabilities import ALWAYS_IMPORTABLE, Grants, Material, granted, policy_for, sentences
from jupyter_mcpgen.sandbox.policy import Limits, Policy

DATA = Path("/data/a.csv")
MATERIAL = Material(data=(DATA,))


@pytest.mark.parametrize(
    ("labels", "grants"),
    [
        ((), Grants()),
        (("cap:data.read",), Grants(reads_data=True)),
        (("cap:files.write", "cap:notebook.read"), Grants(writes_files=True, reads_notebook=True)),
        (("cap:qcodes.write", "cap:database.read"), Grants(tags=("cap:qcodes.write", "cap:database.read"))),
        (("cap:python.builtin",), Grants()),
        (("cap:python.scipy.stats",), Grants(modules=frozenset({"scipy.stats"}))),
        (("cap:numpy",), Grants(modules=frozenset({"numpy"}))),
        (("cap:scipy", "cap:matplotlib"), Grants(modules=frozenset({"scipy", "matplotlib"}))),
        (("finance", "cap:network", "cap:python."), Grants(tags=("finance", "cap:network", "cap:python."))),
        (("CAP:DATA.READ", "cap:data.read "), Grants(tags=("CAP:DATA.READ", "cap:data.read "))),
        (("cap:python.os;import x",), Grants(tags=("cap:python.os;import x",))),
    ],
)
def test_a_label_grants_what_it_says_and_an_unknown_one_nothing(labels: tuple[str, ...], grants: Grants) -> None:
    assert granted(labels) == grants


@pytest.mark.parametrize(
    ("labels", "policy"),
    [
        ((), Policy(modules=ALWAYS_IMPORTABLE)),
        (("cap:data.read",), Policy(read=(DATA,), modules=ALWAYS_IMPORTABLE)),
        (("cap:notebook.read",), Policy(modules=ALWAYS_IMPORTABLE)),
        (("cap:files.write",), Policy(modules=ALWAYS_IMPORTABLE, keeps_files=True)),
        (("cap:python.scipy.stats",), Policy(modules=ALWAYS_IMPORTABLE | {"scipy"})),
        (("anything",), Policy(modules=ALWAYS_IMPORTABLE)),
    ],
)
def test_a_tool_gets_of_what_was_named_only_what_its_labels_grant(labels: tuple[str, ...], policy: Policy) -> None:
    assert policy_for(granted(labels), MATERIAL) == policy


def test_limits_are_those_of_the_run() -> None:
    limits = Limits(wall_seconds=3, memory_mb=700)

    assert policy_for(Grants(), Material(limits=limits)).limits == limits


def test_the_defaults_are_half_a_minute_four_gigabytes_and_ten_million_rows() -> None:
    limits = Limits()

    assert (limits.wall_seconds, limits.memory_mb, limits.rows, limits.columns) == (30.0, 4096, 10_000_000, 10_000)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ((), ("It reads no data.", "It leaves no files.", "It imports `numpy`, `pandas`, `pyarrow` and `pydantic`.")),
        (
            ("cap:data.read", "cap:files.write", "cap:python.scipy.stats", "finance"),
            (
                "It reads the data that is named in the call.",
                "It leaves files, which are kept until the session ends.",
                "It imports `numpy`, `pandas`, `pyarrow`, `pydantic` and `scipy`.",
            ),
        ),
    ],
)
def test_a_person_reads_what_a_tool_may_do(labels: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert sentences(granted(labels)) == said


def test_what_is_said_to_be_imported_is_what_is_let_in() -> None:
    grants = granted(("cap:python.scipy", "cap:python.duckdb"))

    named = set(re.findall(r"`(\w+)`", sentences(grants)[-1]))

    assert named | {"fastmcp"} == policy_for(grants, Material()).modules
