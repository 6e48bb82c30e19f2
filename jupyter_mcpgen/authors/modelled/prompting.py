"""Fills the prompt files; what goes into a prompt is all that leaves this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jupyter_mcpgen.authors.modelled.plan_form import plan_form
from jupyter_mcpgen.authors.modelled.sheet import Policy, sheet_of
from jupyter_mcpgen.llm.prompt import Message, Prompt
from jupyter_mcpgen.llm.prompt_files import PromptFiles
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.plan.visible import visible

_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXT_OR_NONE: Mapping[str, Any] = {"type": ["string", "null"]}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


SQL_REPLY: Mapping[str, Any] = _object(
    notes=_TEXT,
    kind={"type": "string", "enum": ["sql", "question", "refusal", "code"]},
    sql=_TEXT_OR_NONE,
    reading=_TEXT,
    chart=_TEXT_OR_NONE,
    assumptions=_TEXTS,
    message=_TEXT_OR_NONE,
    options={"type": "array", "items": _object(reading=_TEXT, sql=_TEXT)},
    missing=_TEXTS,
)
CODE_REPLY: Mapping[str, Any] = _object(notes=_TEXT, code=_TEXT)
SPEC_REPLY: Mapping[str, Any] = _object(
    name=_TEXT,
    parameters={"type": "array", "items": _object(name=_TEXT, type=_TEXT, default=_TEXT, description=_TEXT)},
    returns={"type": "string", "enum": ["table", "value"]},
    columns=_TEXTS,
    result_type=_TEXT_OR_NONE,
    rules=_TEXTS,
)
EXAMPLES_REPLY: Mapping[str, Any] = _object(
    examples={
        "type": "array",
        "items": _object(
            table=_TEXT,
            other=_TEXT_OR_NONE,
            arguments=_TEXT_OR_NONE,
            expected=_TEXT_OR_NONE,
            rows={"type": ["integer", "null"]},
            within=_TEXT_OR_NONE,
        ),
    },
)
_PROMPTS = PromptFiles(__package__)
EXAMPLES = 3
"""How many examples are asked for."""
_TABLES, _STATISTICS, _DRAWING = ("pandas", "numpy"), ("scipy", "statsmodels"), "matplotlib"
_FIGURES = " A figure may be drawn with matplotlib.pyplot and is left open; the numbers it shows are the result."


@dataclass(frozen=True)
class Wanted:
    """A function that is to be written: its signature, what it computes, its columns, and how open points are settled.

    `columns` is empty for a result that is no table.
    """

    signature: str
    reading: str
    columns: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def variables(self) -> dict[str, str]:
        """What the prompts say of it."""
        return {
            "signature": self.signature,
            "reading": self.reading,
            "columns": ", ".join(f"`{visible(column)}`" for column in self.columns),
            "rules": "\n".join(f"- {rule}" for rule in self.rules),
        }


class Surface(StrEnum):
    """What a model is asked for."""

    SQL = "sql"
    PLAN = "plan"
    """A plan, in a form that only has the names of the table; for one table."""
    AUTO = "auto"
    """SQL, and a plan where two replies in a row name columns or tables that are not there."""


PLAN = "plan"
"""The name of the prompt that asks for a plan."""


def question_prompt(request: Request, tables: Sequence[Profile], policy: Policy, surface: Surface) -> Prompt:
    """Return what a model is asked first."""
    if surface is Surface.PLAN and len(tables) == 1:
        return plan_prompt(request, tables[0], policy)
    return sql_prompt(request, tables, policy)


def sql_prompt(request: Request, tables: Sequence[Profile], policy: Policy) -> Prompt:
    """Return what asks for SQL: the question, the tables as the policy shows them, and the question before."""
    sheets = _sheets(request, tables, policy)
    mark = _mark(sheets)
    earlier = visible(request.earlier.question) if request.earlier is not None else ""
    asked = _PROMPTS.filled("asked", mark=mark, sheet=sheets, earlier=earlier, question=visible(request.question))
    messages = (Message("system", _PROMPTS.filled("sql", mark=mark)), Message("user", asked))
    return Prompt(name="sql", messages=messages, schema=SQL_REPLY, policy=policy.privacy)


def plan_prompt(request: Request, table: Profile, policy: Policy) -> Prompt:
    """Return what asks for a plan over one table, as an object whose form only lets the table's names be used."""
    sheets = _sheets(request, (table,), policy)
    mark = _mark(sheets)
    earlier = visible(request.earlier.question) if request.earlier is not None else ""
    asked = _PROMPTS.filled("asked", mark=mark, sheet=sheets, earlier=earlier, question=visible(request.question))
    messages = (Message("system", _PROMPTS.filled("plan", mark=mark)), Message("user", asked))
    form = plan_form(table, policy, request.question)
    return Prompt(name=PLAN, messages=messages, schema=form, policy=policy.privacy)


