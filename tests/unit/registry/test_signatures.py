"""Approvals are signed with a key outside the registry; what was changed since, or planted, does not load."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import TamperedTool
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.signatures import Keys
from jupyter_mcpgen.registry.store import Registry
from tests import builders


def opened(root: Path, keys: Keys | None) -> Registry:
    return Registry(root / "registry", keys=keys)


def promoted(registry: Registry, draft: builders.Draft | None = None) -> None:
    draft = draft or builders.draft()
    registry.stage(*draft.parts)
    registry.promote(draft.tool_id, builders.approval(draft), builders.approved())


def approval_of(registry: Registry) -> Path:
    return Layout(registry.root).tool("sum_by_group") / "approval.json"


def test_an_approval_names_the_key_that_signed_it(tmp_path: Path) -> None:
    keys = Keys(tmp_path / "mine", required=True)
    registry = opened(tmp_path, keys)

    promoted(registry)

    assert [tool.name for tool in registry.active()] == ["sum_by_group"]
    signature = json.loads(approval_of(registry).read_text())["signature"]
    assert signature["key"] == keys.public == registry.signer


def test_the_key_is_made_once_and_is_the_persons_alone(tmp_path: Path) -> None:
    first, second = Keys(tmp_path / "mine"), Keys(tmp_path / "mine")

    assert first.public == second.public
    (file,) = (tmp_path / "mine").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("required", [True, False])
def test_an_approval_that_was_changed_after_it_was_signed_does_not_count(tmp_path: Path, required: bool) -> None:
    registry = opened(tmp_path, Keys(tmp_path / "mine", required=required))
    promoted(registry)
    path = approval_of(registry)

    path.write_text(path.read_text().replace('"approved_by": "', '"approved_by": "not '))

    with pytest.raises(TamperedTool, match="changed after it was signed"):
        registry.tool("sum_by_group")


def test_where_signatures_are_required_an_unsigned_approval_does_not_count(tmp_path: Path) -> None:
    promoted(opened(tmp_path, None))

    assert opened(tmp_path, Keys(tmp_path / "mine")).tool("sum_by_group").version == "1.0.0"
    with pytest.raises(TamperedTool, match="its approval is not signed"):
        opened(tmp_path, Keys(tmp_path / "mine", required=True)).tool("sum_by_group")


def test_where_signatures_are_required_others_count_when_they_are_trusted(tmp_path: Path) -> None:
    hers = Keys(tmp_path / "hers")
    promoted(opened(tmp_path, hers))

    with pytest.raises(TamperedTool, match=rf"which you do not trust.*{hers.public}"):
        opened(tmp_path, Keys(tmp_path / "mine", required=True)).tool("sum_by_group")
    trusting = Keys(tmp_path / "mine", frozenset({hers.public}), required=True)
    assert opened(tmp_path, trusting).tool("sum_by_group").name == "sum_by_group"


def test_a_key_that_is_none_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "approvals.key").write_bytes(b"short")

    with pytest.raises(Exception, match="Delete the file, and a new key is made"):
        promoted(opened(tmp_path, Keys(tmp_path / "mine")))
