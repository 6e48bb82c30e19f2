"""A guest's result is called equal only after it was compared, and code that 32 bits would hit is named."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.wasm.parity import NOT_COMPARED, Parity, compared, hazards


def printed(text: str, status: Status = Status.SUCCESS) -> Execution:
    return Execution(text, "", 0, 0.1, status, None, Reason.FINISHED)


def test_nothing_is_equal_before_it_was_compared() -> None:
    assert NOT_COMPARED.parity is Parity.NOT_COMPARED


def test_the_same_output_is_equal_and_another_names_its_first_line() -> None:
    assert compared(printed("1\n2\n"), printed("1\n2\n")).parity is Parity.EQUAL
    other = compared(printed("1\n2\n"), printed("1\n-2\n"))
    assert (other.parity, "line 2" in other.reason) == (Parity.DIFFERENT, True)
    longer = compared(printed("1\n"), printed("1\n2\n"))
    assert (longer.parity, "its length" in longer.reason) == (Parity.DIFFERENT, True)


def test_a_run_that_failed_is_not_compared() -> None:
    failed = printed("1\n", Status.ERROR)

    assert compared(failed, printed("1\n")).parity is Parity.NOT_COMPARED
    assert "guest's" in compared(printed("1\n"), failed).reason


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import numpy as np\nx = np.array([1])", [(2, "np.array(…)")]),
        ("np.arange(10).cumsum()", [(1, "np.arange(…)")]),
        ("np.zeros(3, int)", [(1, "zeros(…, int)")]),
        ("np.zeros(3, dtype=int)", [(1, "zeros(…, int)")]),
        ("df['a'].astype(int)", [(1, "astype(…, int)")]),
        ("np.intp(3)", [(1, "np.intp")]),
        ("numpy.prod([1, 2])", [(1, "np.prod(…)")]),
    ],
)
def test_code_that_makes_integers_of_the_platforms_width_is_named(code: str, found: list[tuple[int, str]]) -> None:
    assert [(hazard.line, hazard.found) for hazard in hazards(code)] == found


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('a')['b'].sum()",
        "np.array([1], dtype='int64')",
        "np.zeros(3)",
        "df['a'].astype('int64')",
        "array([1])",
        "sum([1, 2])",
        "(",
        "",
    ],
)
def test_code_that_is_safe_or_cannot_be_read_is_left_alone(code: str) -> None:
    assert hazards(code) == ()


def test_a_name_that_takes_the_parser_seconds_is_not_parsed() -> None:
    line = "x = np.array([1])\n"

    assert hazards(f"import {'a.' * 60_000}b\n{line}") == ()
    assert [hazard.line for hazard in hazards(f"import {'a.' * 200}b\n{line}")] == [2]