def code_prompt(request: Request, tables: Sequence[Profile], columns: Sequence[str], policy: Policy) -> Prompt:
    """Return what asks for pandas: the question, the tables, what the result's columns are called; never the SQL."""
    sheets = _sheets(request, tables, policy)
    mark = _mark(sheets)
    parameters = ", ".join(f"{name}: pd.DataFrame" for name in ("df", "other")[: len(tables)])
    asked = _PROMPTS.filled("asked", mark=mark, sheet=sheets, earlier="", question=visible(request.question))
    system = _PROMPTS.filled(
        "code", mark=mark, parameters=parameters, columns=", ".join(f"`{visible(c)}`" for c in columns)
    )
    messages = (Message("system", system), Message("user", asked))
    return Prompt(name="code", messages=messages, schema=CODE_REPLY, policy=policy.privacy)


def spec_prompt(
    request: Request, tables: Sequence[Profile], reading: str, policy: Policy, extras: Collection[str]
) -> Prompt:
    """Return what asks what a function takes and gives whose result no SELECT can compute.

    `extras` are the packages that are installed of those that a tool may be granted.
    """
    question = f"{request.question} (computed: {reading})"
    return _asked("spec_generation", SPEC_REPLY, request, tables, policy, question, _packages(extras))


def coding_prompt(
    request: Request, tables: Sequence[Profile], wanted: Wanted, policy: Policy, extras: Collection[str]
) -> Prompt:
    """Return what asks for the code of a function that was specified; `extras` are as in `spec_prompt`."""
    variables = {**wanted.variables, **_packages(extras)}
    return _asked("code_generation", CODE_REPLY, request, tables, policy, request.question, variables)


def tests_prompt(request: Request, tables: Sequence[Profile], wanted: Wanted, policy: Policy) -> Prompt:
    """Return what asks for examples of a function that was specified; never its code."""
    variables = {**wanted.variables, "number": str(EXAMPLES)}
    return _asked("tests", EXAMPLES_REPLY, request, tables, policy, request.question, variables)


def repair_prompt(
    request: Request,
    tables: Sequence[Profile],
    signature: str,
    code: str,
    found: Sequence[str],
    policy: Policy,
    extras: Collection[str],
) -> Prompt:
    """Return what asks to repair code: the question, the tables, the code and what its checks found; never the SQL."""
    sheets = _sheets(request, tables, policy)
    mark = _mark(sheets)
    asked = _PROMPTS.filled("asked", mark=mark, sheet=sheets, earlier="", question=visible(request.question))
    told = _PROMPTS.filled("found", asked=asked, code=code.strip(), found=[visible(sentence) for sentence in found])
    system = _PROMPTS.filled("repair_code", mark=mark, signature=signature, packages=_packages(extras)["packages"])
    messages = (Message("system", system), Message("user", told))
    return Prompt(name="repair_code", messages=messages, schema=CODE_REPLY, policy=policy.privacy)


def _asked(
    name: str,
    schema: Mapping[str, Any],
    request: Request,
    tables: Sequence[Profile],
    policy: Policy,
    question: str,
    variables: Mapping[str, str],
) -> Prompt:
    sheets = _sheets(request, tables, policy)
    mark = _mark(sheets)
    asked = _PROMPTS.filled("asked", mark=mark, sheet=sheets, earlier="", question=visible(question))
    messages = (Message("system", _PROMPTS.filled(name, mark=mark, **variables)), Message("user", asked))
    return Prompt(name=name, messages=messages, schema=schema, policy=policy.privacy)


def json_prompt(field: str, text: str, flaw: str) -> Prompt:
    """Return what asks for the JSON that somebody meant; only the text itself is sent."""
    block, mark = visible(text), _mark(text)
    messages = (
        Message("system", _PROMPTS.filled("json", field=field, mark=mark, flaw=flaw)),
        Message("user", f"<{mark}>\n{block}\n</{mark}>"),
    )
    return Prompt(name="json", messages=messages, schema=_object(corrected=_TEXT))


def repaired(prompt: Prompt, reply: str, flaw: str) -> Prompt:
    """Return a prompt once more, after a reply and what is wrong with it."""
    again = Message("user", _PROMPTS.filled("repair", flaw=visible(flaw)))
    messages = (*prompt.messages, Message("assistant", reply), again)
    return Prompt(name="repair", messages=messages, schema=prompt.schema, policy=prompt.policy)


def _packages(extras: Collection[str]) -> dict[str, str]:
    """Return which packages code is to use, and that it may draw where it can."""
    named = (*_TABLES, *(name for name in _STATISTICS if name in extras))
    return {"packages": ", ".join(named), "figures": _FIGURES if _DRAWING in extras else ""}


def _sheets(request: Request, tables: Sequence[Profile], policy: Policy) -> str:
    return "\n\n".join(sheet_of(profile, policy, request.question) for profile in tables)


def _mark(text: str) -> str:
    """Return a name for the block of data that nothing in it can close, the same for the same data."""
    return f"data-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
