"""The toolkit as one file, `helpers.py`, that a generated tool carries with it and that runs without this package."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from importlib import resources

PUBLIC_NAMES = (
    "Reading",
    "Report",
    "allow_missing",
    "detect_column_types",
    "load_csv_data_with_types",
    "read_as",
    "validate_columns_of_both",
    "validate_file_and_columns",
    "validate_keys",
    "validate_new_columns",
    "validate_numbers",
    "validate_sums",
    "validate_sums_of_both",
    "validate_texts",
    "vega_lite_chart",
)
_PACKAGE = "jupyter_mcpgen.toolkit"
_MODULES = (
    "values",
    "columns",
    "encodings",
    "missing_words",
    "cell_kinds",
    "text_rows",
    "names_in_text",
    "layouts",
    "tables",
    "pairs",
    "report",
    "formats",
    "marks",
    "charts",
)
_DOCSTRING = (
    '"""Loading, checking, reporting and charting for the tool beside this file; needs pandas and pyarrow only."""'
)


@functools.cache
def helpers_source() -> str:
    """Return the source of `helpers.py`."""
    trees = [(source, ast.parse(source)) for source in map(_source, _MODULES)]
    _refuse_shared_names([tree for _, tree in trees])
    bodies = [_body(source, tree) for source, tree in trees]
    exported = "\n".join(f'    "{name}",' for name in PUBLIC_NAMES)
    head = [_DOCSTRING, "from __future__ import annotations", *_imports([tree for _, tree in trees])]
    return "\n\n".join(head) + f"\n\n__all__ = [\n{exported}\n]\n\n\n" + "\n\n\n".join(bodies) + "\n"


def _source(module: str) -> str:
    return (resources.files(_PACKAGE) / f"{module}.py").read_text(encoding="utf-8")


def _refuse_shared_names(trees: list[ast.Module]) -> None:
    seen: set[str] = set()
    for name in (name for tree in trees for name in _defined(tree)):
        if name in seen:
            raise ValueError(f"Two toolkit modules define `{name}`, so they cannot share one file. Rename one.")
        seen.add(name)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def _body(source: str, tree: ast.Module) -> str:
    """Return what follows the imports, comments included."""
    last_import = max(n.end_lineno or 0 for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom))
    return "\n".join(source.splitlines()[last_import:]).strip("\n")


def _imports(trees: list[ast.Module]) -> Iterator[str]:
    """Yield the standard library's imports and then the others, each sorted as ruff sorts them."""
    plain: set[tuple[str, str | None]] = set()
    members: dict[str, set[str]] = {}
    for node in (node for tree in trees for node in tree.body):
        match node:
            case ast.Import(names=names):
                plain.update((name.name, name.asname) for name in names)
            case ast.ImportFrom(module=str(module), names=names) if not module.startswith(("__future__", _PACKAGE)):
                members.setdefault(module, set()).update(name.name for name in names)
    for standard in (True, False):
        lines = [f"import {n} as {a}" if a else f"import {n}" for n, a in sorted(plain) if _is_standard(n) is standard]
        lines += [
            f"from {m} import {', '.join(sorted(members[m]))}" for m in sorted(members) if _is_standard(m) is standard
        ]
        if lines:
            yield "\n".join(lines)


def _is_standard(module: str) -> bool:
    return module.split(".")[0] in sys.stdlib_module_names
