"""Code that a model or a person wrote becomes a tool as it stands, or is refused in a sentence."""

from __future__ import annotations

import ast

import pytest

from jupyter_mcpgen.authors.signature import signature_of
from jupyter_mcpgen.authors.written import contract_of_written, write_written
from jupyter_mcpgen.errors import UnusableCode
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.model.written import WrittenIntent

FUNCTION = "def first(df: pd.DataFrame) -> pd.DataFrame:\n    return df.head(STEP)\n"


def statements_of_tool(code: str) -> list[str]:
    """Return the statements of a tool around some code, each as Python reads it."""
    intent = WrittenIntent(reading="the first rows", code=code, second=NoSecond(reason="none"), input="loads.csv")
    tool = write_written(contract_of_written(intent, "first_rows", frozenset())).code
    return [ast.unparse(node) for node in ast.parse(tool).body]


@pytest.mark.parametrize(
    "imports",
    [
        "import pandas as pd; STEP = 2",
        "STEP = 2; import pandas as pd",
        "import math; import pandas as pd; STEP = 2",
        "from math import (\n    ceil,\n    floor,\n); STEP = 2\nimport pandas as pd",
        '"""Rows\nof a table."""; import pandas as pd\nSTEP = 2',
    ],
)
def test_what_stands_beside_an_import_on_its_line_stays(imports: str) -> None:
    statements = statements_of_tool(f"{imports}\n{FUNCTION}")

    assert {"STEP = 2", "import pandas as pd", ast.unparse(ast.parse(FUNCTION))} <= set(statements)


@pytest.mark.parametrize("sign", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_sign_that_ends_no_line_in_python_makes_no_code_of_a_comment(sign: str) -> None:
    code = f"import pandas as pd\n# as before{sign}STEP = 3\nSTEP = 2\n{FUNCTION}"

    statements = statements_of_tool(code)

    assert [line for line in statements if line.startswith("STEP")] == ["STEP = 2"]


@pytest.mark.parametrize(
    "default", ["{[]: 1}", "{[]}", "...", "b'x'", "1j", "1e999", "{1, 2}", "{1: 'one'}", "[(1, 2j)]", "{'a': {1}}"]
)
def test_a_default_that_json_cannot_hold_is_refused(default: str) -> None:
    with pytest.raises(UnusableCode, match="The default of `limits` in `first` is no plain value"):
        signature_of(f"def first(df: pd.DataFrame, limits: dict = {default}) -> pd.DataFrame:\n    return df")


@pytest.mark.parametrize(
    ("default", "value"), [("((1, 2), [3])", [[1, 2], [3]]), ("{'a': (1,)}", {"a": [1]}), ("None", None), ("-1", -1)]
)
def test_a_default_is_what_json_makes_of_it(default: str, value: object) -> None:
    signature = signature_of(f"def first(df: pd.DataFrame, limits: dict = {default}) -> pd.DataFrame:\n    return df")

    assert [parameter.default for parameter in signature.parameters] == [value]


def test_an_annotation_that_is_nested_too_deeply_is_refused() -> None:
    deep = " | ".join(["int"] * 900)

    with pytest.raises(UnusableCode, match="The signature of `first` is nested too deeply"):
        signature_of(f"def first(df: pd.DataFrame, limit: {deep} = 1) -> pd.DataFrame:\n    return df")
