"""What was approved when the fingerprint covered fewer files goes on running, and what waited then can be approved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import StaleApproval, TamperedTool
from jupyter_mcpgen.runtime import Runtime
from tests import builders
from tests.products import new_runtime

RECORDED = Path(__file__).parents[1] / "cases" / "registries" / "fingerprint_1"
LOADS = "quarry,stone,tons,trips\nNord,granite,10.5,3\nSued,slate,2.0,1\nNord,slate,1.5,2\n"


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    """Return a product over a copy of a registry that an older one wrote."""
    shutil.copytree(RECORDED, tmp_path / "registry")
    (tmp_path / "loads.csv").write_text(LOADS)
    return new_runtime(tmp_path, **{"feedback.card_days": 36_500})


def test_tools_of_an_older_registry_load_and_nothing_is_wrong_with_them(runtime: Runtime) -> None:
    assert [tool.name for tool in runtime.active()] == ["gap_to_largest", "sum_by_group"]
    assert runtime.registry.doctor().ok


def test_tools_of_an_older_registry_run(runtime: Runtime, tmp_path: Path) -> None:
    data = runtime.reference(str(tmp_path / "loads.csv"))

    assert runtime.run_tool("sum_by_group", data, {}).to_numpy().tolist() == [["Nord", 12.0], ["Sued", 2.0]]
    assert runtime.run_tool("gap_to_largest", data, {})["gap"].tolist() == [4.5, 0.0]


def test_a_card_that_waited_in_an_older_registry_can_be_approved_under_its_own_list(runtime: Runtime) -> None:
    (waiting,) = runtime.registry.staged()

    card = runtime.approve(waiting.tool_id)

    folder = runtime.registry.tool(card.tool_name).path
    assert json.loads((folder / "approval.json").read_text())["fingerprint_version"] == 1


def test_the_lists_of_an_older_registry_can_be_built_again(runtime: Runtime) -> None:
    assert [tool.name for tool in runtime.registry.rebuild()] == ["gap_to_largest", "sum_by_group"]


@pytest.mark.parametrize("name", ["tests.py", "golden.json"])
def test_a_changed_test_or_digest_is_another_fingerprint(name: str) -> None:
    once, other = (builders.draft(files={name: text}).candidate for text in ("a = 1\n", "a = 2\n"))

    assert once.fingerprint != other.fingerprint
    assert once.code_hash == other.code_hash


def test_an_approval_under_another_list_than_the_tools_is_refused(tmp_path: Path) -> None:
    registry = new_runtime(tmp_path).registry
    draft = builders.draft()
    registry.stage(*draft.parts)

    with pytest.raises(StaleApproval):
        registry.promote(draft.tool_id, builders.approval(draft, fingerprint_version=1), builders.approved())


def test_a_tool_whose_approval_names_a_list_that_nobody_knows_is_not_run(runtime: Runtime) -> None:
    path = runtime.registry.tool("sum_by_group").path / "approval.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "fingerprint_version": 99}))

    with pytest.raises(TamperedTool):
        runtime.registry.tool("sum_by_group")
