"""Decides to which column each value of a question belongs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.lookup import weights as w
from jupyter_mcpgen.nl.lookup.amounts import COMPARE, Bound
from jupyter_mcpgen.nl.lookup.names import EXACT, Name
from jupyter_mcpgen.nl.lookup.numbered import holds_time, is_in_time, is_sequence, numbers_rows
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.values import POSSIBLE, Cells, Mention
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.schema import ColumnType

DOUBTFUL = 0.8
"""Columns that are nearer than this are as likely."""
MAX_PROBES = 12
"""How many combinations are looked up in the rows."""
MAX_OPTIONS = 4
MAX_COMBINATIONS = 600
MAX_BETWEEN = 4


@dataclass(frozen=True)
class Bind:
    """One value read as a condition on one column."""

    mention: Mention
    cells: Cells
    bound: Bound | None
    name: Name | None
    worth: float
    near: bool = False
    """The column's name stands beside the value."""
    rivals: tuple[Bind, ...] = ()
    """The same value in other columns that are as likely, where no name in the question tells which of them."""
    doubtful: bool = False
    """The value is as likely one of another column, and nothing beside it tells which."""
    bare: bool = False
    """A limit that no name, unit or word for a time gives a column."""


@dataclass(frozen=True)
class Binding:
    """Every value with its column, and how likely that is."""

    binds: tuple[Bind, ...]
    unbound: tuple[Mention, ...]
    worth: float
    met: bool = True
    """Some row meets all of it, or it is not known."""


def bind(scene: Scene, table: Table, answer: str | None, reserved: frozenset[int]) -> Binding:
    """Return the best columns for all values, when the answer's name takes the reserved words."""
    options: list[list[Bind]] = []
    unbound: list[Mention] = []
    names = _names_beside(reserved, scene, table)
    for mention in scene.values:
        beside = answer if answer and stands_beside(mention, answer, reserved, scene, table) else None
        found = sorted(_options(mention, scene, table, answer, names, beside), key=lambda b: -b.worth)[:MAX_OPTIONS]
        near = [o for o in found if found[0].worth - o.worth < DOUBTFUL]
        if len(near) > 1 and (not near[0].near or _names_neither(near[0], near[1], scene, table)):
            likely = [o for o in near if _names_neither(near[0], o, scene, table)]
            found = [replace(o, doubtful=True, rivals=tuple(r for r in likely if r is not o)) for o in found]
        if found and found[0].bound is not None:  # "under 40 minutes", where two columns are in minutes
            alike = tuple(other for other in found[1:] if _are_named_alike(found[0], other, names))
            found[0] = replace(found[0], rivals=alike) if alike else found[0]
        if found:
            options.append(found)
        else:
            unbound.append(mention)
    while _combinations(options) > MAX_COMBINATIONS:
        max(options, key=len).pop()
    best, worth, met = _best(options, table)
    if not met:  # "who won the cup": a word that happens to be a value, too
        firm = [found for found in options if not _is_weak(found[0], scene)]
        if firm and len(firm) < len(options):
            fewer, less, met_now = _best(firm, table)
            if met_now:
                best, worth, met = fewer, less, True
    return Binding(_with_ranges(best, scene), tuple(unbound), worth + w.UNBOUND * len(unbound), met)


def _are_named_alike(first: Bind, second: Bind, names: tuple[Name, ...]) -> bool:
    """Tell whether the words that name one column for a limit name another as well, and nothing else names either."""
    said = [{name.words for name in names if name.column == one.cells.column} for one in (first, second)]
    return first.name is not None and not first.name.whole and said[0] == said[1]


def _names_neither(first: Bind, other: Bind, scene: Scene, table: Table) -> bool:
    """Tell whether the same words name two columns in part: "tested 4.2" of `Tested (dry)` and `Tested (wet)`."""
    if first.name is None or other.name is None:
        return first.name is None
    own, others = ({*table.names.headers[bind.cells.column].words} for bind in (first, other))
    said = any({singular(word.text), word.text} & (own - others) for word in scene.words)  # "did the Otters get 24"
    return first.name.words == other.name.words and not (first.name.whole or other.name.whole or said)


def _with_ranges(binds: tuple[Bind, ...], scene: Scene) -> tuple[Bind, ...]:
    """Return conditions with the end of each range named where its beginning is: "level between 5 and 10".

    A name that is said twice may be asked for as well, so it names the beginning only.
    """
    begun = {b.cells.column: b for b in binds if b.bound is not None and b.bound.op is CompareOp.GE and not b.bare}
    return tuple(replace(b, bare=False) if _ends(b, begun.get(b.cells.column), scene) else b for b in binds)


