"""Reads the FROM clause: one table, a subquery or a CTE, or two of them joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.from_sql.granted import Tables, find_table
from jupyter_mcpgen.plan.from_sql.joins import Named, Pairing, joined, matched
from jupyter_mcpgen.plan.from_sql.nodes import bare, conjuncts, only, quoted
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation, Scope
from jupyter_mcpgen.plan.from_sql.subqueries import figures_beside, is_one_row
from jupyter_mcpgen.plan.from_sql.symbols import Symbol
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.sources import JoinKind

Query = Callable[[exp.Expr, Mapping[str, Relation]], Relation]


class Sources:
    """Reads what a SELECT is from; `query` reads a subquery."""

    def __init__(self, tables: Tables, query: Query) -> None:
        self._tables, self._query = tables, query
        self._counter = [0]  # one for the statement: no two provisional names are alike

    def read(
        self, select: exp.Select, known: Mapping[str, Relation], where: list[exp.Expr]
    ) -> tuple[Rows, Scope, bool]:
        """Return the rows, their columns, and whether they come in an order; takes what it reads out of `where`."""
        clause = select.args.get("from_")
        if clause is None:
            raise CannotHold("A SELECT without a table is no plan.")
        name, first = self._relation(clause.this, known)
        joins = list(select.args.get("joins") or ())
        rows, origins, hidden = first.rows, [(name, first.columns)], frozenset[tuple[str, str]]()
        for join in joins:
            other_name, other = self._relation(join.this, known)
            if self._is_beside(join, other):
                origins.append((other_name, figures_beside(other, rows)))
                continue
            whole = Relation(rows, first.columns)
            if rows.second is not None or len(origins) > 1:
                raise CannotHold("More than two tables are joined; a plan joins two.")
            rows, origins, hidden = self._join(join, (name, whole), (other_name, other), where)
        for node in [each for each in where if _is_match(each)]:
            where.remove(node)
            rows = self._matched(node, rows, origins, known)
        return rows, Scope(origins, hidden), first.is_ordered and not joins

    def _relation(self, node: exp.Expr, known: Mapping[str, Relation]) -> tuple[str, Relation]:
        match node:
            case exp.Table(this=exp.Identifier()):
                only(node, "this", "alias")
                name = node.name
                relation = self._cte(name, known) or self._table(name)
            case exp.Subquery():
                only(node, "this", "alias")
                name, relation = "", self._query(node.this, known)
            case _:
                raise CannotHold(f"A plan reads tables, not {quoted(node)}.")
        alias = node.args.get("alias")
        if alias is None:
            return name, relation
        return alias.name or name, _with_names(relation, [each.name for each in alias.args.get("columns") or ()])

    def _cte(self, name: str, known: Mapping[str, Relation]) -> Relation | None:
        found = known.get(name.casefold())
        return None if found is None else Relation(found.rows.copy(), found.columns, found.is_ordered)

    def _table(self, name: str) -> Relation:
        known = find_table(name, self._tables)
        if known is None:
            raise CannotHold(f"There is no table `{name}` here.")
        granted = self._tables[known]
        rows = Rows(source=known, first=granted.schema, present=granted.complete & frozenset(granted.schema.names))
        rows.counter = self._counter
        columns = tuple((label, Col(name=column)) for label, column in granted.labels)
        return Relation(rows, columns)

    def _is_beside(self, join: exp.Join, other: Relation) -> bool:
        crossed = join.args.get("on") is None and not join.args.get("using") and not join.side
        return crossed and is_one_row(other)

    def _join(
        self, join: exp.Join, one: tuple[str, Relation], two: tuple[str, Relation], where: list[exp.Expr]
    ) -> tuple[Rows, list[tuple[str, Named]], frozenset[tuple[str, str]]]:
        only(join, "this", "side", "kind", "on", "using")
        (name, first), (other_name, second) = one, two
        side, kind = (join.side or "").upper(), (join.kind or "").upper()
        how = _KINDS.get((side, kind))
        if how is None:
            raise CannotHold(f"A plan has no join like {quoted(join)}.")
        pairing, rest = self._keys(join, one, two, where if how is JoinKind.INNER else [])
        if how in (JoinKind.SEMI, JoinKind.ANTI):
            return matched(first.rows, second, pairing, kept=how is JoinKind.SEMI), [(name, first.columns)], frozenset()
        if how is JoinKind.LEFT and not side.startswith("R"):
            lonely = next((node for node in where if self._says_unmatched(node, two, pairing)), None)
            if lonely is not None and not rest:
                where.remove(lonely)
                rows = matched(first.rows, second, pairing, kept=False)
                return rows, [(name, first.columns)], frozenset()
        if rest and how is not JoinKind.INNER:
            raise CannotHold("A join that keeps rows without a match has a condition besides equal keys.")
        if side == "RIGHT":
            turned = Pairing(tuple((b, a) for a, b in pairing.keys))
            rows, others, own = joined(second, first, turned, how)
        else:
            rows, own, others = joined(first, second, pairing, how)
        where.extend(rest)
        using = {each.name.casefold() for each in join.args.get("using") or ()}
        hidden = frozenset(((name if side == "RIGHT" else other_name).casefold(), each) for each in using)
        return rows, [(name, own), (other_name, others)], hidden

    def _keys(
        self, join: exp.Join, one: tuple[str, Relation], two: tuple[str, Relation], where: list[exp.Expr]
    ) -> tuple[Pairing, list[exp.Expr]]:
        """Return the columns that must be equal, and the conditions besides."""
        sides = [Scope([(name, relation.columns)]) for name, relation in (one, two)]
        using = join.args.get("using") or ()
        if using:
            columns = [[scope.find(exp.column(each.name)) for scope in sides] for each in using]
            named = [(_column(a), _column(b)) for a, b in columns]
            return Pairing(tuple((a, b) for a, b in named if a is not None and b is not None)), []
        pairs, rest = list[tuple[str, str]](), list[exp.Expr]()
        on = join.args.get("on")
        for node in [] if on is None else list(conjuncts(on)):
            pair = self._pair(node, *sides)
            if pair is None:
                rest.append(node)
            else:
                pairs.append(pair)
        for node in list(where) if not pairs else []:
            pair = self._pair(node, *sides)
            if pair is not None:
                where.remove(node)
                pairs.append(pair)
        if not pairs:
            raise CannotHold("Two tables are joined without equal keys.")
        return Pairing(tuple(pairs)), rest

    def _pair(self, node: exp.Expr, first: Scope, second: Scope) -> tuple[str, str] | None:
        node = bare(node)
        if not isinstance(node, exp.EQ):
            return None
        left, right = _uncast(node.left), _uncast(node.right)
        if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
            return None
        for one, other in ((left, right), (right, left)):
            if second.find(one) is None or one.table:
                mine, theirs = _column(first.find(one)), _column(second.find(other))
                if mine is not None and theirs is not None:
                    return mine, theirs
        return None

    def _says_unmatched(self, node: exp.Expr, two: tuple[str, Relation], pairing: Pairing) -> bool:
        node = bare(node)
        if not (
            isinstance(node, exp.Is) and isinstance(node.expression, exp.Null) and isinstance(node.this, exp.Column)
        ):
            return False
        if not node.this.table or node.this.table.casefold() != two[0].casefold():
            return False
        return _column(Scope([(two[0], two[1].columns)]).find(node.this)) in {other for _, other in pairing.keys}

    def _matched(
        self, node: exp.Expr, rows: Rows, origins: list[tuple[str, Named]], known: Mapping[str, Relation]
    ) -> Rows:
        """Read IN or EXISTS over another table."""
        kept, inner = _unnegated(node)
        scope = Scope(origins)
        if isinstance(inner, exp.In):
            query = inner.args["query"]
            other = self._query(query.this if isinstance(query, exp.Subquery) else query, known)
            mine, theirs = _column(_found(scope, bare(inner.this))), _column(other.columns[0][1])
            if mine is None or theirs is None or len(other.columns) != 1:
                raise CannotHold(f"{quoted(node)} compares something else than columns.")
            if not kept and (mine not in rows.present or theirs not in other.rows.present):
                raise CannotHold(
                    f"{quoted(inner)}: NOT IN never holds where a value of the subquery is missing. Write NOT EXISTS."
                )
            return matched(rows, other, Pairing(((mine, theirs),)), kept=kept)
        return self._exists(inner, rows, origins, known, kept=kept)

    def _exists(
        self, node: exp.Expr, rows: Rows, origins: list[tuple[str, Named]], known: Mapping[str, Relation], *, kept: bool
    ) -> Rows:
        select = node.this.this if isinstance(node.this, exp.Subquery) else node.this
        if not isinstance(select, exp.Select):
            raise CannotHold(f"A plan cannot hold {quoted(node)}.")
        only(select, "expressions", "from_", "where")
        clause, where = select.args.get("from_"), select.args.get("where")
        if clause is None or where is None:
            raise CannotHold(f"{quoted(node)} asks for no match.")
        name, other = self._relation(clause.this, known)
        inner, outer = Scope([(name, other.columns)]), Scope(origins)
        pairs = []
        for condition in conjuncts(where.this):
            pair = self._pair(condition, outer, inner)
            if pair is None:
                raise CannotHold("EXISTS has a condition besides equal columns of the two tables.")
            pairs.append(pair)
        return matched(rows, other, Pairing(tuple(pairs)), kept=kept)


_KINDS = {
    ("", ""): JoinKind.INNER,
    ("", "INNER"): JoinKind.INNER,
    ("", "CROSS"): JoinKind.INNER,
    ("LEFT", ""): JoinKind.LEFT,
    ("LEFT", "OUTER"): JoinKind.LEFT,
    ("RIGHT", ""): JoinKind.LEFT,
    ("RIGHT", "OUTER"): JoinKind.LEFT,
    ("FULL", ""): JoinKind.OUTER,
    ("FULL", "OUTER"): JoinKind.OUTER,
    ("", "SEMI"): JoinKind.SEMI,
    ("", "ANTI"): JoinKind.ANTI,
}


def _with_names(relation: Relation, names: list[str]) -> Relation:
    if len(names) > len(relation.columns):
        raise CannotHold("A table has fewer columns than names are given for.")
    columns = tuple(
        (new or old, symbol)
        for (old, symbol), new in zip(relation.columns, [*names, *("" for _ in relation.columns)], strict=False)
    )
    return Relation(relation.rows, columns, relation.is_ordered)


def _is_match(node: exp.Expr) -> bool:
    _, inner = _unnegated(node)
    return isinstance(inner, exp.Exists) or (isinstance(inner, exp.In) and inner.args.get("query") is not None)


def _unnegated(node: exp.Expr) -> tuple[bool, exp.Expr]:
    node, kept = bare(node), True
    while isinstance(node, exp.Not):
        node, kept = bare(node.this), not kept
    return kept, node


def _uncast(node: exp.Expr) -> exp.Expr:
    node = bare(node)
    while isinstance(node, exp.Cast) and node.args["to"].sql() == "DOUBLE":
        node = bare(node.this)
    return node


def _found(scope: Scope, node: exp.Expr) -> Symbol | None:
    return scope.find(node) if isinstance(node, exp.Column) else None


def _column(symbol: Symbol | None) -> str | None:
    return symbol.name if isinstance(symbol, Col) else None
