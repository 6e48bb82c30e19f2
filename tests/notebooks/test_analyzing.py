"""Source code is analyzed in a notebook, and its report is a link that JupyterLab opens."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.flawed_project import write_flawed


@pytest.mark.soak
def test_a_report_is_written_beside_the_notebook_and_linked(environment: dict[str, str], tmp_path: Path) -> None:
    write_flawed(tmp_path / "nursery")
    cells = ["%load_ext jupyter_mcpgen", "%mcpgen report nursery", "%mcpgen gates nursery/page.js"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])

    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute(
        env={**environment, "XDG_CACHE_HOME": str(tmp_path)}
    )

    said = [str(cell.outputs[-1].get("data", {}).get("text/markdown", "")) for cell in notebook.cells[1:]]
    assert "[nursery-quality.html](nursery-quality.html)" in said[0]
    assert "torn.js" in (tmp_path / "nursery-quality.html").read_text()
    assert said[1].startswith("**pass**: 3 of 3 gates passed")
