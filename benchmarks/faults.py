"""`python -m benchmarks faults`: how many planted faults the generated tables of tools show, by what is wrong.

Every fault of every tool is held against the tables that a gate runs the tool on: generated ones, and those of its own
tests. One that none of them shows is
tried on 1,000 further tables, drawn from other seeds: equal on all it is equivalent, else it is missed. For some faults
of each tool the code is written as well, and run through the gate in the sandbox, as is that of each right tool.
`--drawn 1` and `--drawn 2` take plans that were drawn at random in place of those that people wrote.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.equivalence import further_tables, shown_by
from benchmarks.faulty_tools import Tool
from benchmarks.place import Place
from benchmarks.promoting import open_desk
from jupyter_mcpgen.pipeline.generated import tables_for
from jupyter_mcpgen.pipeline.mutation import try_faults
from jupyter_mcpgen.pipeline.plan_reference import PlanReference
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.faults import Fault, Operator, faults_of

CODES_OF_A_TOOL = 2
"""How many faults of a tool are planted in its code."""
HEAD = "| fault | planted | equivalent | caught | missed | caught of the others |\n|---|---:|---:|---:|---:|---:|"


@dataclass
class Counted:
    """What became of the faults: how many of each kind were planted, and which were equivalent or missed."""

    tools: int = 0
    planted: Counter[Operator] = field(default_factory=Counter)
    equivalent: Counter[Operator] = field(default_factory=Counter)
    missed: Counter[Operator] = field(default_factory=Counter)
    unshown: list[str] = field(default_factory=list)
    """The equivalent and the missed ones, each by tool and place."""
    codes: int = 0
    codes_caught: int = 0
    false_alarms: list[str] = field(default_factory=list)


def count(place: Place, tools: Iterable[Tool], codes: int = CODES_OF_A_TOOL) -> Counted:
    """Plant every fault in every tool, and some of them in code; takes minutes. With no codes no code runs."""
    counted, services = Counted(), open_desk(place).runtime.services
    planted_in_code: Counter[Operator] = Counter()
    for tool in tools:
        sys.stderr.write(f"{tool.name} …\n")
        shown = _hold(tool, counted)
        if codes:
            shown.sort(key=lambda fault: planted_in_code[fault.operator])
            planted_in_code.update(fault.operator for fault in shown[:codes])
            _run(tool, shown[:codes], services, counted)
    return counted


def _hold(tool: Tool, counted: Counted) -> list[Fault]:
    """Hold the tables of a tool against its faults, and return those that they show, one of each kind first."""
    counted.tools += 1
    faults, plan = faults_of(tool.shape.plan), tool.shape.plan
    tables = {case.value: given for case, given in tables_for(plan, tool.material).items()}
    tables |= {f"own test {name}": t for name, t in PlanReference(plan, tool.shape).small(tool.material).items()}
    tried = try_faults(tool.shape, faults, tables)
    counted.planted.update(fault.operator for fault in faults)
    left = [trial.fault for trial in tried if trial.shown_by is None]
    shown = shown_by(tool.shape, left, further_tables(plan, tool.material)) if left else {}
    for place, fault in enumerate(left):
        (counted.missed if place in shown else counted.equivalent)[fault.operator] += 1
        how = f"missed, but shown by {shown[place]}" if place in shown else "equivalent"
        counted.unshown.append(f"{fault.operator.value}: {tool.name}, {fault.site} ({how})")
    return [trial.fault for trial in tried if trial.shown_by is not None]


def _run(tool: Tool, faults: Sequence[Fault], services: Services, counted: Counted) -> None:
    """Run the right code, and code with each of some faults, through the gate."""
    wrong = tool.caught_by(services)
    if wrong:
        counted.false_alarms.append(f"{tool.name}: {', '.join(wrong)}")
    for fault in faults:
        counted.codes += 1
        counted.codes_caught += bool(tool.with_fault(fault).caught_by(services))


def as_markdown(counted: Counted) -> str:
    """Return the table by kind of fault, and the lines below it."""
    lines = [_line(operator.value, _numbers(counted, [operator])) for operator in Operator if counted.planted[operator]]
    everything = _line("all", _numbers(counted, list(Operator)))
    in_code = f"{counted.tools} tools."
    if counted.codes:
        in_code += (
            f" In code: {counted.codes_caught} of {counted.codes} planted faults caught in the sandbox, "
            f"{len(counted.false_alarms)} false alarms on the right tools."
        )
    return "\n".join([HEAD, *lines, everything, "", in_code, *counted.false_alarms, *_unshown(counted)])


def _numbers(counted: Counted, operators: Sequence[Operator]) -> tuple[int, int, int]:
    kinds = (counted.planted, counted.equivalent, counted.missed)
    planted, equivalent, missed = (sum(kind[operator] for operator in operators) for kind in kinds)
    return planted, equivalent, missed


def _line(name: str, numbers: tuple[int, int, int]) -> str:
    planted, equivalent, missed = numbers
    others = planted - equivalent
    share = f"{(others - missed) / others:.1%}" if others else "—"
    return f"| {name} | {planted} | {equivalent} | {others - missed} | {missed} | {share} |"


def _unshown(counted: Counted) -> Iterator[str]:
    yield ""
    yield from (f"- {each}" for each in sorted(counted.unshown))
