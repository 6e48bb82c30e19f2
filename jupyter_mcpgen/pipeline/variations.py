"""What must not change when a table changes in a way that has no meaning; asked of code whose meaning nobody derived.

Rows in another order, a column that nobody named, every row twice: the first two must leave a result as it is, and the
third tells which figures add up (Chen et al., "Metamorphic testing", 2018).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.agreement import first_difference, same_rows
from jupyter_mcpgen.pipeline.generated import Tables, with_unused

if TYPE_CHECKING:
    import pandas as pd

SHUFFLED, WIDENED, DOUBLED = "shuffled_rows", "added_column", "doubled_rows"


def variations_of(tables: Tables) -> dict[str, Tables]:
    """Return the same tables with rows in another order, with one more column, and with every row twice."""
    import pandas as pd  # deferred: 300 ms

    frame = tables.frame
    return {
        SHUFFLED: Tables(frame.iloc[::-1].reset_index(drop=True), tables.other),
        WIDENED: Tables(with_unused(frame), tables.other),
        DOUBLED: Tables(pd.concat([frame, frame], ignore_index=True), tables.other),
    }


def relations_of(base: pd.DataFrame | None, varied: Mapping[str, pd.DataFrame | None]) -> Iterator[Evidence]:
    """Yield what the variations did to the result on the typical table; a run that failed says nothing."""
    if base is None:
        return
    shuffled, widened, doubled = (varied.get(name) for name in (SHUFFLED, WIDENED, DOUBLED))
    if shuffled is not None:
        depends = same_rows(base, shuffled, is_ordered=False) is not None
        said = "depends on the order of the rows" if depends else "is the same for rows in another order"
        yield _told(SHUFFLED, f"The result {said}.", is_news=depends)
    if widened is not None:
        depends = first_difference(base, widened) is not None
        said = "depends on every column of the table" if depends else "does not change with a column more"
        yield _told(WIDENED, f"The result {said}.", is_news=depends)
    if doubled is not None and len(doubled) == len(base) and list(doubled.columns) == list(base.columns):
        grown = [str(name) for name in base.columns if _is_twice(base[name], doubled[name])]
        if grown:
            yield _told(DOUBLED, f"With every row twice, {_named(grown)} doubled: it adds up.", is_news=False)


def _told(name: str, sentence: str, *, is_news: bool) -> Evidence:
    place = Place.NOTE if is_news else Place.FOLDED
    return Evidence(check=name, verdict=Verdict.PASSED, sentence=sentence, place=place)


def _is_twice(once: pd.Series, twice: pd.Series) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if not is_numeric_dtype(once) or not is_numeric_dtype(twice) or is_bool_dtype(once):
        return False
    expected = (once.astype("float64") * 2).to_frame("figure")
    found = twice.astype("float64").to_frame("figure")
    return bool((expected["figure"] != 0).any()) and first_difference(expected, found) is None


def _named(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)