def _ends(last: Bind, first: Bind | None, scene: Scene) -> bool:
    """Tell whether a limit is the end of the range that another one begins."""
    if first is None or last.bound is None or last.bound.op is not CompareOp.LE:
        return False
    if first.name is None:
        return last.mention.start == first.mention.end + 1  # "between 1972 and 1975"
    return sum(word.text == scene.words[first.name.start].text for word in scene.words) == 1


def stands_beside(mention: Mention, answer: str, reserved: frozenset[int], scene: Scene, table: Table) -> bool:
    """Tell whether a number or year stands right behind the answer's name, and that column has it, too."""
    before = [i for i in reserved if i < mention.start]
    held = any(cells.column == answer and cells.fit > POSSIBLE for cells in mention.cells)
    if not before or not held or not all(scene.words[i].has_digit for i in range(mention.start, mention.end)):
        return False
    between = [scene.words[i].text for i in range(max(before) + 1, mention.start)]
    return len(between) <= 1 and all(word in table.vocabulary.links for word in between)


def _names_beside(reserved: frozenset[int], scene: Scene, table: Table) -> tuple[Name, ...]:
    """Return the names that the answer leaves; of one that shares a word with it, what stands beside it."""
    free = tuple(name for name in scene.names if not reserved & set(name.words))
    cut = {name.column for name in scene.names} - {name.column for name in free}
    if not any(set(name.words) - reserved for name in scene.names if name.column in cut):
        return free
    taken = {i for value in scene.values for i in range(value.start, value.end)}
    again = table.names.find(scene.words, taken | reserved)
    return (*free, *(name for name in again if name.column in cut))


def _is_weak(option: Bind, scene: Scene) -> bool:
    span = scene.words[option.mention.start : option.mention.end]
    return len(span) == 1 and span[0].written.islower() and not span[0].quoted and not option.near


def _best(options: list[list[Bind]], table: Table) -> tuple[tuple[Bind, ...], float, bool]:
    """Return the likeliest columns together, and sooner those for which there is a row."""
    ranked = sorted(((_together(binds), binds) for binds in product(*options)), key=lambda pair: -pair[0])
    best, worth = ranked[0][1], ranked[0][0] + w.NO_ROW
    for total, binds in ranked[:MAX_PROBES]:
        if total <= worth:
            break
        if table.rows.meets(conditions_of(binds, table)):
            return binds, total, True
    return best, worth, False


def conditions_of(binds: tuple[Bind, ...], table: Table) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what the rows must have for all values, as the rows of the profile are asked."""
    return tuple((b.cells.column, _letters(b, table)) for b in binds)


def _letters(b: Bind, table: Table) -> frozenset[str]:
    if b.bound is None or b.mention.number is None:
        return table.rows.letters(b.cells.column, b.cells.values)
    limit = (b.cells.column, b.bound.op, b.mention.number)
    return table.rows.beyond(limit, partial(_letters_beyond, *limit, table))


def _letters_beyond(column: str, op: CompareOp, limit: float, table: Table) -> frozenset[str]:
    holds, figures = COMPARE[op], table.figures(column)
    if figures:
        return table.rows.letters(column, (text for text, number in figures.items() if holds(number, limit)))
    known = table.rows.letters(column, (number for number in table.rows.numbers(column) if holds(number, limit)))
    return known | table.rows.unknown(column)


def _combinations(options: list[list[Bind]]) -> int:
    total = 1
    for found in options:
        total *= len(found)
    return total


def _together(binds: tuple[Bind, ...]) -> float:
    total = sum(b.worth for b in binds)
    equal = [b.cells.column for b in binds if b.bound is None]
    total += w.SAME_COLUMN_TWICE * (len(equal) - len(set(equal)))
    names = [(b.name.start, b.name.end) for b in binds if b.name is not None]
    return total + w.SAME_NAME_TWICE * (len(names) - len(set(names)))


def _options(
    mention: Mention, scene: Scene, table: Table, answer: str | None, names: tuple[Name, ...], beside: str | None
) -> Iterator[Bind]:
    bound = scene.bound_of(mention)
    columns = {cells.column: cells for cells in mention.cells}
    if bound is not None and mention.number is not None:
        columns = {
            name: columns.get(name) or Cells(name, (mention.number,), POSSIBLE)
            for name in table.profile.schema_.names
            if (table.context.is_number(name) or table.figures(name))
            and (name not in flags_of(table.profile, table.language) or _is_limited(name, bound, names))
        }
    for place, (column, cells) in enumerate(columns.items()):
        near, name = max(
            ((_nearness(name, mention, bound, scene, table), name) for name in names if name.column == column),
            key=lambda pair: pair[0],
            default=(0.0, None),
        )
        named = name is not None and (name.whole or name.start != mention.end)
        in_time = bound is not None and is_in_time(bound, scene, table)
        if in_time and not named and not (holds_time(column, table) or is_sequence(column, table)):
            continue  # no crowd is "later than 2"
        numbered = table.context.is_code(column) or numbers_rows(column, table)
        if bound is not None and not named and numbered and not (in_time and is_sequence(column, table)):
            continue  # "more than 5 orders" counts them, whatever numbers they have
        if bound is not None and name is not None and name.start == mention.end and numbers_rows(column, table):
            continue  # "more than 15 games" is no game of a number above 15
        if bound is None and not named and _is_a_year(mention, table) and _is_no_year(column, mention, scene, table):
            continue  # "in 2023" is no account of that number
        worth = near + w.FIT * cells.fit + w.EARLIER_COLUMN * place
        if column == answer:
            worth += w.ALSO_CONDITION if bound is None else w.ALSO_CONDITION / 4
        worth += _preposition(mention, column, scene, table) + _role(mention, column, scene, table)
        if {answer, column} == table.names.sides and any(
            word.text in table.vocabulary.opponents for word in scene.words
        ):
            worth += w.FITS_ROLE  # the opponent of somebody is the other of the two
        if name is None and beside is not None and column != beside:
            worth += w.BESIDE_ANSWER
        if name is None and cells.fit <= POSSIBLE and mention.number is not None:
            worth -= 1.0
        if near < 1.0 and bound is not None and mention.number is not None and not table.spans(column, mention.number):
            worth += w.OUT_OF_RANGE
        bare = bound is not None and near <= 1.0 and not _names_limit(name, mention, bound, column, scene, table)
        yield Bind(mention, cells, bound, name, worth, near > 1.0, bare=bare)


def _is_limited(column: str, bound: Bound, names: tuple[Name, ...]) -> bool:
    """Tell whether a column's whole name leads to a limit: "defects more than 0" counts, though they are 0 or 1."""
    return bool(bound.words) and any(n.column == column and n.whole and n.end == min(bound.words) for n in names)


