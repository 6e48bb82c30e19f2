"""Which rows of a text name the columns of a table: words where the columns hold numbers, dates or codes.

Years, days and numbers in their order are names too, and labels above names belong to them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from jupyter_mcpgen.toolkit.cell_kinds import CellKind, ColumnKind, kind_of_cell, kinds_of_columns
from jupyter_mcpgen.toolkit.text_rows import Row, is_behind_gap

_MOST_HEADER_ROWS = 4
_ROWS_COMPARED = 100
MOST_ABOVE = 20


def names_of_a_table(rows: Sequence[Row], begin: int) -> Row | None:
    """Return the first row, behind a gap where it is not the first one, that names the columns of rows below it."""
    for place in range(begin, len(rows) - 1):
        row, width = rows[place], len(rows[place].filled)
        is_first = begin == 0 or is_behind_gap(rows, place)
        is_titled = place > 1 and len(rows[place - 1].filled) == 1 and is_behind_gap(rows, place - 1)
        if not (is_first or is_titled) or width < 2 or not row.fits(width) or not _is_whole(row.cells[:width]):
            continue
        below = _first_that_fit(rows[place + 1 : place + MOST_ABOVE], width)
        kinds = kinds_of_columns([one.cells for one in below], width)
        typed = [at for at, kind in enumerate(kinds) if kind.is_typed]
        are_pairs = begin == 0 and width == 2 and 0 not in typed
        if typed and not are_pairs and not row.is_comment and _is_of_words(row, kinds, typed):
            return row
        if begin == 0 and width > 2 and len(below) > 1 and not below[0].is_title(width):
            return row
    return None


def _first_that_fit(rows: Sequence[Row], width: int) -> list[Row]:
    """Return the rows before the first one of another width."""
    return [*itertools.takewhile(lambda row: row.fits(width), rows)]


def header_in(run: Sequence[Row], kinds: Sequence[ColumnKind]) -> tuple[int, int]:
    """Return the place of the first row of names in a run, and how many rows of them there are.

    Names are words where the columns below hold numbers, dates or codes; of a table of words the first row is taken.
    """
    typed = [place for place, kind in enumerate(kinds) if kind.is_typed]
    above = _titles(run, kinds, typed)
    begin, count = _names_in(run[above:], kinds, typed) if typed else (0, 1)
    return above + begin, count


def _titles(run: Sequence[Row], kinds: Sequence[ColumnKind], typed: Sequence[int]) -> int:
    """Return how many rows stand above the first one, if that names all columns."""
    width = len(kinds)
    place = next((at for at, row in enumerate(run[:MOST_ABOVE]) if not row.is_title(width)), 0)
    if place and is_behind_gap(run, place):
        return place
    is_named = (
        not typed or _is_of_words(run[place], kinds, typed) or (len(typed) > 2 and _may_name(run[place:], kinds, typed))
    )
    return place if is_named and _is_whole(run[place].cells[:width]) else 0


def _names_in(run: Sequence[Row], kinds: Sequence[ColumnKind], typed: Sequence[int]) -> tuple[int, int]:
    """Return what `header_in` does, for rows with columns that do not hold words."""
    named = [_is_of_words(row, kinds, typed) for row in run[:MOST_ABOVE]]
    first = _first_of_words(run, named, kinds, typed)
    if first is None:
        return 0, int(_may_name(run, kinds, typed))
    begin, end = first, first + 1
    while begin > 0 and _is_of_groups(run[begin - 1], typed):
        begin -= 1
    while len(typed) > 1 and end - first < _MOST_HEADER_ROWS and end < len(run) - 1:
        if not _is_below_names(run[end], kinds, typed):
            break
        end += 1
    whole = next((place for place in range(begin, end) if _is_whole(run[place].cells)), begin)
    return whole, end - whole


def _is_of_words(row: Row, kinds: Sequence[ColumnKind], typed: Sequence[int]) -> bool:
    """Tell whether a row has words, and nothing else, in most columns that hold none."""
    there = [place for place in typed if row.cells[place].strip()]
    return len(there) * 2 >= len(typed) and all(kinds[place].is_unlike(row.cells[place]) for place in there)


def _is_below_names(row: Row, kinds: Sequence[ColumnKind], typed: Sequence[int]) -> bool:
    """Tell whether a row below names says more of them, such as units, and is no row with one word for nothing."""
    words = [place for place in typed if row.cells[place].strip()]
    if not words or len(row.filled) < 2 or not all(kinds[place].is_unlike(row.cells[place]) for place in words):
        return False
    are_words_apart = all(
        not cell.strip() for cell, kind in zip(row.cells, kinds, strict=False) if kind.kind is CellKind.TEXT
    )
    is_apart = are_words_apart or not row.cells[0].strip()
    return is_apart or len({row.cells[place] for place in words}) > 1 or len({*row.filled}) == 1


def _first_of_words(
    run: Sequence[Row], named: Sequence[bool], kinds: Sequence[ColumnKind], typed: Sequence[int]
) -> int | None:
    """Return the place of the first row of words; below other rows only where that can be no row of the table."""
    places = [place for place, is_named in enumerate(named) if is_named]
    for place in places[1:] if len(kinds) == 2 else ():
        between = run[places[0] + 1 : place]
        alike = sum(
            any(kind_of_cell(row.cells[at]) in (kinds[at].kind, CellKind.BLANK) for at in typed) for row in between
        )
        if is_behind_gap(run, place) and alike * 2 <= len(between):
            return place
    for place in places:
        above = run[:place]
        if all(_is_of_groups(row, typed) or len(row.filled) < 2 for row in above):
            return place
        if len(typed) > 1 and place < len(run) / 2:
            return place
        if run[place].first > run[place - 1].last + 1:
            return place
    return None


def _is_of_groups(row: Row, typed: Sequence[int]) -> bool:
    """Tell whether a row may name groups of columns: it has words, and gaps above some columns."""
    is_title = len(row.filled) == 1 and bool(row.cells[0].strip())
    return bool(row.filled) and not is_title and any(not row.cells[place].strip() for place in typed)


def _may_name(run: Sequence[Row], kinds: Sequence[ColumnKind], typed: Sequence[int]) -> bool:
    """Tell whether the first row names the columns although some names look like values: years, days or numbers."""
    there = [place for place in typed if run[0].cells[place].strip()]
    unlike = [place for place in there if kinds[place].is_unlike(run[0].cells[place])]
    if not there or len(unlike) * 2 > len(there):
        return bool(run[0].filled)
    others = [place for place in there if place not in unlike]
    if any(kinds[place].kind is not CellKind.NUMBER for place in others):
        return False
    between = range(others[0], others[-1] + 1) if all(run[0].cells[others[0] : others[-1] + 1]) else others
    columns = [[row.cells[place].strip() for row in run[: _ROWS_COMPARED + 1]] for place in between]
    return _is_sequence([column[0] for column in columns]) and not any(
        map(_is_sequence, {*zip(*columns, strict=True)} - {tuple(column[0] for column in columns)})
    )


def _is_sequence(cells: Sequence[str]) -> bool:
    """Tell whether cells are different days, or years or numbers in their order."""
    if all(kind_of_cell(cell) is CellKind.DATE for cell in cells):
        return len(set(cells)) == len(cells)
    if not all(re.fullmatch(r"[0-9]{1,4}", cell) for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    steps = {after - before for before, after in itertools.pairwise(numbers)}
    are_years = all(1800 <= number <= 2200 for number in numbers)
    is_counted = numbers[0] == 0 or (steps == {1} and numbers[0] == 1)
    return (steps <= {1} and is_counted) or (len(steps) <= 1 and steps != {0} and are_years)


def _is_whole(names: Sequence[str]) -> bool:
    """Tell whether names are one for each column, all different."""
    return all(names) and len({*names}) == len(names)


def joined_names(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return one name for each column: a row that names them all alone, or what stands above each other."""
    cut = [[cell.strip() for cell in row[:width]] for row in rows]
    whole = next(filter(_is_whole, cut), None)
    if whole is not None or len(cut) < 2:
        return whole or (cut[0] if cut else [""] * width)
    spread = [_spread_out(row) for row in cut[:-1]] + cut[-1:]
    return [" ".join(dict.fromkeys(part for part in parts if part)) for parts in zip(*spread, strict=True)]


def _spread_out(row: Sequence[str]) -> list[str]:
    """Return a row of labels with each written over all columns that it is meant for."""
    spread = [""]
    for cell in row:
        spread.append(cell or spread[-1])
    return spread[1:]
