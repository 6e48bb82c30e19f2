"""Reads a SELECT clause by clause, in the order in which SQL computes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.from_sql.aggregates import Measured, aggregates_in
from jupyter_mcpgen.plan.from_sql.expressions import Expressions
from jupyter_mcpgen.plan.from_sql.granted import Tables
from jupyter_mcpgen.plan.from_sql.lists import Item, listed_items
from jupyter_mcpgen.plan.from_sql.nodes import bare, conjuncts, integer, only, quoted
from jupyter_mcpgen.plan.from_sql.orders import read_keys
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation
from jupyter_mcpgen.plan.from_sql.sources import Sources
from jupyter_mcpgen.plan.from_sql.subqueries import figure_beside
from jupyter_mcpgen.plan.from_sql.symbols import Numbered, Symbol, settle
from jupyter_mcpgen.plan.from_sql.unions import stacked
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import FIGURES, Distinct, Window

_CLAUSES = (
    *("expressions", "from_", "joins", "where", "group", "having", "qualify", "order", "limit", "distinct", "with_"),
    *("windows", "offset"),
)
_LIMITS: dict[type[exp.Expr], int] = {exp.LTE: 0, exp.LT: -1, exp.EQ: 0}


class Selects:
    """Reads the queries of one statement over the granted tables."""

    def __init__(self, tables: Tables) -> None:
        self._sources = Sources(tables, self.read)

    def read(self, node: exp.Expr, known: Mapping[str, Relation]) -> Relation:
        """Read a query; `known` are the CTEs that it may name. Raises `CannotHold`."""
        match node:
            case exp.Subquery():
                only(node, "this")
                return self.read(node.this, known)
            case exp.Select():
                return self._select(node, self._with_ctes(node, known))
            case exp.Union():
                return self._union(node, self._with_ctes(node, known))
            case _:
                raise CannotHold(f"A plan has no set operation like {quoted(node)}.")

    def _with_ctes(self, node: exp.Expr, known: Mapping[str, Relation]) -> Mapping[str, Relation]:
        clause = node.args.get("with_")
        if clause is None:
            return known
        only(clause, "expressions")
        found = dict(known)
        for cte in clause.expressions:
            only(cte, "this", "alias")
            relation = self.read(cte.this, found)
            names = [each.name for each in cte.args["alias"].args.get("columns") or ()]
            columns = tuple(
                (names[at] if at < len(names) else name, symbol) for at, (name, symbol) in enumerate(relation.columns)
            )
            found[cte.alias.casefold()] = Relation(relation.rows, columns, relation.is_ordered)
        return found

    def _union(self, node: exp.Union, known: Mapping[str, Relation]) -> Relation:
        only(node, "this", "expression", "distinct", "by_name", "order", "limit", "with_", "offset")
        sides = [self.read(side, known) for side in (node.this, node.expression)]
        relation = stacked(sides[0], sides[1], by_name=bool(node.args.get("by_name")))
        if node.args.get("distinct"):
            relation = _distinct(relation)
        return self._ordered(node, relation, None)

    def _select(self, node: exp.Select, known: Mapping[str, Relation]) -> Relation:
        only(node, *_CLAUSES)
        where = [] if node.args.get("where") is None else list(conjuncts(node.args["where"].this))
        rows, scope, is_ordered = self._sources.read(node, known, where)
        named = {each.name.casefold(): each for each in node.args.get("windows") or ()}

        def subquery(query: exp.Expr, beside: Rows) -> Symbol:
            inner = self.read(query.this if isinstance(query, exp.Subquery) else query, known)
            if len(inner.columns) != 1:
                raise CannotHold("A subquery for one value gives several columns.")
            return figure_beside(inner.columns[0][1], inner, beside)

        expressions = Expressions(rows, scope, subquery, named)
        items = list(listed_items(node, expressions.scope))
        scope.aliases = {n.casefold(): i for n, i in items if isinstance(i, exp.Expr)}
        self._keep(where, expressions)
        if node.args.get("group") is not None or any(
            True for each in _after_grouping(node) for _ in aggregates_in(each)
        ):
            self._group(node, items, expressions)
            is_ordered = False
        elif node.args.get("having") is not None:
            raise CannotHold("HAVING without groups.")
        having, qualify = node.args.get("having"), node.args.get("qualify")
        self._keep([] if having is None else list(conjuncts(having.this)), expressions)
        columns = tuple((name, i if not isinstance(i, exp.Expr) else expressions.read(i)) for name, i in items)
        self._keep([] if qualify is None else list(conjuncts(qualify.this)), expressions)
        relation = Relation(rows, columns, is_ordered)
        if node.args.get("distinct") is not None:
            relation = self._distinct_on(node, relation, expressions) or _distinct(relation)
        return self._ordered(node, relation, expressions)

    def _keep(self, conditions: list[exp.Expr], expressions: Expressions) -> None:
        """Keep the rows that meet conditions; the first rows of an order come before all others."""
        rest = []
        for node in conditions:
            limit = _limit(node, expressions)
            if limit is None:
                rest.append(node)
            else:
                expressions.rows.top(limit[0].by, limit[0].keys, limit[1])
        rest.sort(key=lambda each: each.find(exp.Select) is not None)  # figures of all the rows come last
        for node in rest:
            holds = expressions.condition(node)
            if holds is False:
                raise CannotHold(f"{quoted(node)} never holds.")
            if holds is not True:
                expressions.rows.filter(holds)

    def _group(self, node: exp.Select, items: list[Item], expressions: Expressions) -> None:
        rows, scope = expressions.rows, expressions.scope
        keys = list(self._keys(node, items, expressions))
        written = [(scope.signature(key), rows.column(expressions.value(key))) for key in keys]
        by = tuple(dict.fromkeys(column for _, column in written))
        measured = Measured(rows, grouped=bool(by))
        found: dict[str, Symbol] = {signature: Col(name=column) for signature, column in written}
        for clause in _after_grouping(node):
            for aggregate in aggregates_in(clause):
                signature = scope.signature(aggregate)
                if signature not in found:
                    found[signature] = measured.read(aggregate, expressions.read)
        if measured.measures:
            if measured.keeps_place:
                raise CannotHold("The place of the first row of each group is asked for beside other figures.")
            rows.aggregate(by, measured.measures, needs_order=measured.needs_order)
        else:
            rows.distinct(by, keeps_order=measured.keeps_place)
        found = {s: _renumbered(symbol, rows) for s, symbol in found.items()}
        scope.grouped = found

    def _keys(self, node: exp.Select, items: list[Item], expressions: Expressions) -> Iterator[exp.Expr]:
        group = node.args.get("group")
        if group is None:
            return
        only(group, "expressions", "all")
        nodes = [item for _, item in items if isinstance(item, exp.Expr)]
        if group.args.get("all"):
            yield from (each for each in nodes if not any(True for _ in aggregates_in(each)) and not _is_constant(each))
        for each in group.expressions:
            place = integer(each)
            if place is not None:
                if not 0 < place <= len(nodes):
                    raise CannotHold(f"GROUP BY {place} names no column of the list.")
                yield nodes[place - 1]
                continue
            inner = bare(each)
            alias = expressions.scope.aliases.get(inner.name.casefold()) if isinstance(inner, exp.Column) else None
            if isinstance(inner, exp.Column) and expressions.scope.find(inner) is None and alias is not None:
                yield alias
            else:
                yield inner

    def _distinct_on(self, node: exp.Select, relation: Relation, expressions: Expressions) -> Relation | None:
        """Read DISTINCT ON as the first row of each group in the order of the rest of ORDER BY."""
        on = node.args["distinct"].args.get("on")
        if on is None:
            return None
        rows, order = relation.rows, node.args.get("order")
        by = tuple(rows.column(expressions.value(each)) for each in on.expressions)
        keys = () if order is None else read_keys(order.expressions, expressions.read, rows)
        own = tuple(key for key in keys if key.column not in by)
        if {key.column for key in keys[: len(by)]} != set(by) or not own:
            raise CannotHold("DISTINCT ON without an ORDER BY of its columns and another takes any row of each group.")
        rows.top(by, own, 1)
        return relation

    def _ordered(self, node: exp.Expr, relation: Relation, expressions: Expressions | None) -> Relation:
        """Read ORDER BY and LIMIT."""
        rows, order, limit = relation.rows, node.args.get("order"), node.args.get("limit")
        if node.args.get("offset") is not None:
            raise CannotHold("OFFSET leaves out the first rows, and a plan keeps the first ones.")
        if order is not None:
            only(order, "expressions")
            relation.keys = read_keys(_listed(order, relation), lambda each: _output(each, relation, expressions), rows)
            rows.sort(relation.keys)
            relation.is_ordered = True
        if limit is not None:
            only(limit, "expression")
            count = integer(limit.args.get("expression"))
            if not count:
                raise CannotHold(f"{quoted(limit)} is no number of rows above zero that is written out.")
            made = any(isinstance(step, (*FIGURES, Distinct, Window)) for step in rows.steps)
            if (made or rows.second is not None) and not relation.is_ordered:
                raise CannotHold(
                    "LIMIT without ORDER BY keeps any of the rows, unless they are a table's as they stand."
                )
            rows.limit(count)
        return relation


def _is_constant(node: exp.Expr) -> bool:
    return node.find(exp.Column) is None


def _after_grouping(node: exp.Select) -> Iterator[exp.Expr]:
    """Yield what is computed of groups."""
    yield from node.expressions
    for name in ("having", "qualify", "order"):
        clause = node.args.get(name)
        if clause is not None:
            yield clause
    yield from node.args.get("windows") or ()


def _renumbered(symbol: Symbol, rows: Rows) -> Symbol:
    if isinstance(symbol, Numbered):
        return Numbered((), rows.order, rows.version)
    return symbol


def _limit(node: exp.Expr, expressions: Expressions) -> tuple[Numbered, int] | None:
    """Read `row_number <= 3` as the first rows of an order."""
    node = bare(node)
    if isinstance(node, exp.Between):
        low, high = integer(node.args["low"]), integer(node.args["high"])
        count = high if low == 1 else None
    elif type(node) in _LIMITS:
        count = integer(node.expression)
        count = None if count is None else count + _LIMITS[type(node)]
        count = None if isinstance(node, exp.EQ) and count != 1 else count
    else:
        return None
    inner = bare(node.this)
    if not count or not isinstance(inner, exp.Column | exp.Window):
        return None
    if isinstance(inner, exp.Window) and not isinstance(inner.this, exp.RowNumber):
        return None
    symbol = expressions.read(inner)
    if not isinstance(symbol, Numbered):
        return None
    if symbol.version != expressions.rows.version or symbol.side:
        raise CannotHold("Rows are numbered before some of them are left out, and the number is used after it.")
    return symbol, count


def _distinct(relation: Relation) -> Relation:
    rows = relation.rows
    shown = [(name, rows.column(settle(symbol, rows))) for name, symbol in relation.columns]
    rows.distinct(tuple(dict.fromkeys(column for _, column in shown)), keeps_order=False)
    return Relation(rows, tuple((name, Col(name=column)) for name, column in shown))


def _listed(order: exp.Order, relation: Relation) -> list[exp.Expr]:
    """Return what is ordered by; ALL stands for every column of the list."""
    first = order.expressions[0]
    names_all = isinstance(first.this, exp.Var | exp.Column) and first.this.name.casefold() == "all"
    is_column = any(name.casefold() == "all" for name, _ in relation.columns)
    if not names_all or is_column or len(order.expressions) > 1:
        return list(order.expressions)
    places = (exp.Literal.number(at + 1) for at in range(len(relation.columns)))
    return [exp.Ordered(this=place, desc=first.args.get("desc"), nulls_first=False) for place in places]


def _output(node: exp.Expr, relation: Relation, expressions: Expressions | None) -> Symbol:
    """Read what is ordered by: a column of the list by its place or name, else any expression."""
    inner = bare(node)
    place = integer(inner)
    if place is not None:
        if not 0 < place <= len(relation.columns):
            raise CannotHold(f"ORDER BY {place} names no column of the list.")
        return relation.columns[place - 1][1]
    if isinstance(inner, exp.Column) and not inner.table:
        found = [symbol for name, symbol in relation.columns if name.casefold() == inner.name.casefold()]
        if found:
            return found[0]
    if expressions is None:
        raise CannotHold(f"{quoted(node)} is no column of the rows that are put below each other.")
    return expressions.read(node)
