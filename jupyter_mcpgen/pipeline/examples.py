"""Tries written code on small tables whose results somebody worked out without sight of the code."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.example import Example
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.draft import Draft
from jupyter_mcpgen.pipeline.generated import Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, frame_of, result_in, what_went_wrong
from jupyter_mcpgen.plan.schema import ColumnType

if TYPE_CHECKING:
    import pandas as pd

CHECK = "examples"
_TOLERANCE = 1e-4
"""How far a number may be from what was worked out by hand, as a share of it."""
_MOST_SHOWN = 160


def tried_on_examples(draft: Draft, tool: PlacedTool, material: Material, services: Services) -> tuple[Evidence, ...]:
    """Return how many of the examples of a draft its code agrees with; one that disagrees contradicts the code."""
    once = [example for place, example in enumerate(draft.examples) if example not in draft.examples[:place]]
    tables = [(example, given) for example in once if (given := tables_of(example, material)) is not None]
    if not tables:
        return ()
    try:
        tried = dict(_differences(tables, tool, services))
    except SandboxError as error:
        told = f"The examples could not be run: {error}"
        return (Evidence(check=CHECK, verdict=Verdict.NOT_RUN, sentence=told),)
    if not tried:
        return ()
    agree, number = list(tried.values()).count(None), len(tried)
    told = f"{agree} of {number} examples written apart from the code agree"
    first = next(((place, said) for place, said in tried.items() if said is not None), None)
    if first is None:
        return (Evidence(check=CHECK, verdict=Verdict.PASSED, sentence=f"{told}.", figure=agree, place=Place.LINE),)
    sentence = f"{told}. Example {first[0]}: {first[1]}."
    return (Evidence(check=CHECK, verdict=Verdict.FAILED, sentence=sentence, figure=agree),)


def _differences(
    tables: list[tuple[Example, Tables]], tool: PlacedTool, services: Services
) -> Iterator[tuple[int, str | None]]:
    """Yield the place of each example, and how the code's result differs from what was worked out, None if it agrees.

    One that any result would agree with is left out.
    """
    with TemporaryDirectory(prefix="examples-", dir=services.workspace) as place:
        calls = tuple(
            {**given.written(Path(place), str(number)), **example.arguments}
            for number, (example, given) in enumerate(tables)
        )
        run = call_all(services.sandbox, tool, calls, services.limits)
    answers = [*run.answers, *[None] * (len(calls) - len(run.answers))]
    for which, ((example, _), answer) in enumerate(zip(tables, answers, strict=True), 1):
        wrong = what_went_wrong(run, answer)
        if answer is None or wrong is not None:
            yield which, f"the code gave no result, {wrong}".rstrip(".")
            continue
        result = result_in(answer, services.limits)
        difference = _against(example, result, is_value=answer.has_value)
        if difference is not None or _is_held(example, result, is_value=answer.has_value):
            yield which, difference


def _is_held(example: Example, result: pd.DataFrame, *, is_value: bool) -> bool:
    """Tell whether another result could have differed from an example that a result agrees with."""
    is_one_cell = is_value and result.shape == (1, 1)
    if example.expected is not None or (example.rows is not None and not is_one_cell):
        return True
    bounds = [] if example.within is None else _bounds(example.within)
    return any(
        result[name].notna().any() and not (_is_endless(least) and _is_endless(most)) for name, least, most in bounds
    )


def _is_endless(bound: object) -> bool:
    return _is_number(bound) and math.isinf(float(str(bound)))


def _against(example: Example, result: pd.DataFrame, *, is_value: bool) -> str | None:
    """Return how a result differs from what an example says of it, None where it does not."""
    if example.rows is not None and len(result) != example.rows:
        return f"{len(result)} rows against {example.rows} that were worked out"
    outside = None if example.within is None else _outside(example.within, result)
    if outside is not None or example.expected is None:
        return outside
    expected = expected_of(example, is_value=is_value)
    if expected is None:
        return f"what was worked out cannot be read, {_bounded(example.expected)}"
    if is_same_by_hand(expected, result):
        return None
    return f"the code gives {_shown(result)}, worked out was {_shown(expected)}"


def expected_of(example: Example, *, is_value: bool) -> pd.DataFrame | None:
    """Return what an example says must come out, laid out as a table; None where it says nothing that can be read."""
    if example.expected is None:
        return None
    try:
        return frame_of(json.loads(example.expected)) if is_value else _read(example.expected)
    except (RecursionError, ValueError):
        return None


def _outside(within: str, result: pd.DataFrame) -> str | None:
    """Return which column does not lie between the values that an example gives for it."""
    try:
        bounds = _bounds(within)
    except (KeyError, ValueError):
        return f"what was worked out cannot be read, {_bounded(within)}"
    for name, least, most in bounds:
        if name not in result.columns:
            return f"the result has no column `{name}`"
        try:
            lies_between = bool(result[name].dropna().between(least, most).all())
        except TypeError:  # a text between numbers
            lies_between = False
        if not lies_between:
            return f"`{name}` does not lie between {least} and {most}"
    return None


def _bounds(within: str) -> list[tuple[Any, Any, Any]]:
    """Return the columns that an example bounds, with the least and the most; raises `KeyError` or `ValueError`."""
    return list(_read(within)[["column", "least", "most"]].itertuples(index=False, name=None))


def is_same_by_hand(expected: pd.DataFrame, result: pd.DataFrame) -> bool:
    """Tell whether two small tables hold the same rows in any order; numbers may differ by a small tolerance."""
    if expected.shape != result.shape or set(map(str, expected.columns)) != set(map(str, result.columns)):
        return False
    rows = expected[list(result.columns)].astype(object).to_numpy().tolist()
    for row in result.astype(object).to_numpy().tolist():
        place = next((p for p, other in enumerate(rows) if all(map(_equal, other, row))), None)
        if place is None:
            return False
        rows.pop(place)
    return True


def _equal(expected: object, found: object) -> bool:
    import pandas as pd  # deferred: 300 ms

    if _is_missing(expected) or _is_missing(found):
        return _is_missing(expected) and _is_missing(found)
    if _is_number(expected) and _is_number(found):
        one, other = float(str(expected)), float(str(found))
        if math.isinf(one) or math.isinf(other):
            return one == other
        return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other), _TOLERANCE)
    if isinstance(found, pd.Timestamp):
        return bool(pd.to_datetime(str(expected), errors="coerce") == found)
    return str(expected) == str(found)


def _is_missing(value: object) -> bool:
    import pandas as pd

    return value is None or value is pd.NA or value is pd.NaT or value != value  # NaN


def _is_number(value: object) -> bool:
    from pandas.api.types import is_bool, is_number

    return is_number(value) and not is_bool(value)


def tables_of(example: Example, material: Material) -> Tables | None:
    """Return the tables of an example as the person's are, or None for one that names other columns."""
    try:
        frame = _typed(_read(example.table), material.profile)
        other = None if material.other is None else _typed(_read(example.other or ""), material.other.profile)
    except (KeyError, OverflowError, TypeError, ValueError):
        return None
    return Tables(frame, other)


