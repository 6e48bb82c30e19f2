"""Lets a person change the code of an answer; what it was held against it is still held against.

Code that was made of a plan becomes written code that must compute the plan.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from jupyter_mcpgen.analysis.layout import formatted, lines_of
from jupyter_mcpgen.authors.signature import signature_of
from jupyter_mcpgen.errors import DecisionError, UnusableCode
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.second import PlannedSecond
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.plan.shape import generalise

_FUNCTION = "analyze"
_OF_EVERY_TOOL = frozenset({"fastmcp", "pydantic", "typing"})


def code_to_edit(intent: Understood, spec: ToolSpec, package: Package) -> str:
    """Return the function that computes an answer, as `edited` takes it back."""
    if isinstance(intent, WrittenIntent):
        return intent.code
    tree = ast.parse(package.code)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == _FUNCTION)
    defaults = {parameter.name: parameter.default for parameter in spec.parameters}
    lists = {argument.arg for argument in function.args.kwonlyargs if isinstance(defaults[argument.arg], list)}
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    body = _body(package.code, function, lists)
    imports = [*(["from collections.abc import Sequence"] if lists else []), *map(ast.unparse, _imports(tree, used))]
    return formatted("\n".join([*imports, _head(function, defaults), *body]))


def _imports(tree: ast.Module, used: set[str]) -> Iterator[ast.stmt]:
    """Yield what the function needs of the imports of the tool."""
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=str(module)) if module not in _OF_EVERY_TOOL:
                node.names = [name for name in node.names if (name.asname or name.name) in used]
                if node.names:
                    yield node
            case ast.Import(names=[name]) if (name.asname or name.name) in used:
                yield node


def _head(function: ast.FunctionDef, defaults: Mapping[str, object]) -> str:
    """Return the line that begins the function, with the values of the question as defaults."""
    parameters = [*map(ast.unparse, function.args.args), *(["*"] if function.args.kwonlyargs else [])]
    for argument in function.args.kwonlyargs:
        default, written = defaults[argument.arg], ast.unparse(argument)
        if isinstance(default, list):  # no default that calls could change
            default, written = tuple(default), written.replace("list[", "Sequence[", 1)
        parameters.append(f"{written} = {default!r}")
    returned = "" if function.returns is None else f" -> {ast.unparse(function.returns)}"
    return f"def {function.name}({', '.join(parameters)}){returned}:"


def _body(source: str, function: ast.FunctionDef, lists: Collection[str]) -> list[str]:
    """Return the lines of the function as they stand, comments too; what is a list stays one."""
    lines = lines_of(source)
    names = [node for each in function.body for node in ast.walk(each) if isinstance(node, ast.Name)]
    for node in sorted((n for n in names if n.id in lists), key=lambda n: (n.lineno, n.col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()
        end = node.col_offset + len(node.id.encode())
        lines[node.lineno - 1] = (line[: node.col_offset] + f"list({node.id})".encode() + line[end:]).decode()
    return lines[function.body[0].lineno - 1 : function.end_lineno]


def edited(intent: Understood, before: str, code: str) -> WrittenIntent:
    """Return the intent with code that a person wrote in the place of `before`.

    Raises `UnusableCode` for what no tool can be made of, and `DecisionError` for code that is the same.
    """
    signature_of(code)
    try:
        is_same = ast.dump(ast.parse(code)) == ast.dump(ast.parse(before))
    except RecursionError as error:
        raise UnusableCode("The code is nested too deeply to be compared. Write it in several steps.") from error
    if is_same:
        raise DecisionError("This is the code that the answer has now. Change it, then run it again.")
    if isinstance(intent, WrittenIntent):
        return intent.replace(code=code, is_edited=True)
    chart = intent.plan.chart
    return WrittenIntent(
        reading=intent.reading,
        code=code,
        second=PlannedSecond(shape=generalise(intent.plan)),
        input=intent.input,
        other_input=intent.other_input,
        chart=None if chart is None else chart.kind,
        assumptions=intent.assumptions,
        read_by=intent.read_by,
        agreeing=intent.agreeing,
        columns=intent.columns,
        output_format=intent.output_format,
        is_edited=True,
    )


def said_of_edits(intent: Understood) -> Iterator[Evidence]:
    """Say where a person changed the code, and which parameters are only tried with the values of the question."""
    if isinstance(intent, WrittenIntent) and intent.is_edited:
        sentence = "A person edited the code."
        yield Evidence(check="edited", verdict=Verdict.PASSED, sentence=sentence, place=Place.NOTE)
        varied = _varied(intent)
        names = ", ".join(f"`{p.name}`" for p in signature_of(intent.code).parameters if p.name not in varied)
        if names:
            sentence = f"The edited code was only checked with the values of the question for {names}."
            yield Evidence(check="edited_values", verdict=Verdict.NOT_APPLICABLE, sentence=sentence, place=Place.NOTE)


def _varied(intent: WrittenIntent) -> set[str]:
    """Return the parameters that the gates also call the code with other values for: columns and numbers of rows."""
    if not isinstance(intent.second, PlannedSecond):
        return set()
    return {each.name for each in intent.second.shape.parameters if each.is_column or each.type == "int"}
