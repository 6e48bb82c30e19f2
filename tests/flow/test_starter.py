"""The starter library: every tool is what its sources make, and becomes a person's own only when they say so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
from scipy import stats

from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.starter import starter_library
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.words import UsageError
from registry_store.build import build_library
from tests.products import new_runtime

LIBRARY = starter_library()
NAMES = tuple(tool.name for tool in LIBRARY.tools)
TREES = pd.DataFrame(
    {
        "planted": pd.to_datetime(["2020-01-05", "2020-01-20", "2020-02-02", None, "2020-04-09", "2020-04-30"]),
        "kind": ["oak", "elm", "oak", "oak", "elm", None],
        "height": [4.0, 7.5, None, 5.0, 9.5, 70.0],
        "girth": [10, 21, 13, 12, 28, 15],
    }
)


@dataclass(frozen=True)
class Installed:
    """A registry with the whole library, what was built for it, and what was said before and after the approval."""

    runtime: Runtime
    built: Path
    live_before: int
    shown: str
    said: str


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the library once more, show it, and install all of it."""
    runtime, built = new_runtime(tmp_path_factory.mktemp("person")), tmp_path_factory.mktemp("built")
    build_library(LIBRARY, runtime, built)
    shown = perform(["starter", "all"], runtime, {})
    live_before = len(runtime.active())
    said = perform(["starter", "all", "--yes", "--unchecked"], runtime, {}, Face.NOTEBOOK)
    return Installed(runtime, built, live_before, shown.text, said.text)


def files_below(folder: Path) -> Mapping[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def call(installed: Installed, name: str, frame: pd.DataFrame, **arguments: object) -> pd.DataFrame:
    """Return what a tool of the library gives for a table of the test's own."""
    runtime = installed.runtime
    return runtime.run_tool(name, runtime.reference("trees", frame), arguments)


def test_the_library_is_what_its_sources_make_to_the_byte(installed: Installed) -> None:
    assert files_below(installed.built) == files_below(LIBRARY.folder / "tools")


def test_nothing_is_live_before_the_person_approves(installed: Installed) -> None:
    assert installed.live_before == 0
    assert "Nothing is installed yet." in installed.shown


def test_what_is_shown_names_each_tool_with_what_it_may_use_and_its_fingerprint(installed: Installed) -> None:
    tools = installed.runtime.active()

    assert [tool.name for tool in tools] == sorted(NAMES)
    for tool in tools:
        assert f"| `{tool.name}` v1.0.0 | `cap:data.read`" in installed.shown
        assert tool.fingerprint.removeprefix("sha256:")[:16] in installed.shown


def test_every_tool_is_approved_and_signed_by_the_person_at_their_face(installed: Installed) -> None:
    root = installed.runtime.registry.root / "active" / "tools"
    approvals = [json.loads((root / name / "approval.json").read_text(encoding="utf-8")) for name in NAMES]

    assert {approval["face"] for approval in approvals} == {Face.NOTEBOOK}
    assert all(approval["signature"] for approval in approvals)


def test_a_second_installation_changes_nothing(installed: Installed) -> None:
    said = perform(["starter", NAMES[0], "--yes"], installed.runtime, {})

    assert said.text == f"`{NAMES[0]}` is installed already."


def test_the_list_says_what_is_installed(installed: Installed) -> None:
    text = perform(["starter"], installed.runtime, {}).text

    assert [line.count("installed") for line in text.splitlines() if line.startswith("| `")] == [1] * len(NAMES)


def test_a_tool_of_the_persons_own_is_never_replaced(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)
    asked = runtime.ask("mean height by kind", runtime.reference("trees", TREES), NAMES[0])
    runtime.approve(asked.card.card_id)

    said = perform(["starter", NAMES[0], "--yes", "--unchecked"], runtime, {})

    assert not said.ok
    assert f"You have a tool of your own named `{NAMES[0]}`" in said.text
    assert [tool.created_by for tool in runtime.active()] == ["embedded-planner"]
    with pytest.raises(NameTaken, match=f"unpublish {NAMES[0]}"):
        runtime.starter.stage(LIBRARY.tools[0])


def test_a_name_that_the_library_does_not_have_is_refused_with_the_nearest(installed: Installed) -> None:
    with pytest.raises(UsageError, match=r"no tool `find_outlier`\. Did you mean `find_outliers`\?"):
        perform(["starter", "find_outlier"], installed.runtime, {})


def test_missing_values_are_counted_in_the_columns_of_another_table(installed: Installed) -> None:
    found = call(installed, "count_missing_values", TREES, columns=["height", "kind", "girth"])

    assert found.set_index("column")["missing"].to_dict() == {"height": 1, "kind": 1, "girth": 0}


def test_outliers_lie_outside_the_whiskers(installed: Installed) -> None:
    found = call(installed, "find_outliers", TREES, value_column="height")

    assert found["height"].tolist() == [70.0]


def test_the_t_test_is_that_of_scipy(installed: Installed) -> None:
    groups = {"value_column": "girth", "group_column": "kind", "first_group": "oak", "second_group": "elm"}
    expected = stats.ttest_ind([10, 13, 12], [21, 28], equal_var=False)

    found = call(installed, "run_t_test", TREES, **groups)

    assert found.loc[0, ["t_statistic", "p_value"]].tolist() == pytest.approx([expected.statistic, expected.pvalue])


def test_the_t_test_of_a_group_of_one_gives_no_number_and_says_why(installed: Installed) -> None:
    groups = {"value_column": "height", "group_column": "kind", "first_group": "oak", "second_group": "elm"}

    found = call(installed, "run_t_test", TREES.iloc[:2], **groups)

    assert found["p_value"].isna().all()
    assert found.loc[0, "finding"] == "not defined: a group has fewer than 2 values"


def test_the_anova_and_its_pairs_are_those_of_scipy(installed: Installed) -> None:
    data = pd.DataFrame({"plot": list("aaaabbbbcccc"), "weight": [4, 5, 6, 5, 7, 8, 6, 9, 5, 4, 6, 5]})
    samples = [group["weight"].to_numpy() for _, group in data.groupby("plot")]
    anova, tukey = stats.f_oneway(*samples), stats.tukey_hsd(*samples)

    found = call(installed, "run_anova", data, value_column="weight", group_column="plot")

    assert found.loc[0, ["statistic", "p_value"]].tolist() == pytest.approx([anova.statistic, anova.pvalue])
    pairs = found[found["test"] == "Tukey HSD"]
    assert pairs["p_value"].tolist() == pytest.approx(
        [tukey.pvalue[i, j] for i, j in ((0, 1), (0, 2), (1, 2))], abs=1e-5
    )


def test_a_sum_over_time_adds_up_each_month(installed: Installed) -> None:
    found = call(installed, "plot_over_time", TREES, date_column="planted", value_column="girth")

    assert found.set_index("month")["sum_girth"].to_dict() == {
        pd.Timestamp("2020-01-01"): 31,
        pd.Timestamp("2020-02-01"): 13,
        pd.Timestamp("2020-04-01"): 43,
    }
