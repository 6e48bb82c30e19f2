"""The vendored file works alone and is as clean as hand-written code."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from jupyter_mcpgen import toolkit
from jupyter_mcpgen.toolkit import helpers_source
from jupyter_mcpgen.toolkit.vendor import PUBLIC_NAMES, _refuse_shared_names

PROBE = """
import sys

import pytest
from pathlib import Path
from helpers import *
Path("t.csv").write_text("kind,n\\na,1\\nb,2\\n")
validate_file_and_columns("t.csv", ["n"])
frame = load_csv_data_with_types("t.csv")
chart = vega_lite_chart(frame, "bar", "kind", "n")
report = Report.of(frame, title="t", source="t.csv", rows_in=2, chart=chart)
assert "| b | 2 |" in report and detect_column_types(frame)["numeric"] == ["n"]
assert not any(name.startswith("jupyter_mcpgen") for name in sys.modules)
"""


def test_the_file_runs_alone_in_an_empty_folder(tmp_path):
    (tmp_path / "helpers.py").write_text(helpers_source(), encoding="utf-8")
    (tmp_path / "probe.py").write_text(PROBE, encoding="utf-8")

    done = subprocess.run([sys.executable, "-W", "error", "probe.py"], cwd=tmp_path, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_file_is_clean(tmp_path):
    path = tmp_path / "helpers.py"
    path.write_text(helpers_source(), encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff"]
    options = ["--isolated", "--line-length", "120", "--target-version", "py311"]

    checked = subprocess.run([*ruff, "check", *options, "--select", "A,B,E,F,I,N,UP,W", path], capture_output=True)
    formatted = subprocess.run([*ruff, "format", *options, "--check", path], capture_output=True)

    assert (checked.returncode, formatted.returncode) == (0, 0), checked.stdout + formatted.stderr


def test_the_file_names_nothing_of_this_package():
    assert "jupyter_mcpgen" not in helpers_source()


def test_the_public_names_are_those_of_the_toolkit():
    assert set(PUBLIC_NAMES) == set(toolkit.__all__) - {"helpers_source"}
    assert all(hasattr(toolkit, name) for name in toolkit.__all__)


@pytest.mark.parametrize("second", ["A = 2", "B, A = 1, 2", "A: int = 2", "def A(): ...", "class A: ..."])
def test_two_modules_that_define_one_name_are_refused(second):
    with pytest.raises(ValueError, match="Two toolkit modules define `A`"):
        _refuse_shared_names([ast.parse("A, C = 1, 2"), ast.parse(second)])
