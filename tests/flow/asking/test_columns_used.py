"""What written code really uses is tried out: columns under other names, tables without a column, files of its run."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import UnsoundApproval
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.test_figures import DRAWN
from tests.flow.asking.test_written_drafts import asked

UNCHECKED = NoSecond(reason="nothing to compare with")
SPREAD = '''
import pandas as pd


def spread(df: pd.DataFrame, group: str = "quarry", load: str = "tons") -> pd.DataFrame:
    """Return the range of the load of each group."""
    loads = df.groupby(group)[load]
    return (loads.max() - loads.min()).reset_index(name=f"range of {load}")
'''
HARD_CODED = SPREAD.replace("df.groupby(group)", 'df.groupby("quarry")')


def said(card: Card, check: str) -> str | None:
    return next((item.sentence for item in card.evidence if item.check == check), None)


@pytest.mark.soak
def test_code_that_takes_its_columns_from_its_parameters_works_on_renamed_ones(runtime: Runtime) -> None:
    card = asked(runtime, SPREAD, UNCHECKED)

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert said(card, "renamed_columns") == "Works on renamed columns through `group`, `load`: same result."


def test_code_that_names_a_column_which_is_a_parameter_is_caught(runtime: Runtime) -> None:
    card = asked(runtime, HARD_CODED, UNCHECKED)

    assert said(card, "renamed_columns") == (
        "With its columns renamed, and told so through `group`, `load`, the code gives no result: "
        "it names a column itself."
    )
    with pytest.raises(UnsoundApproval):
        runtime.approve(card.card_id, confirmed=list(Confirms))


@pytest.mark.soak
def test_code_without_column_parameters_is_not_asked(runtime: Runtime) -> None:
    fixed = SPREAD.replace('group: str = "quarry", load: str = "tons"', "factor: int = 1")
    fixed = fixed.replace("df.groupby(group)[load]", 'df.groupby("quarry")["tons"]')
    fixed = fixed.replace('name=f"range of {load}"', 'name="range"').replace("(loads.max()", "factor * (loads.max()")
    fixed = fixed.replace(
        "return factor * (loads.max() - loads.min())", "return (factor * (loads.max() - loads.min()))"
    )

    card = asked(runtime, fixed, UNCHECKED)

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert said(card, "renamed_columns") is None


@pytest.mark.soak
def test_the_columns_that_the_result_depends_on_are_observed(runtime: Runtime) -> None:
    """The code loads every column, so reading it would not tell."""
    loads_all = SPREAD.replace("    loads =", "    df = df.assign(**{c: df[c] for c in df.columns})\n    loads =")

    card = asked(runtime, loads_all, UNCHECKED)

    assert said(card, "columns_used") == (
        "The result changes without `quarry`, `tons`; the same without the other one."
    )


@pytest.mark.soak
def test_the_files_of_a_run_are_told(runtime: Runtime) -> None:
    plain, drawn = asked(runtime, SPREAD, UNCHECKED), asked(runtime, DRAWN, UNCHECKED)

    assert said(plain, "files_touched") == "Of your files the code could read `loads` alone, and left none."
    assert said(drawn, "files_touched") == "Of your files the code could read `loads` alone, and left `figure-1.png`."


@pytest.mark.soak
def test_code_that_chance_moves_is_not_compared_with_itself(runtime: Runtime) -> None:
    drawn = SPREAD.replace("import pandas as pd", "import random\nimport pandas as pd", 1).replace(
        "loads.max()", "loads.max() * random.random()"
    )

    card = asked(runtime, drawn, UNCHECKED)

    assert said(card, "shuffled_rows") is None
    assert said(card, "renamed_columns") is None
    assert said(card, "repeatable") == "May give another result each time: it draws random numbers."
