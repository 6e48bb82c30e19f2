"""What does not depend on how a table is written down."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.nl.schema.facts import ColumnFacts, TableSchema
from jupyter_mcpgen.nl.schema.mentions import column_mentions, value_mentions
from jupyter_mcpgen.nl.text.tokens import tokenize
from tests.unit.nl.schema.tables import schema_of_frame

_CELLS = {
    "load_kg": st.floats(0, 100).map(lambda number: round(number, 2)),
    "crates": st.integers(0, 40),
    "stock": st.integers(0, 5),
    "unit_price": st.floats(1, 9).map(lambda number: round(number, 2)),
    "vacancy rate": st.floats(0.05, 0.95).map(lambda number: round(number, 3)),
    "pier": st.sampled_from(["North", "South", "East pier", "Old Mill"]),
    "risk": st.sampled_from(["low", "medium", "high"]),
    "is_paid": st.booleans(),
    "fare": st.integers(1, 99).map(lambda number: f"${number}.50"),
    "opened": st.integers(0, 300).map(lambda day: pd.Timestamp("2024-01-01") + pd.Timedelta(days=day)),
    "boat_id": st.integers(1, 9),
}


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    """Draw a table of some of the columns."""
    names = draw(st.lists(st.sampled_from(sorted(_CELLS)), min_size=1, max_size=7, unique=True))
    rows = draw(st.integers(6, 14))
    return pd.DataFrame({name: draw(st.lists(_CELLS[name], min_size=rows, max_size=rows)) for name in names})


def told(column: ColumnFacts) -> ColumnFacts:
    """Return a column's facts without the profiles of what it writes, which hold the place of each row's value."""
    return replace(column, written=())


def facts(schema: TableSchema) -> object:
    """Return all facts of a table."""
    return [told(column) for column in schema.columns], schema.row, schema.intervals, schema.sides, schema.variants


@settings(max_examples=40, deadline=None)
@given(frames(), st.randoms(use_true_random=False))
def test_the_order_of_rows_says_nothing(frame: pd.DataFrame, random: Random) -> None:
    order = list(range(len(frame)))
    random.shuffle(order)

    shuffled = schema_of_frame("trips", frame.iloc[order].reset_index(drop=True))

    assert facts(shuffled) == facts(schema_of_frame("trips", frame))


@settings(max_examples=40, deadline=None)
@given(frames())
def test_rows_that_are_there_twice_change_keys_only(frame: pd.DataFrame) -> None:
    once = schema_of_frame("trips", frame)
    twice = schema_of_frame("trips", pd.concat([frame, frame], ignore_index=True))

    assert [told(column) for column in twice.columns] == [told(column) for column in once.columns]
    assert (twice.intervals, twice.sides, twice.variants) == (once.intervals, once.sides, once.variants)
    assert twice.row.things == once.row.things
    assert not twice.row.keys


@settings(max_examples=40, deadline=None)
@given(frames(), st.data())
def test_a_new_name_changes_the_facts_of_its_own_column_only(frame: pd.DataFrame, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(frame.columns)))

    before = schema_of_frame("trips", frame)
    after = schema_of_frame("trips", frame.rename(columns={name: "wimple"}))

    assert [told(c) for c in after.columns if c.name != "wimple"] == [told(c) for c in before.columns if c.name != name]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_can_be_searched_for_mentions(text: str) -> None:
    frame = pd.DataFrame({"pier": ["North", "C++", "St. Mary's", "a/b"], "load (kg)": [1, 2, 3, 4]})
    schema, tokens = schema_of_frame("trips", frame), tokenize(text)

    for mention in (*column_mentions(tokens, schema), *value_mentions(tokens, schema)):
        assert 0 <= mention.first < mention.last <= len(tokens)
        assert 0 <= mention.cost <= 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("abcDE &-'", min_size=1, max_size=12), min_size=1, max_size=8, unique=True))
def test_every_value_is_found_when_it_is_quoted(values: list[str]) -> None:
    schema = schema_of_frame("trips", pd.DataFrame({"pier": values, "load": range(len(values))}))

    for value in schema.profile.column("pier").values:
        if isinstance(value, str) and any(letter.isalpha() for letter in value):
            found = value_mentions(tokenize(f'at "{value}" today'), schema)
            assert any(value in one.values and one.cost == 0 for one in found if one.column == "pier")
