"""Has code written for what no SELECT can compute: specified first, then written, with examples apart from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from jupyter_mcpgen.analysis.packages import extras_installed
from jupyter_mcpgen.analysis.policy import check_policy
from jupyter_mcpgen.authors.modelled.prompting import (
    EXAMPLES,
    Wanted,
    coding_prompt,
    repair_prompt,
    repaired,
    spec_prompt,
    tests_prompt,
)
from jupyter_mcpgen.authors.modelled.replies import NoSelect
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.authors.signature import Signature, signature_of
from jupyter_mcpgen.authors.written import capabilities_of
from jupyter_mcpgen.errors import ModelError, UnreadableReply, UnusableCode
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.model.example import Example
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.plan.visible import visible

T = TypeVar("T")
_TABLES = ("df", "other")
_MOST_RULES, _LONGEST_RULE = 10, 300
_REASON = "no SQL query can compute this"


def write_instead(
    found: NoSelect, request: Request, tables: Sequence[Profile], model: Model, policy: Policy
) -> WrittenIntent:
    """Return code for what is to be computed, and examples of it by a request that never sees the code.

    Raises `UnusableCode` for code that no tool can be made of after it was shown to the model once, or a `ModelError`.
    """
    extras = extras_installed()
    wanted = _usable(
        model, spec_prompt(request, tables, found.reading, policy, extras), lambda v: _wanted(v, found, tables)
    )
    meant = signature_of(_with_body(wanted))
    code = _usable(model, coding_prompt(request, tables, wanted, policy, extras), lambda v: _code(v, wanted, meant))
    return WrittenIntent(
        reading=found.reading,
        code=code,
        second=NoSecond(reason=_REASON),
        input=request.data.path,
        other_input=request.other.path if request.other is not None and len(tables) > 1 else None,
        assumptions=(*found.assumptions, *wanted.rules),
        examples=_examples(model, tests_prompt(request, tables, wanted, policy), meant),
    )


def repair_code(
    intent: WrittenIntent,
    found: Sequence[str],
    request: Request,
    tables: Sequence[Profile],
    model: Model,
    policy: Policy,
) -> WrittenIntent | None:
    """Return the intent with repaired code, and None where the model gives none that can be used."""
    meant = signature_of(intent.code)
    wanted = Wanted(meant.line, intent.reading, (), ())
    prompt = repair_prompt(request, tables, meant.line, intent.code, found, policy, extras_installed())
    try:
        return intent.replace(code=_usable(model, prompt, lambda value: _code(value, wanted, meant)))
    except UnusableCode:
        return None


def _usable(model: Model, prompt: Prompt, read: Callable[[Mapping[str, Any]], T]) -> T:
    """Return what a reply says; one that cannot be used is shown to the model once, with what is wrong."""
    try:
        reply = model.ask(prompt)[0]
    except UnreadableReply as unreadable:
        text, flaw = unreadable.text, unreadable.reason
    else:
        try:
            return read(reply.value or {})
        except UnusableCode as unusable:
            text, flaw = reply.text, str(unusable)
    return read(model.ask(repaired(prompt, text, flaw))[0].value or {})


def _wanted(value: Mapping[str, Any], found: NoSelect, tables: Sequence[Profile]) -> Wanted:
    """Return the function that a reply specifies; raises `UnusableCode` for one that no tool can have."""
    is_table = value.get("returns") == "table"
    columns = tuple(map(str, value.get("columns", ()))) if is_table else ()
    if is_table and not columns:
        raise UnusableCode("A result that is a table needs the names of its `columns`.")
    frames = [f"{name}: pd.DataFrame" for name in _TABLES[: len(tables)]]
    parameters = [_parameter(one) for one in value.get("parameters", ())]
    returned = "pd.DataFrame" if is_table else str(value.get("result_type") or "float")
    rules = tuple(_rule(rule) for rule in value.get("rules", ())[:_MOST_RULES])
    signature = f"def {value.get('name', '')}({', '.join([*frames, *parameters])}) -> {returned}:"
    wanted = Wanted(signature, found.reading, columns, rules)
    signature_of(_with_body(wanted))
    return wanted


def _parameter(value: Mapping[str, str]) -> str:
    try:
        default = json.loads(value["default"])
    except (RecursionError, ValueError) as error:
        raise UnusableCode(f"The default of `{visible(value['name'])}` is no JSON: write it as JSON text.") from error
    if isinstance(default, list):
        default = tuple(default)
    return f"{value['name']}: {value['type']} = {default!r}"


def _rule(text: object) -> str:
    return visible(" ".join(str(text).split()))[:_LONGEST_RULE]


def _with_body(wanted: Wanted) -> str:
    return f"{wanted.signature}\n    pass\n"


def _code(value: Mapping[str, Any], wanted: Wanted, meant: Signature) -> str:
    """Return the code of a reply; raises `UnusableCode` where it is not what was specified, or may not be used."""
    code = str(value.get("code", ""))
    found = signature_of(code)
    if _promised(found) != _promised(meant):
        raise UnusableCode(f"The function must have this signature: `{wanted.signature}`")
    broken = [f for f in check_policy(code, capabilities_of(code)) if f.severity is Severity.ERROR]
    if broken:
        raise UnusableCode(" ".join(filter(None, (broken[0].message, broken[0].fix))))
    return code


def _promised(signature: Signature) -> tuple[object, ...]:
    """Return what of a signature must be as it was specified; how a type is written may differ."""
    given = {p.name: (p.default, signature.schemas[p.name]) for p in signature.parameters}
    return len(signature.tables), given, signature.result


def _examples(model: Model, prompt: Prompt, meant: Signature) -> tuple[Example, ...]:
    """Return the examples of a reply that can be tried; none where the model gives none."""
    try:
        value = model.ask(prompt)[0].value or {}
    except ModelError:
        return ()  # the card says that there are no examples
    return tuple(e for one in value.get("examples", ())[:EXAMPLES] if (e := _example(one, meant)) is not None)


def _example(value: Mapping[str, Any], meant: Signature) -> Example | None:
    """Return an example that says something about the function, or None."""
    try:
        arguments = json.loads(value["arguments"] or "{}")
    except (RecursionError, ValueError):
        return None
    known = {parameter.name for parameter in meant.parameters}
    says = value["expected"] is not None or value["rows"] is not None or value["within"] is not None
    if not isinstance(arguments, dict) or not known.issuperset(arguments) or not says:
        return None
    return Example(
        table=value["table"],
        other=value["other"] if len(meant.tables) > 1 else None,
        arguments=arguments,
        expected=value["expected"],
        rows=value["rows"],
        within=value["within"],
    )
