"""A fingerprint changes with any content and with nothing else."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.data.fingerprint import fingerprint_file, fingerprint_frame

FRAME = pd.DataFrame(
    {
        "text": ["a", None, "bc", ""],
        "n": [1, 2, 3, 4],
        "r": [0.5, np.nan, -0.0, 1e300],
        "ok": [True, False, True, True],
        "maybe": pd.array([True, None, False, True], dtype="boolean"),
        "at": pd.to_datetime(["2024-01-01", None, "2024-01-03", "2024-01-04"]),
        "zone": pd.to_datetime(["2024-01-01"] * 4).tz_localize("Europe/Paris"),
        "whole": pd.array([1, None, 3, 4], dtype="Int64"),
        "group": pd.Categorical(["x", "y", "x", None]),
        "any": [[1], {"a": 1}, np.array([1, 2]), None],
    }
)
CHANGES = {
    "text": "x",
    "n": 9,
    "r": 0.0,
    "ok": None,
    "maybe": None,
    "at": pd.Timestamp("2025-01-01"),
    "zone": pd.Timestamp("2025-01-01", tz="Europe/Paris"),
    "whole": 9,
    "group": "y",
    "any": "x",
}


def test_a_copy_has_the_same_fingerprint():
    assert fingerprint_frame(FRAME.copy(deep=True)) == fingerprint_frame(FRAME)
    rebuilt = pd.concat([FRAME.head(2), FRAME.tail(2)]).reset_index(drop=True)
    assert fingerprint_frame(rebuilt) == fingerprint_frame(FRAME)


@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("name", list(FRAME.columns))
def test_a_change_of_any_cell_shows(name, row):
    values = list(FRAME[name].astype(object))
    values[row] = (not values[row]) if name == "ok" else CHANGES[name]
    if name in ("maybe", "group") and row in (1, 3):
        values[row] = {"maybe": False, "group": "x"}[name]
    changed = FRAME.copy()
    changed[name] = pd.Series(values, dtype=FRAME[name].dtype)

    assert fingerprint_frame(changed) != fingerprint_frame(FRAME)


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.iloc[::-1],
        lambda f: f[list(f.columns[::-1])],
        lambda f: f.rename(columns={"n": "m"}),
        lambda f: f.astype({"n": "int32"}),
        lambda f: f.set_axis([1, 2, 3, 4]),
        lambda f: f.rename_axis("i"),
        lambda f: f.head(3),
        lambda f: f.assign(more=1),
        lambda f: f.assign(group=f["group"].cat.rename_categories(["x", "z"])),
    ],
)
def test_order_names_types_and_index_count(change):
    assert fingerprint_frame(change(FRAME)) != fingerprint_frame(FRAME)


def test_words_that_run_together_are_told_apart():
    assert fingerprint_frame(pd.DataFrame({"w": ["ab", "c"]})) != fingerprint_frame(pd.DataFrame({"w": ["a", "bc"]}))
    assert fingerprint_frame(pd.DataFrame({"w": ["a", None]})) != fingerprint_frame(pd.DataFrame({"w": ["a", ""]}))


@pytest.mark.soak
@given(
    st.lists(st.one_of(st.none(), st.text(st.characters(codec="utf-8"), max_size=5)), max_size=12), st.integers(0, 12)
)
def test_chunks_and_slices_in_memory_do_not_count(words, cut):
    whole = pd.DataFrame({"w": pd.Series(words, dtype="str")})
    chunked = pa.chunked_array([pa.array(words[:cut], pa.large_string()), pa.array(words[cut:], pa.large_string())])
    sliced = pa.array(["x", *words, "y"], pa.large_string()).slice(1, len(words))

    for other in (chunked, sliced):
        assert fingerprint_frame(pd.DataFrame({"w": pd.Series(other, dtype="str")})) == fingerprint_frame(whole)


def test_a_file_is_known_by_its_bytes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n1\n")
    before = fingerprint_file(path)
    path.write_bytes(b"a\n2\n")

    assert before == hashlib.sha256(b"a\n1\n").hexdigest()
    assert fingerprint_file(path) != before
