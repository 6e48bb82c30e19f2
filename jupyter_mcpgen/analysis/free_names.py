"""Which names some code reads that neither it nor Python defines."""

from __future__ import annotations

import builtins
import symtable
from collections.abc import Iterator

_OF_MODULES = frozenset({"__name__", "__file__", "__doc__", "__spec__", "__builtins__"})


def free_names(source: str) -> tuple[str, ...]:
    """Return the global names that code reads and never binds, in alphabetical order.

    Raises `SyntaxError` for code that cannot be compiled.
    """
    module = symtable.symtable(source, "tool.py", "exec")
    tables = tuple(_with_all_below(module))
    bound = {symbol.get_name() for symbol in module.get_symbols() if _binds(symbol)}
    bound |= {s.get_name() for table in tables for s in table.get_symbols() if s.is_declared_global() and _binds(s)}
    read = {s.get_name() for table in tables for s in table.get_symbols() if s.is_referenced() and _is_global(table, s)}
    return tuple(sorted(read - bound - _OF_MODULES - set(dir(builtins))))


def _with_all_below(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _with_all_below(child)


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _is_global(table: symtable.SymbolTable, symbol: symtable.Symbol) -> bool:
    return symbol.is_global() or (table.get_type() == "module" and not _binds(symbol))
