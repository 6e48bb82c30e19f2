"""The starter library: every tool is what its sources make, and becomes a person's own only when they say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.starter import Starter, StarterLibrary, starter_library
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError
from registry_store.build import build_library
from tests.products import know_proof, new_runtime

pytestmark = pytest.mark.timeout(900)  # the whole library is made and tested once

LIBRARY = starter_library()
UNCHECKED = "explore_data"
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
    left_out: Said
    said: str


@pytest.fixture(scope="module", params=[pytest.param("whole", marks=pytest.mark.soak)])
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the library once more, show it, and install all of it; with two runs of all gates that takes minutes."""
    runtime, built = new_runtime(tmp_path_factory.mktemp("person")), tmp_path_factory.mktemp("built")
    build_library(LIBRARY, runtime, built)
    shown = perform(["starter", *NAMES[:2]], runtime, {})
    left_out = perform(["starter", UNCHECKED, "--yes"], runtime, {})
    live_before = len(runtime.active())
    said = perform(["starter", "all", "--yes", "--unchecked"], runtime, {}, Face.NOTEBOOK)
    return Installed(runtime, built, live_before, shown.text, left_out, said.text)


def files_below(folder: Path, prefix: str = "") -> Mapping[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {prefix + path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def call(installed: Installed, name: str, frame: pd.DataFrame, **arguments: object) -> pd.DataFrame:
    """Return what a tool of the library gives for a table of the test's own."""
    runtime = installed.runtime
    return runtime.run_tool(name, runtime.reference("trees", frame), arguments)


def test_the_library_is_what_its_sources_make_to_the_byte(installed: Installed) -> None:
    assert files_below(installed.built) == files_below(LIBRARY.folder / "tools")


def test_a_tool_is_what_its_source_makes_to_the_byte(tmp_path: Path) -> None:
    build_library(LIBRARY, new_runtime(tmp_path / "person"), tmp_path / "built", ("run_t_test",))

    assert files_below(tmp_path / "built") == files_below(LIBRARY.folder / "tools" / "run_t_test", "run_t_test/")


def test_nothing_is_live_before_the_person_approves(installed: Installed) -> None:
    assert installed.live_before == 0
    assert "Nothing is installed yet." in installed.shown


def test_what_is_shown_names_each_tool_with_what_it_may_use_and_its_fingerprint(installed: Installed) -> None:
    tools = installed.runtime.active()

    assert [tool.name for tool in tools] == sorted(NAMES)
    for text, shown in ((installed.shown, tools[:2]), (installed.said, tools)):
        for tool in shown:
            assert f"| `{tool.name}` v1.0.0 | `cap:data.read`" in text
            assert tool.fingerprint.removeprefix("sha256:")[:16] in text


def test_every_tool_is_approved_and_signed_by_the_person_at_their_face(installed: Installed) -> None:
    root = installed.runtime.registry.root / "active" / "tools"
    approvals = [json.loads((root / name / "approval.json").read_text(encoding="utf-8")) for name in NAMES]

    assert {approval["face"] for approval in approvals} == {Face.NOTEBOOK}
    assert all(approval["signature"] for approval in approvals)


def test_what_nothing_computed_a_second_time_needs_a_word_of_its_own(installed: Installed) -> None:
    assert not installed.left_out.ok
    assert f"Not installed: `{UNCHECKED}`. Nothing computed their results a second time." in installed.left_out.text


@pytest.mark.soak
def test_a_tool_that_a_gate_rejects_is_left_out_and_the_others_are_shown(tmp_path: Path) -> None:
    (tmp_path / "library" / "sources").mkdir(parents=True)
    (tmp_path / "library" / "samples").mkdir()
    TREES.to_csv(tmp_path / "library" / "samples" / "trees.csv", index=False)
    code = "import pandas as pd\n\n\ndef {0}(df: pd.DataFrame) -> pd.DataFrame:\n"
    code += '    """Count the rows."""\n    return pd.DataFrame({{"rows": [len(df) {1}]}})\n'
    for name, more in (("count_right", ""), ("count_wrong", "+ 1")):
        source = tmp_path / "library" / "sources" / name
        source.with_suffix(".toml").write_text('does = "Counts."\nquestion = "How many?"\ndata = "trees.csv"\n')
        source.with_suffix(".py").write_text(code.format(name, more))
        source.with_suffix(".sql").write_text("SELECT count(*) AS rows FROM trees")
    library, runtime = StarterLibrary(tmp_path / "library"), new_runtime(tmp_path)
    for tool in library.tools:
        (library.folder / "tools" / tool.name).mkdir(parents=True)
        intent = library.written(tool)
        assert intent is not None
        (library.folder / "tools" / tool.name / "written.json").write_text(intent.model_dump_json())
    vars(runtime)["starter"] = Starter(library, runtime.registry, lambda: runtime.services)

    said = perform(["starter", "all", "--yes"], runtime, {})

    assert not said.ok
    assert "`count_wrong` was left out." in said.text
    assert "the code and the SQL disagree" in said.text
    assert [tool.name for tool in runtime.active()] == ["count_right"]


def test_a_second_installation_changes_nothing(installed: Installed) -> None:
    said = perform(["starter", NAMES[0], "--yes"], installed.runtime, {})

    assert said.text == f"`{NAMES[0]}` is installed already."


def test_the_list_says_what_is_installed(installed: Installed) -> None:
    text = perform(["starter"], installed.runtime, {}).text

    assert [line.count("installed") for line in text.splitlines() if line.startswith("| `")] == [1] * len(NAMES)


@pytest.mark.soak
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
    found = call(installed, "analyze_temporal_patterns", TREES, date_column="planted", value_column="girth")

    assert found.set_index("month")["sum_girth"].to_dict() == {
        pd.Timestamp("2020-01-01"): 31,
        pd.Timestamp("2020-02-01"): 13,
        pd.Timestamp("2020-04-01"): 43,
    }


def test_a_table_is_summarised_as_pandas_does(installed: Installed) -> None:
    found = call(installed, "load_and_analyze_csv", TREES, columns=["height", "girth"]).set_index("column")

    assert found["mean"].tolist() == pytest.approx([TREES["height"].mean(), TREES["girth"].mean()])
    assert found["missing"].tolist() == [1, 0]


def test_the_pairs_of_the_heat_map_are_the_correlations_of_pandas(installed: Installed) -> None:
    data = TREES.assign(same=1.0)
    expected = TREES[["height", "girth"]].corr().loc["height", "girth"]

    found = call(installed, "plot_correlation_heatmap", data, columns=["height", "girth", "same"])

    pairs = found.set_index(["first", "second"])
    assert pairs.loc[("height", "girth"), "correlation"] == pytest.approx(expected)
    assert pairs.loc[("height", "girth"), "rows_used"] == 5
    assert pairs.loc[("height", "same"), "correlation"] is None or pd.isna(pairs.loc[("height", "same"), "correlation"])


def test_a_relationship_shows_the_columns_that_were_named(installed: Installed) -> None:
    found = call(installed, "plot_relationship", TREES, columns=["girth", "height"])

    assert list(found.columns) == ["girth", "height"]
    assert len(found) == len(TREES)


def test_patterns_count_the_ways_in_which_a_column_is_written(installed: Installed) -> None:
    data = pd.DataFrame({"code": ["A-1", "B-22", "7/x", None, "C-3"], "n": range(5)})

    found = call(installed, "find_csv_patterns", data, column="code")

    assert found[["pattern", "rows"]].to_numpy().tolist() == [["A-9", 3], ["9/A", 1]]
    assert found["share"].tolist() == [0.75, 0.25]


def test_words_are_counted_in_lower_case_and_by_row(installed: Installed) -> None:
    data = pd.DataFrame({"said": ["Rain, rain and wind", "No rain", None, "Wind!"], "n": range(4)})

    found = call(installed, "analyze_text_content", data, column="said").set_index("word")

    assert found["times"].to_dict() == {"rain": 3, "wind": 2, "and": 1}
    assert found["rows"].to_dict() == {"rain": 2, "wind": 2, "and": 1}


def test_structured_values_are_taken_out_of_texts(installed: Installed) -> None:
    said = ["Pay $1,200.50 by 2024-05-31 to jo@x.example", "see https://x.example/a?b=1.", "2024-13-01", None]
    data = pd.DataFrame({"said": said, "n": range(4)})

    found = call(installed, "extract_structured_data", data, column="said")

    assert found[["kind", "value"]].to_numpy().tolist() == [
        ["amount", "$1,200.50"],
        ["date", "2024-05-31"],
        ["email", "jo@x.example"],
        ["url", "https://x.example/a?b=1"],
    ]


def test_pieces_of_text_are_merged_in_order_without_blank_and_repeated_ones(installed: Installed) -> None:
    pieces = [("b", 2, "end"), ("b", 1, " start "), ("b", 3, "end"), ("a", 1, None), ("a", 2, "alone"), ("b", 4, "  ")]
    data = pd.DataFrame(pieces, columns=["file", "part", "body"])
    columns = {"document_column": "file", "order_column": "part", "text_column": "body"}

    found = call(installed, "merge_extracted_text", data, **columns)

    assert found.to_numpy().tolist() == [["a", 1, "alone"], ["b", 2, "start\nend"]]


def test_problems_of_the_data_are_listed_with_their_rows(installed: Installed) -> None:
    data = pd.DataFrame(
        {"paid": ["12", "7,5", "none", None], "town": ["Rome", "rome", " Oslo", "Rome"], "unit": ["m"] * 4}
    )

    found = call(installed, "check_data_quality", data).set_index(["column", "problem"])["rows"].to_dict()

    assert found == {
        ("paid", "missing value"): 1,
        ("paid", "text that is a number"): 2,
        ("town", "blanks around the text"): 1,
        ("town", "same text in other capitals"): 3,
        ("unit", "does not vary"): 4,
    }


def test_the_tests_of_pairs_are_chosen_by_type_and_corrected_together(installed: Installed) -> None:
    rng = np.random.default_rng(5)
    data = pd.DataFrame({"x": rng.normal(size=40), "side": ["l", "r"] * 20, "mood": (["a"] * 15 + ["b"] * 25)})
    data["y"] = data["x"] * 2 + rng.normal(size=40)
    left, right = (data.loc[data["side"] == side, "x"] for side in "lr")
    table = pd.crosstab(data["side"], data["mood"])

    found = call(installed, "run_automated_tests", data).set_index(["first", "second"])

    assert found.loc[("x", "y"), "p_value"] == pytest.approx(stats.spearmanr(data["x"], data["y"]).pvalue, rel=1e-6)
    assert found.loc[("x", "side"), "p_value"] == pytest.approx(
        stats.ttest_ind(left, right, equal_var=False).pvalue, rel=1e-6
    )
    assert found.loc[("side", "mood"), "p_value"] == pytest.approx(
        stats.chi2_contingency(table, correction=False).pvalue, rel=1e-6
    )
    expected = np.minimum(1, np.maximum.accumulate(np.sort(found["p_value"]) * np.arange(len(found), 0, -1)))
    assert np.sort(found["corrected_p_value"]) == pytest.approx(expected)


def test_a_column_without_variation_is_tested_against_nothing(installed: Installed) -> None:
    data = pd.DataFrame({"x": [1.0, 1.0, 1.0, 1.0], "y": [1.0, 2.0, 4.0, 3.0]})

    found = call(installed, "run_automated_tests", data)

    assert found["p_value"].isna().all()
    assert found["note"].tolist() == ["too few rows, or a column does not vary"]
    assert found["significant"].tolist() == [False]


def value_of(installed: Installed, name: str, frame: pd.DataFrame, folder: Path, **arguments: object) -> dict[str, Any]:
    """Return the value that a tool of the library gives for a table in a file."""
    path = folder / "table.csv"
    frame.to_csv(path, index=False)
    answer = installed.runtime.call_tool(name, {"file_path": str(path), **arguments})
    assert not answer.failed, answer.text
    return answer.structured["result"]


def test_exploring_describes_each_column_by_its_type(installed: Installed, tmp_path: Path) -> None:
    found = value_of(installed, "explore_data", TREES, tmp_path)

    assert {name: column["type"] for name, column in found["columns"].items()} == {
        "planted": "date",
        "kind": "text",
        "height": "number",
        "girth": "number",
    }
    assert found["columns"]["height"]["mean"] == pytest.approx(TREES["height"].mean())
    assert found["columns"]["height"]["outliers"] == 1
    assert found["columns"]["kind"]["commonest"][0] == {"value": "oak", "rows": 3}
    expected = TREES[["height", "girth"]].corr(method="spearman").iloc[0, 1]
    assert found["strongest_correlations"][0]["correlation"] == pytest.approx(expected)


def test_the_classifier_finds_two_groups_that_lie_apart(installed: Installed, tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    data = pd.DataFrame({"size": [*rng.normal(0, 1, 60), *rng.normal(6, 1, 40)], "kind": ["small"] * 60 + ["big"] * 40})

    found = value_of(installed, "train_classifier", data, tmp_path, target="kind", features=["size"])

    assert found["rows_trained"] + found["rows_tested"] == 100
    assert found["accuracy"] >= 0.95
    assert found["accuracy_of_commonest_class"] == pytest.approx(0.6)
    assert found["weights"]["big"]["size"] > 0 > found["weights"]["small"]["size"]


def test_the_weights_of_the_classifier_are_those_of_the_penalised_likelihood(
    installed: Installed, tmp_path: Path
) -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"size": rng.normal(size=80).round(3)})
    data["kind"] = np.where(data["size"] + rng.normal(size=80) > 0, "u", "d")
    used = data.sort_values(["kind", "size"], kind="stable").loc[lambda rows: np.arange(len(rows)) % 5 != 2]
    z, sign = stats.zscore(used["size"]), np.where(used["kind"] == "u", 1, -1)

    found = value_of(installed, "train_classifier", data, tmp_path, target="kind", features=["size"])

    # with two classes the scores are opposite, so that one weight and one constant say all
    def loss(w: np.ndarray) -> float:
        return np.logaddexp(0, -2 * sign * (w[0] + w[1] * z)).sum() + w @ w

    assert found["weights"]["u"]["size"] == pytest.approx(optimize.minimize(loss, [0, 0]).x[1], abs=1e-3)


def test_a_classifier_of_one_class_is_not_trained_and_says_why(installed: Installed, tmp_path: Path) -> None:
    data = pd.DataFrame({"size": range(30), "kind": ["same"] * 30})

    found = value_of(installed, "train_classifier", data, tmp_path, target="kind", features=["size"])

    assert found["note"] == "Nothing was trained: fewer than two classes have 10 rows."
    assert "accuracy" not in found


@pytest.mark.every_run("Approve\\n-live0")
@pytest.mark.parametrize(("answer", "live"), [("Approve\n", ["run_t_test"]), ("ok\n", []), ("", [])])
def test_a_terminal_asks_and_installs_only_on_approve(tmp_path: Path, answer: str, live: list[str]) -> None:
    environment = {**os.environ, "MCPGEN_REGISTRY__PATH": str(tmp_path / "registry"), "COLUMNS": "200"}
    know_proof(tmp_path / "data")
    environment |= {"JUPYTER_DATA_DIR": str(tmp_path / "data"), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    command = [str(Path(sys.executable).with_name("jupyter-mcpgen")), "starter", "run_t_test"]

    done = subprocess.run(command, input=answer, env=environment, cwd=tmp_path, capture_output=True, text=True)

    assert "Approve and sign 1 tool? [Approve/No]" in done.stdout
    assert done.returncode == (0 if live else 1), done.stderr
    assert [tool.name for tool in Registry(tmp_path / "registry").active()] == live