def _names_limit(name: Name | None, mention: Mention, bound: Bound, column: str, scene: Scene, table: Table) -> bool:
    """Tell whether something says what a limit is of: a name elsewhere, the unit, "before" of a time."""
    if name is not None and (name.whole or _follows_alone(name, mention, scene, table)):
        return True
    if mention.number is not None and mention.number % 1 and table.only_fractions == column:
        return table.spans(column, mention.number)  # nothing else has "less than 71.5", and no rows are so many
    if holds_time(column, table) and any(scene.words[i].text in table.vocabulary.limits.times for i in bound.words):
        return True
    known = table.context.column(column)
    unit = known.unit
    before = scene.words[mention.start - 1].text if mention.start else ""
    if unit is not None and known.kind is Kind.MONEY and before in table.vocabulary.limits.money:
        return True  # "at least £100"
    after = scene.words[mention.end].text if mention.end < len(scene.words) else ""
    if unit is None or not after or table.context.plain(after) not in {table.context.plain(unit), unit}:
        return False
    alike = [one.name for one in table.profile.columns if one.unit == unit and table.context.is_number(one.name)]
    return name is not None or alike == [column]  # "under 40 minutes" of two columns in minutes is of neither


def _follows_alone(name: Name, mention: Mention, scene: Scene, table: Table) -> bool:
    """Tell whether words of no other column go on a limit: "greater than 74 in the series" of `No. in series`."""
    between = [scene.words[i].text for i in range(mention.end, name.start)]
    follows = name.start >= mention.end and all(word in table.vocabulary.links_after for word in between)
    named = {known for i in name.words for known, _ in table.names.matches(scene.words[i].text)}
    return follows and len(between) <= MAX_BETWEEN // 2 and named == {name.column}


def _role(mention: Mention, column: str, scene: Scene, table: Table) -> float:
    """Return what "from" and "to" before a value say for the two columns of where a row begins and ends."""
    before = scene.words[mention.start - 1].text if mention.start else ""
    return sum(
        w.FITS_ROLE
        for begins, ends in table.ends
        if (column == begins and before in table.vocabulary.limits.from_)
        or (column == ends and before in table.vocabulary.limits.to)
    )


def _is_a_year(mention: Mention, table: Table) -> bool:
    """Tell whether a number may be the year of one of the table's dates, however these are written."""
    dated = any(way.type is ColumnType.DATE for column in table.profile.columns for way in column.written)
    return mention.number in YEARS and (dated or bool(table.context.dates))


def _is_no_year(column: str, mention: Mention, scene: Scene, table: Table) -> bool:
    """Tell whether a year is no number of a column: not one of a code, nor, behind "in", one of clicks."""
    before = scene.words[mention.start - 1].text if mention.start else ""
    of_time = before in table.vocabulary.after.get("time", ())
    return table.context.is_code(column) or (of_time and not holds_time(column, table))