def _read(text: str) -> pd.DataFrame:
    """Return CSV as a table in which an empty field, and nothing else, is a missing value."""
    import pandas as pd

    return pd.read_csv(StringIO(text), keep_default_na=False, na_values=[""])


def _typed(frame: pd.DataFrame, profile: Profile) -> pd.DataFrame:
    """Return a table with the columns and types of a person's; a column that it lacks has no values."""
    import pandas as pd

    unknown = [name for name in frame.columns if name not in profile.schema_.names]
    if unknown:
        raise KeyError(unknown[0])
    columns: dict[str, pd.Series] = {}
    for field in profile.schema_.fields:
        values = frame[field.name] if field.name in frame.columns else pd.Series([None] * len(frame), dtype="object")
        match field.type:
            case ColumnType.DATE:
                columns[field.name] = pd.to_datetime(values)
            case ColumnType.INTEGER | ColumnType.REAL:
                columns[field.name] = pd.to_numeric(values)
            case ColumnType.TEXT:
                columns[field.name] = values.map(str, na_action="ignore").astype("str")
            case ColumnType.BOOLEAN:
                columns[field.name] = values.astype("boolean")
    return pd.DataFrame(columns)


def _shown(frame: pd.DataFrame) -> str:
    return _bounded(frame.to_csv(index=False).strip())


def _bounded(text: str) -> str:
    line = text.replace("\n", "; ")
    return f"`{line if len(line) <= _MOST_SHOWN else line[:_MOST_SHOWN] + '…'}`"
