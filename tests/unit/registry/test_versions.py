"""The same content is promoted once, and other content under its name as a higher version; undo goes one step back."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import NameTaken, UnknownTool
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft, feedback, spec
from tests.unit.registry.promoting import actions, promote


def test_a_second_click_on_approve_gives_the_same_tool(registry: Registry) -> None:
    made = draft()
    tool = promote(registry, made)

    again = registry.promote(made.tool_id, approval(made), approved())

    assert again == tool
    assert actions(registry) == ["PROMOTED"]


def test_content_that_is_active_already_is_not_promoted_twice(registry: Registry) -> None:
    tool, copy = promote(registry, draft()), draft(tool_id="copy", version="1.0.1")

    again = promote(registry, copy)

    assert again == tool
    assert registry.active() == (tool,)
    assert registry.staged() == ()
    assert registry.card("copy").status is ToolStatus.PROMOTED
    assert actions(registry) == ["PROMOTED", "DUPLICATE"]


def test_other_content_under_a_taken_name_needs_a_higher_version(registry: Registry) -> None:
    tool, other = promote(registry, draft()), draft(tool_id="other", body="return column")
    registry.stage(*other.parts)

    with pytest.raises(NameTaken, match=r"version 1\.0\.0 with other content.* Keep it as version 1\.0\.1"):
        registry.promote("other", approval(other), approved())

    assert registry.active() == (tool,)
    assert [candidate.tool_id for candidate in registry.staged()] == ["other"]


def test_a_lower_version_is_refused_even_with_another_contract(registry: Registry) -> None:
    promote(registry, draft(version="2.0.0"))
    parameters = (*spec().parameters, ToolParameter(name="top", type="int", description="How many", required=False))
    other = draft(tool_id="other", version="1.5.0", contract=spec(parameters=parameters))
    registry.stage(*other.parts)

    with pytest.raises(NameTaken, match=r"Keep it as version 2\.1\.0 \(parts were added\)"):
        registry.promote("other", approval(other), approved())


def test_a_capability_more_is_other_content(registry: Registry) -> None:
    promote(registry, draft())

    with pytest.raises(NameTaken):
        promote(registry, draft(tool_id="more", capabilities=("cap:files.read", "cap:files.write")))


def test_a_higher_version_replaces_and_the_old_one_is_kept_whole(registry: Registry) -> None:
    first = promote(registry, draft())
    old = {path.name: path.read_bytes() for path in first.path.iterdir()}

    second = promote(registry, draft(tool_id="second", version="1.1.0", body="return column"))

    archived = registry.root / "archive/superseded/sum_by_group_1.0.0"
    assert registry.active() == (second,)
    assert {path.name: path.read_bytes() for path in archived.iterdir()} == old
    assert registry.versions("sum_by_group") == (second, first.replace(path=archived))
    assert registry.card(first.tool_id).status is ToolStatus.PROMOTED


def test_the_next_version_follows_the_change_of_the_contract(registry: Registry) -> None:
    before = registry.next_version(spec())
    promote(registry, draft(version="1.2.3"))
    extra = ToolParameter(name="top", type="int", description="How many", required=False)

    after = [
        registry.next_version(spec()),
        registry.next_version(spec(parameters=(*spec().parameters, extra))),
        registry.next_version(spec(parameters=(*spec().parameters, extra.replace(required=True)))),
        registry.next_version(spec(parameters=spec().parameters[:1])),
    ]

    assert before == "1.0.0"
    assert after == ["1.2.4", "1.3.0", "2.0.0", "2.0.0"]


def test_undo_takes_the_tool_away_and_the_candidate_waits_again(registry: Registry) -> None:
    made = draft()
    promote(registry, made)

    back = registry.undo("sum_by_group", "ada")

    assert isinstance(back, ToolCandidate)
    assert registry.active() == ()
    assert registry.staged() == (back,)
    assert back.status is ToolStatus.STAGED
    assert back.user_feedback == feedback(Decision.PENDING, OutputVerdict.ACCEPTED)
    assert not (registry.root / back.package_path / "approval.json").exists()
    assert registry.problems() == ()
    assert registry.promote(made.tool_id, approval(made), approved()).name == "sum_by_group"


def test_undo_brings_the_replaced_version_back(registry: Registry) -> None:
    first = promote(registry, draft())
    promote(registry, draft(tool_id="second", version="1.1.0", body="return column"))

    restored = registry.undo("sum_by_group", "ada")

    assert restored == first
    assert registry.active() == (first,)
    assert [candidate.tool_id for candidate in registry.staged()] == ["second"]
    assert isinstance(registry.undo("sum_by_group", "ada"), ToolCandidate)
    assert registry.active() == ()
    assert len(registry.staged()) == 2


def test_undo_after_promoting_again_gives_the_right_version_each_time(registry: Registry) -> None:
    tools = [
        promote(registry, draft(tool_id=f"id-{n}", version=f"1.{n}.0", body=f"return column * {n}")) for n in (1, 2, 10)
    ]

    assert registry.undo("sum_by_group", "ada") == tools[1]
    assert registry.undo("sum_by_group", "ada") == tools[0]


def test_undo_of_an_unknown_tool_says_so(registry: Registry) -> None:
    with pytest.raises(UnknownTool):
        registry.undo("nothing", "ada")
