"""Texts that the product generates, as they stand in recorded files that a person can judge.

`python -m tests.recorded` writes the files anew; a change of behaviour is then a diff.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from jupyter_mcpgen.authors.code import write_package
from jupyter_mcpgen.authors.contract import contract_of
from jupyter_mcpgen.authors.modelled.prompting import (
    Wanted,
    code_prompt,
    coding_prompt,
    plan_prompt,
    repaired,
    spec_prompt,
    sql_prompt,
    tests_prompt,
)
from jupyter_mcpgen.authors.modelled.sheet import Policy, Privacy
from jupyter_mcpgen.authors.naming import tool_name
from jupyter_mcpgen.build.synthesis.component import Component, Function
from jupyter_mcpgen.build.synthesis.modelled import Wish, bodies_prompt, component_prompt
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.emit.pandas import emit_chart, emit_pandas
from jupyter_mcpgen.plan.english import say_generally, say_plan
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from tests.plans import plan_of, schema_of, steps_of
from tests.second_tables import plan_over, way_of

CASES = Path(__file__).parent / "cases"


def cases(path: Path) -> Iterator[tuple[str, Plan]]:
    """Yield the plans of a case file by name."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    schema = schema_of(tree["columns"])
    for case in tree["case"]:
        steps = steps_of(case["steps"])
        if "second" in case:
            second = way_of(case["second"])(schema, schema_of(tree["other"]))
            yield case["name"], plan_over("table", second, *steps)
        else:
            yield case["name"], plan_of(schema, *steps, chart=case.get("chart"))


def emit_files() -> tuple[Path, ...]:
    """Return the case files of plans and what is emitted for them."""
    return tuple(sorted((CASES / "emit").glob("*.toml")))


def emitted(path: Path) -> str:
    """Return the recorded text of a case file."""
    blocks = [_block(name, plan) for name, plan in cases(path)]
    return "\n".join([f"Made from `{path.name}` by `python -m tests.recorded`.\n", *blocks])


def _block(name: str, plan: Plan) -> str:
    shape = generalise(plan)
    lines = [
        f"══ {name}",
        f"says: {say_plan(plan)}",
        f"family: {say_generally(plan)}",
        "pandas:",
        *(f"    {line}" for line in emit_pandas(plan).split("\n")),
        "pandas with parameters:",
        *(f"    # {p.name}: {p.type} = {p.default!r}" for p in shape.parameters),
        *(f"    {line}" for line in emit_pandas(shape.plan).split("\n")),
        *([f"    # chart: {emit_chart(shape.plan)}"] if plan.chart else []),
        "sql:",
        *(f"    {line}" for line in _folded(emit_duckdb(plan))),
    ]
    return "\n".join(lines) + "\n"


def _folded(sql: str) -> list[str]:
    return sql.replace(", step_", ",\nstep_").replace(") SELECT", ")\nSELECT").split("\n")


def tool_files() -> dict[str, Plan]:
    """Return the question families whose whole `tool.py` is recorded, by file name."""
    return {f"{name}.py": plan for name, plan in cases(CASES / "tools" / "families.toml")}


def tool(plan: Plan) -> str:
    """Return the `tool.py` of a plan."""
    return write_package(contract_of(generalise(plan), tool_name(plan, frozenset()))).code


_WANTED = Wanted(
    signature="def flour_by_mill(df: pd.DataFrame, flour: str = 'flour kg') -> pd.DataFrame:",
    reading="how the mills differ",
    columns=("mill", "kg"),
    rules=("A missing weight is left out.",),
)


_COMPONENT = Component(
    name="text_stats", description="Statistics of texts.", functions=(Function(name="f", description="Count words."),)
)


def prompts(extras: tuple[str, ...] = ("matplotlib", "scipy")) -> dict[str, str]:
    """Return what each prompt file becomes for one question over one table, by file name."""
    frame = pd.DataFrame({"mill": ["Nord", "Sued", "Nord"], "flour kg": [12.5, None, 8.0], "bags": [3, 2, 5]})
    table = profile("mills", frame)
    ref = DataRef(kind=DataKind.FRAME, name="mills", path="mills.parquet")
    request = Request(request_id="r", question="which mill ground the most", data=ref, asked_at="2026-01-22T10:00:00")
    asked = {
        **{f"sql_{policy.value}": sql_prompt(request, [table], Policy(policy)) for policy in Privacy},
        **{
            f"plan_{policy.value}": plan_prompt(request, table, Policy(policy))
            for policy in (Privacy.NONE, Privacy.ROWS)
        },
        "code": code_prompt(request, [table], ["mill", "kg"], Policy()),
        "spec_generation": spec_prompt(request, [table], "how the mills differ", Policy(), extras),
        "code_generation": coding_prompt(request, [table], _WANTED, Policy(), extras),
        "tests": tests_prompt(request, [table], _WANTED, Policy()),
        "component": component_prompt(Wish("Count words.", "class Texts: ...", "Type hints."), "`x.py`: F821."),
        "bodies": bodies_prompt(_COMPONENT),
    }
    asked["repair"] = repaired(asked["sql_none"], '{"kind": "sql"}', "There is no column `flour`. Nearest: flour kg.")
    return {
        f"{name}.txt": "".join(f"══ {message.role}\n{message.content}\n" for message in prompt.messages)
        for name, prompt in asked.items()
    }


def main() -> None:
    """Write every recorded file anew."""
    for name, text in prompts().items():
        (CASES / "prompts" / name).write_text(text, encoding="utf-8")
    for path in emit_files():
        path.with_suffix(".txt").write_text(emitted(path), encoding="utf-8")
    for name, plan in tool_files().items():
        (CASES / "tools" / name).write_text(tool(plan), encoding="utf-8")


if __name__ == "__main__":
    main()
