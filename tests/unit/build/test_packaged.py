"""The modules of a tool find each other in a package, and are otherwise as they were approved."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.build.packaged import in_package, moved_tests

TESTS = '''"""Tests of `x`. Run them in this folder: `pytest tests.py`.

More.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
for name in ("tool", "helpers"):  # those of another tool
    sys.modules.pop(name, None)

import tool  # noqa: E402

ROWS = ["Größe"]


def test_it():
    assert tool.x() == ROWS
'''


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from helpers import Report, other\n", "from p.helpers import Report, other\n"),
        ("import tool\n", "from p import tool\n"),
        ("import helpers as h, re\n", "from p import helpers as h; import re\n"),
        (
            "def f():\n    from helpers import (\n        a,\n        b,\n    )\n",
            "def f():\n    from p.helpers import a, b\n",
        ),
        ("x = 'from helpers import Report'  # import tool\n", "x = 'from helpers import Report'  # import tool\n"),
        ("s = 'ß'; import tool\n", "s = 'ß'; from p import tool\n"),
        ("from helpers.deep import a\nfrom toolbox import b\n", "from helpers.deep import a\nfrom toolbox import b\n"),
        ("from .helpers import a\n", "from .helpers import a\n"),
    ],
)
def test_imports_of_the_tools_own_files_name_the_package(source: str, expected: str) -> None:
    assert in_package(source, "p") == expected


def test_tests_find_the_tool_in_its_package_and_say_how_they_are_run() -> None:
    moved = moved_tests(TESTS, "p")

    assert "Run them: `pytest --pyargs p`." in moved
    assert "from p import tool  # noqa: E402" in moved
    assert not {"import sys", "Path", "sys.path"} & set(moved.split())
    assert moved.endswith('ROWS = ["Größe"]\n\n\ndef test_it():\n    assert tool.x() == ROWS\n')


def test_tests_that_use_a_path_keep_its_import() -> None:
    moved = moved_tests(TESTS.replace('["Größe"]', "[Path('x')]"), "p")

    assert "from pathlib import Path" in moved
    assert "import sys" not in moved