def _preposition(mention: Mention, column: str, scene: Scene, table: Table) -> float:
    if mention.start == 0:
        return 0.0
    before = scene.words[mention.start - 1].text
    kinds = {kind for kind, words in table.vocabulary.after.items() if before in words}
    return w.FITS_PREPOSITION if kinds & table.kinds[column] else 0.0


def _nearness(name: Name, mention: Mention, bound: Bound | None, scene: Scene, table: Table) -> float:
    """Return how much a name says about a value, by what stands between the two."""
    consumed = set(bound.words) if bound else set()
    if name.end <= mention.start:
        gone_on = _goes_on(name, mention, scene, table)
        between = [scene.words[i].text for i in range(name.end + gone_on, mention.start) if i not in consumed]
        if _leads_elsewhere(between, name, mention, table):
            return name.strength * w.NAME_ELSEWHERE
        if len(between) <= MAX_BETWEEN and all(word in table.vocabulary.links for word in between):
            direct = all(word in table.vocabulary.questions.direct for word in between)
            worth = w.NAME_BEFORE if direct else w.NAME_BEFORE_LOOSELY
            if bound is not None and _parts(scene, name.end, mention.start):
                worth = w.NAME_ELSEWHERE  # "less than 4 for width, less than 9 for height"
            return name.strength * worth - w.PER_WORD * (len(between) + 2 * gone_on)
    elif name.start >= mention.end:
        between = [scene.words[i].text for i in range(mention.end, name.start) if i not in consumed]
        if len(between) == 1 and _goes_on_elsewhere(between[0], name, scene):
            return name.strength * w.NAME_AFTER_LOOSELY
        if len(between) <= 2 and all(word in table.vocabulary.links_after for word in between):
            direct = not between or between[0] in table.vocabulary.questions.as_
            worth = w.NAME_AFTER if direct else w.NAME_AFTER_LOOSELY
            return name.strength * worth - w.PER_WORD * len(between)
    distance = max(name.start - mention.end, mention.start - name.end, 0)
    return max(name.strength * w.NAME_ELSEWHERE - 0.02 * distance, 0.0)


def _leads_elsewhere(between: list[str], name: Name, mention: Mention, table: Table) -> bool:
    """Tell whether "in" leads from a thing to the place where it is: "the bridge in Lowmill" is not called so."""
    if len(between) != 1 or between[0] not in table.vocabulary.after["place"] or "place" in table.kinds[name.column]:
        return False
    return any("place" in table.kinds[cells.column] for cells in mention.cells)


def _goes_on(name: Name, mention: Mention, scene: Scene, table: Table) -> bool:
    """Tell whether a plural that nothing else knows goes on a name before its value: "gold medals 0" of `Gold`."""
    if name.end >= mention.start or scene.words[name.end].quoted:
        return False
    word = scene.words[name.end].text
    if goes_on_as_cells(name.end, table, scene) or leads_to_figure(name.end, name, mention, scene, table):
        return True
    return singular(word) != word and not (table.knows(word) or any(letter.isdigit() for letter in word))


def _goes_on_elsewhere(noun: str, name: Name, scene: Scene) -> bool:
    """Tell whether a plural goes on the name of another column, too: "gold medals …, and 13 medals total"."""
    ends = {other.end for other in scene.names if other.column != name.column and other.whole}
    return singular(noun) != noun and any(i in ends and word.text == noun for i, word in enumerate(scene.words))


def goes_on_as_cells(position: int, table: Table, scene: Scene) -> bool:
    """Tell whether a noun for any figure, such as "score", is in no header: "a finals score of 12" of `Finals`."""
    word = scene.words[position].text
    return singular(word) in table.vocabulary.unread.cells and not table.names.matches(word)


def leads_to_figure(position: int, name: Name, mention: Mention, scene: Scene, table: Table) -> bool:
    """Tell whether a noun stands between a column and one of its texts with a figure: "a 6th ratio of 0.50:1".

    It does not where the noun is called like another column that has the same text.
    """
    word, own = scene.words[position].text, table.vocabulary
    held = any(cells.column == name.column and cells.fit > POSSIBLE for cells in mention.cells)
    figure = mention.number is None and any(scene.words[i].has_digit for i in range(mention.start, mention.end))
    if position != name.end or not (held and figure and name.whole):
        return False
    if word in own.light or word in own.restricting - own.measures or not word.isalpha():
        return False
    between = [scene.words[i].text for i in range(position + 1, mention.start)]
    named = {column for (column, _), sure in table.names.matches(word).items() if sure == EXACT}
    holding = {cells.column for cells in mention.cells} - {name.column}
    return bool(between) and all(w in own.questions.direct for w in between) and not named & holding


def _parts(scene: Scene, end: int, start: int) -> bool:
    """Tell whether a comma stands between two places of a question."""
    gap = scene.question[scene.words[end - 1].end : scene.words[start].start]
    return "," in gap or ";" in gap
