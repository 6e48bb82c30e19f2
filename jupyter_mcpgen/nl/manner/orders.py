"""Takes the order that a question asks for out of it: "in descending order of depth", "sort the ports by depth"."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.manner.remainder import LONGEST_TARGET, Remainder
from jupyter_mcpgen.nl.manner.targets import axis_of, target_of
from jupyter_mcpgen.nl.manner.wishes import Wish
from jupyter_mcpgen.nl.text.tokens import TokenKind

MOST_CLAUSES = 4
"""How many orders are looked for, so that reading takes bounded time."""
BOUNDARIES = frozenset({",", ";", "please", "whose", "where", "and", "using", "with"})
"""Words that end what to order by."""

Clause = tuple[int, tuple[int, int], bool | None]
"""Where a clause ends, the words that say what to order by, and whether the largest come first (None: not said)."""
Direction = tuple[int, bool]
"""Where a direction ends, and whether the largest come first."""


def take_order(left: Remainder) -> Wish | None:
    """Take out the order that a question asks for, when all of the clause was understood."""
    tries = 0
    backwards = range(len(left.tokens) - 1, -1, -1)
    for at, led in ((at, led) for led in (True, False) for at in backwards):
        if tries >= MOST_CLAUSES or at >= len(left.tokens):
            return None
        for end, spans, descending in _order_clauses(left, at, led=led):
            tries += 1
            target = target_of(left, *spans)
            if target is not None:
                wish = Wish(target, descending, axis_of(left, *spans))
                at = _with_verb(left, at)
                sorting = _sorting(left, at)
                left.cut_clause(at, end)
                if sorting is not None:
                    left.cut(sorting, sorting + 1)
                return wish
    return None


def _with_verb(left: Remainder, at: int) -> int:
    """Return where an order begins, with the verb that stands before "in ascending order by …"."""
    verbs = left.words.lists["sort_verbs"] | left.words.lists["show_verbs"]
    for start in range(max(at - 3, 0), at):
        if left.tokens[start].lower in verbs and left.skip(start + 1, "objects") == at:
            return start
    return at


def _sorting(left: Remainder, at: int) -> int | None:
    """Return where the verb stands that an order a few words behind belongs to: "sort the ports by depth"."""
    for verb in range(at - 1, max(at - LONGEST_TARGET, 0) - 1, -1):
        if _is_boundary(left, verb):
            return None
        word = left.tokens[verb].lower
        noun = left.context.columns_with(left.context.plain(word)) or word in left.context.row_nouns
        if word in left.words.lists["sort_verbs_of_things"] and not noun and not _is_tail(left, verb):
            return verb
    return None


def _order_clauses(left: Remainder, at: int, *, led: bool) -> Iterator[Clause]:
    """Yield the clauses that may begin at a word: where they end, what they order by, in which direction."""
    verb = left.tokens[at].lower
    sorts, shows = verb in left.words.lists["sort_verbs"], verb in left.words.lists["show_verbs"]
    noun = left.is_named(at, at + 1) or left.context.plain(verb) in left.context.row_nouns
    if not led:
        yield from _clauses_without_verb(left, at)
    if not led or not (sorts or shows) or _is_tail(left, at):
        return
    start = left.skip(at + 1, "objects")
    direction = _direction(left, start)
    if direction is not None:
        yield from _directed(left, direction, alphabetical=_is_alphabetical(left, start, direction[0]))
    named = left.skip(start, "by")
    yield from _named_clauses(left, start, named, verbal=sorts and not noun, opens=shows and at == 0)


def _named_clauses(left: Remainder, start: int, named: int, *, verbal: bool, opens: bool = False) -> Iterator[Clause]:
    """Yield the clause that names what to order by; one that is not `verbal` has to say a direction."""
    for stop in range(named + 1, min(named + LONGEST_TARGET, len(left.tokens)) + 1):
        if stop < len(left.tokens) and (found := _direction(left, stop)) is not None:
            if named == start and left.skip(found[0], "of_what") > found[0]:
                return  # "list the ports in ascending order of their depth" orders by the depth
            if opens and found[0] < len(left.tokens) and _is_alphabetical(left, stop, found[0]):
                return  # "list the ports in alphabetical order and count them" asks for the ports, too
            yield _polite(left, found[0]), (named, stop), found[1]
            return
        if stop == len(left.tokens) or _is_boundary(left, stop):
            if verbal and named > start:  # in a table of orders, "order by" is seldom a verb
                yield _polite(left, stop), (named, stop), None
            return


def _clauses_without_verb(left: Remainder, at: int) -> Iterator[Clause]:
    """Yield "in descending order of the price", "in alphabetical order" and "the y axis from low to high"."""
    before = at > 0 and _direction(left, at - 1) is not None
    alphabetical = left.tokens[at].lower in left.words.lists["alphabetical"] and not before
    direction = _direction(left, at, bare=alphabetical)
    if direction is not None:
        yield from _directed(left, direction, alphabetical=_is_alphabetical(left, at, direction[0]))
        return
    named = left.skip(at, "of_what")
    if named > at and left.tokens[at].lower != "of" and _sorting(left, at) is not None:
        yield from _named_clauses(left, at, named, verbal=True)
    end = left.phrase(at, left.words.axes)
    behind = _direction(left, end) if end and left.words.axes[left.text(at, end)].said else None
    if behind is not None:
        yield _polite(left, behind[0]), (at, end), behind[1]


def _is_tail(left: Remainder, at: int) -> bool:
    """Tell whether "order" only ends a direction, as in "in descending order of"."""
    starts = range(max(at - 5, 0), at)
    return any((found := _direction(left, start)) is not None and found[0] == at + 1 for start in starts)


def _directed(left: Remainder, direction: Direction, *, alphabetical: bool) -> Iterator[Clause]:
    """Yield what a direction leads to, the longest first; an alphabetical one needs nothing behind it."""
    end, descending = direction
    named = left.skip(end, "by")
    if named == end:
        if alphabetical:
            yield _polite(left, end), (end, end), descending
        return
    for stop in range(min(named + LONGEST_TARGET, len(left.tokens)), named, -1):
        if not any(_is_boundary(left, inner) for inner in range(named, stop)):
            yield _polite(left, stop), (named, stop), descending


def _direction(left: Remainder, at: int, *, bare: bool = True) -> Direction | None:
    """Return where a direction ends that begins at a word; `bare` ones need no "in" or "from" before them."""
    start = left.past(left.words.lists["direction_leads"], at, len(left.tokens))
    if start == at and not bare:
        return None
    end = left.phrase(start, left.words.directions)
    if not end:
        return None
    descending = left.words.directions[left.text(start, end)]
    tail = end < len(left.tokens) and left.tokens[end].lower in left.words.lists["direction_tails"]
    return (end + 1 if tail else end), descending


def _is_alphabetical(left: Remainder, start: int, end: int) -> bool:
    phrases = left.words.lists["alphabetical"]
    return any(left.phrase(at, phrases) for at in range(start, end))


def _polite(left: Remainder, end: int) -> int:
    """Return where a clause ends with the "please" behind it."""
    return end + 1 if end < len(left.tokens) and left.tokens[end].lower == "please" else end


def _is_boundary(left: Remainder, at: int) -> bool:
    """Tell whether what to order by ends before a word: a quoted one goes on with it where it names a column."""
    token = left.tokens[at]
    quoted = token.kind is TokenKind.QUOTED and token.text not in left.context.column_words
    return quoted or token.lower in BOUNDARIES or token.kind is TokenKind.NUMBER
