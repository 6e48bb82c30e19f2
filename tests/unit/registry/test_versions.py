"""The same content is promoted once, and other content under its name as a higher version; undo goes one step back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jupyter_mcpgen.errors import NameTaken, TamperedTool, UnknownTool, UnknownVersion
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry.store import Registry
from tests.builders import Draft, approval, approved, draft, feedback, spec
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

    with pytest.raises(NameTaken, match=r"Keep it as version 2\.1\.0 \(calls of the old version still work\)"):
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


def three_versions(registry: Registry) -> list[PromotedTool]:
    return [promote(registry, draft(tool_id=f"id-{n}", version=f"1.{n}.0", body=f"return {n}")) for n in range(3)]


def test_rollback_makes_the_version_before_active_and_keeps_the_newer_one(registry: Registry) -> None:
    first, second, third = three_versions(registry)

    back = registry.rollback("sum_by_group", None, "ada")

    assert back == second
    assert registry.active() == (second,)
    assert [tool.version for tool in registry.versions("sum_by_group")] == ["1.2.0", "1.1.0", "1.0.0"]
    assert registry.rollback("sum_by_group", None, "ada") == first
    assert registry.rollback("sum_by_group", "1.2.0", "ada") == third
    assert registry.staged() == ()
    assert registry.doctor().ok
    assert actions(registry)[3:] == ["ROLLED_BACK"] * 3
    last = registry.audit.entries()[-1]
    assert (last.version, last.by, last.notes) == ("1.2.0", "ada", "in place of version 1.0.0")


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (
            "1.2.0",
            r"Version 1\.2\.0 is active already\. Versions of `sum_by_group`: 1\.2\.0 \(active\), 1\.1\.0, 1\.0\.0",
        ),
        ("3.0.0", r"There is no version 3\.0\.0\."),
        ("nonsense", r"There is no version nonsense\."),
    ],
)
def test_a_rollback_to_what_is_no_earlier_version_changes_nothing(registry: Registry, version: str, said: str) -> None:
    *_, newest = three_versions(registry)

    with pytest.raises(UnknownVersion, match=said):
        registry.rollback("sum_by_group", version, "ada")

    assert registry.active() == (newest,)
    assert len(registry.audit.entries()) == 3


def test_the_first_version_has_none_before_it(registry: Registry) -> None:
    promote(registry, draft())

    with pytest.raises(UnknownVersion, match=r"There is no earlier version\."):
        registry.rollback("sum_by_group", None, "ada")
    with pytest.raises(UnknownTool):
        registry.rollback("sum_by", None, "ada")


def test_a_version_that_was_changed_in_the_archive_never_comes_back(registry: Registry) -> None:
    *_, newest = three_versions(registry)
    (registry.root / "archive/superseded/sum_by_group_1.0.0/tool.py").write_text("import os\n")

    with pytest.raises(TamperedTool, match=r"version 1\.0\.0 was changed in the archive"):
        registry.rollback("sum_by_group", "1.0.0", "ada")

    assert registry.active() == (newest,)
    assert registry.rollback("sum_by_group", None, "ada").version == "1.1.0"


def test_an_unpublished_tool_is_kept_and_rollback_brings_back_the_version_that_was_active(registry: Registry) -> None:
    _, second, _ = three_versions(registry)
    registry.rollback("sum_by_group", None, "ada")

    gone = registry.unpublish("sum_by_group", "ada")

    assert (gone, registry.active(), registry.staged()) == ("1.1.0", (), ())
    assert len(registry.versions("sum_by_group")) == 3
    assert registry.names() == {"sum_by_group"}
    assert registry.doctor().ok
    with pytest.raises(UnknownTool):
        registry.unpublish("sum_by_group", "ada")
    assert registry.rollback("sum_by_group", None, "ada") == second
    assert actions(registry)[3:] == ["ROLLED_BACK", "UNPUBLISHED", "ROLLED_BACK"]


def test_a_tool_whose_files_were_changed_can_be_unpublished_or_rolled_back(registry: Registry) -> None:
    first, second, third = three_versions(registry)
    (third.path / "tool.py").write_text("import os\n")

    assert registry.rollback("sum_by_group", None, "ada") == second
    (second.path / "tool.py").unlink()
    registry.unpublish("sum_by_group", "ada")

    assert registry.active() == ()
    assert [tool.version for tool in registry.versions("sum_by_group")] == ["1.0.0"]
    assert registry.rollback("sum_by_group", None, "ada") == first


def test_a_version_of_the_archive_is_given_to_no_other_content(registry: Registry) -> None:
    promote(registry, draft())
    registry.unpublish("sum_by_group", "ada")

    with pytest.raises(NameTaken, match=r"Another version 1\.0\.0 of `sum_by_group` is in the archive"):
        promote(registry, draft(tool_id="other", body="return column"))
    assert registry.active() == ()


def test_content_of_the_archive_is_not_approved_a_second_time_beside_an_active_version(registry: Registry) -> None:
    promote(registry, draft())
    promote(registry, draft(tool_id="other", version="1.0.1", body="return column"))

    with pytest.raises(NameTaken, match=r"has this content already .*`%mcpgen rollback sum_by_group 1\.0\.0`"):
        promote(registry, draft(tool_id="same", version="1.0.2"))

    assert [tool.version for tool in registry.active()] == ["1.0.1"]


def test_content_of_an_unpublished_tool_is_active_again_when_it_is_approved_again(registry: Registry) -> None:
    promote(registry, draft())
    registry.unpublish("sum_by_group", "ada")

    promote(registry, draft(tool_id="same", version="1.0.1"))

    assert [(tool.version, tool.tool_id) for tool in registry.active()] == [("1.0.0", draft().parts[0].tool_id)]
    assert registry.staged() == ()
    assert registry.doctor().ok


def test_a_name_that_begins_like_another_one_has_versions_of_its_own(registry: Registry) -> None:
    promote(registry, draft())
    promote(registry, draft("sum_by_group_2", "other"))
    registry.unpublish("sum_by_group_2", "ada")

    assert [tool.name for tool in registry.versions("sum_by_group")] == ["sum_by_group"]
    assert registry.names() == {"sum_by_group", "sum_by_group_2"}


def test_a_next_version_replaces_only_what_its_card_was_compared_with(registry: Registry) -> None:
    first = promote(registry, draft())
    compared = with_diff(draft(tool_id="next", version="1.0.1", body="return column"), first)
    late = with_diff(draft(tool_id="late", version="1.1.0", body="return file_path"), first)
    registry.stage(*late.parts)
    assert [each.tool_id for each in registry.next_versions("sum_by_group")] == ["late"]

    promote(registry, compared)

    with pytest.raises(NameTaken, match=r"from version 1\.0\.0 .* version 1\.0\.1 is active now"):
        registry.promote("late", approval(late), approved())
    assert registry.rollback("sum_by_group", None, "ada") == first
    assert registry.promote("late", approval(late), approved()).version == "1.1.0"


def with_diff(made: Draft, before: PromotedTool) -> Draft:
    """Return a candidate whose card says what it changes."""
    diff = Diff(
        tool_name=before.name,
        before=before.version,
        before_fingerprint=before.fingerprint,
        after=made.candidate.version,
        summary="other code",
    )
    return replace(made, card=made.card.replace(diff=diff))
