"""A question for a statistic becomes a sound card and a tool: scipy in the real sandbox, held against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.products import new_runtime


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return new_runtime(tmp_path_factory.mktemp("statistics"))


@pytest.fixture(scope="module")
def plants(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> DataRef:
    """Plants of three sorts; the second grows taller, and every tenth height is missing."""
    random = np.random.default_rng(5)
    sorts = random.choice(["fern", "moss", "reed"], size=90)
    height = np.round(random.normal(20, 2, 90) + 6 * (sorts == "moss"), 1)
    frame = pd.DataFrame({"sort": sorts, "height": height, "water": np.round(height * 3 + random.normal(0, 4, 90), 1)})
    frame.loc[::10, "height"] = None
    path = Path(tmp_path_factory.mktemp("data")) / "plants.csv"
    frame.to_csv(path, index=False)
    return runtime.reference(str(path))


def asked(runtime: Runtime, question: str, data: DataRef) -> Card:
    outcome = runtime.ask(question, data)
    assert isinstance(outcome, flow.Staged)
    return outcome.card


def rows_of(card: Card) -> list[dict[str, object]]:
    return [dict(zip(card.table.columns, row, strict=True)) for row in card.table.rows]


def test_an_anova_with_tukeys_test_is_a_sound_card_that_says_which_pairs_differ(
    runtime: Runtime, plants: DataRef
) -> None:
    card = asked(runtime, "Run ANOVA of height by sort, then perform a Tukey HSD post-hoc test", plants)

    assert card.sound
    assert card.evidence_sentence == "Calculation checked: pandas and SQL agree. 81 of 90 rows used."
    assert [note.sentence for note in card.notes] == ["9 rows without `height` were left out."]
    found = {(row["first"], row["second"]): row["finding"] for row in rows_of(card)}
    assert found[(None, None)] == found[("fern", "moss")] == found[("moss", "reed")] == "significant at the 5 % level"
    assert found[("fern", "reed")] == "not significant at the 5 % level"


@pytest.mark.soak
def test_a_regression_becomes_a_tool_that_takes_other_columns(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "linear regression of water on height", plants)
    assert card.sound
    runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)

    turned = runtime.call_tool(card.tool_name, {"file_path": plants.path, "y_column": "height", "x_column": "water"})

    (line,), (figures,) = rows_of(card), turned.structured["rows"]
    assert figures["r_squared"] == pytest.approx(line["r_squared"])
    assert figures["slope"] == pytest.approx(line["r_squared"] / line["slope"])


@pytest.mark.soak
def test_a_line_of_each_group_accounts_for_every_row(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "linear regression of water on height by sort", plants)

    assert card.sound, card.evidence_sentence
    assert card.tool_name == "linear_regression_by_group"
    assert [row["sort"] for row in rows_of(card)] == ["fern", "moss", "reed"]
    assert sum(row["n"] for row in rows_of(card)) == 81  # type: ignore[misc]
    assert "81 of 90 rows used." in card.evidence_sentence
    assert [note.sentence for note in card.notes] == ["9 rows without `height` were left out."]


@pytest.mark.soak
def test_each_group_is_tested_for_normality(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "is height normally distributed in each sort", plants)

    assert card.sound, card.evidence_sentence
    assert [row["sort"] for row in rows_of(card)] == ["fern", "moss", "reed"]
    assert all("normal distribution" in str(row["finding"]) for row in rows_of(card))
    assert "81 of 90 rows used." in card.evidence_sentence
    assert [note.sentence for note in card.notes] == ["9 rows without `height` were left out."]


@pytest.mark.soak
def test_the_ranks_of_several_groups_are_compared_two_ways(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "Kruskal-Wallis test of height by sort", plants)

    assert card.sound, card.evidence_sentence
    assert card.tool_name == "kruskal_wallis"
    (row,) = rows_of(card)
    assert (row["groups"], row["n"], row["finding"]) == (3, 81, "significant at the 5 % level")
    assert "pandas and SQL agree" in card.evidence_sentence


@pytest.mark.soak
def test_a_tool_gives_the_confidence_interval_of_each_group_at_another_level(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "mean height with a 95% confidence interval by sort", plants)
    assert card.sound, card.evidence_sentence
    assert card.tool_name == "mean_interval_by_group"
    runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)

    wider = runtime.call_tool(card.tool_name, {"file_path": plants.path, "confidence_level": 0.99}).structured["rows"]

    assert [row["sort"] for row in rows_of(card)] == [row["sort"] for row in wider] == ["fern", "moss", "reed"]
    for before, after in zip(rows_of(card), wider, strict=True):
        assert after["mean"] == pytest.approx(before["mean"])
        assert after["low"] < before["low"] < before["mean"] < before["high"] < after["high"]  # type: ignore[operator]


@pytest.mark.soak
def test_a_box_plot_of_each_group_is_drawn_from_the_checked_quartiles(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "distribution of height by sort as a box plot", plants)

    assert card.sound
    assert card.chart is not None
    figures = ("sort", "min", "q25", "median", "q75", "max")
    assert card.chart["data"]["values"] == [{name: row[name] for name in figures} for row in rows_of(card)]
    assert len(card.chart["layer"]) == 3


@pytest.mark.soak
def test_a_histogram_adds_up_and_is_drawn(runtime: Runtime, plants: DataRef) -> None:
    card = asked(runtime, "histogram of water with 6 bins", plants)

    assert card.sound
    assert len(card.table.rows) == 6
    assert card.chart is not None
    assert card.evidence_sentence.endswith("90 of 90 rows used.")
    assert "90 values in the bins = 90 values of `water`." in [item.sentence for item in card.reasons]
    assert all(item.verdict is not Verdict.FAILED for item in card.evidence)
