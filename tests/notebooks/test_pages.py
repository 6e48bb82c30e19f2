"""The code of the README and the docs runs as printed: the cells of a page, in order, in one kernel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.notebooks.kernels import kernel

ROOT = Path(__file__).parents[2]
CELL = re.compile(r"^```(python|ipython)(?: (?P<not_run>.+?))?\n(?P<source>.+?)^```$", re.MULTILINE | re.DOTALL)
"""A cell; words behind the language say why it cannot run here."""


def cells_of(page: Path) -> list[str]:
    """Return the cells of a page that run, in their order."""
    found = CELL.finditer(page.read_text(encoding="utf-8"))
    return [cell["source"].strip() for cell in found if cell["not_run"] is None]


PAGES = [page for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))) if cells_of(page)]


@pytest.mark.every_run("README")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_cells_of_a_page_run_as_printed(page: Path, environment: Mapping[str, str], tmp_path: Path) -> None:
    cells = cells_of(page)

    with kernel(environment, tmp_path) as run:
        try:
            said = [(source, run(source)) for source in cells]
        finally:
            run("%reload_ext jupyter_mcpgen", "%mcpgen stop")  # a page may start the server

    assert [source for source, text in said if "**Not done.**" in text] == []
    assert [source for source, text in said if "No answer." in text and ".refusal" not in source] == []


def test_the_readme_and_the_docs_have_cells_to_run() -> None:
    assert {"README", "asking"} <= {page.stem for page in PAGES}


def test_a_cell_that_needs_something_else_says_why_it_is_not_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\n1 + 1\n```\n\n```ipython needs Docker\n%mcpgen doctor\n```\n", encoding="utf-8")

    assert cells_of(page) == ["1 + 1"]
