"""Advice for executions that a limit ended: the runtime's or the supervisor's word, never the program's text."""

from __future__ import annotations

import re

from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.fuel.analysis import amount, first_import_costs, suggested_budget
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.job import Outcome
from jupyter_mcpgen.wording import in_seconds

_LONGEST_TRAP = 2_000
# whole phrases at the start of a line: a trap names its cause first, and a program's words do not count as one
_SAID_BEFORE = r"^[^A-Za-z\n]*(?:(?:caused by|wasm trap|trap|error)\s*:\s*)*"
_TRAPS = tuple(
    (re.compile(_SAID_BEFORE + rf"(?:{phrases})\b", re.IGNORECASE | re.MULTILINE), kind)
    for phrases, kind in (
        (r"out[ _-]of[ _-]fuel|fuel exhausted|all fuel consumed", ErrorType.OUT_OF_FUEL),
        (r"deadline|timeout|interrupt", ErrorType.TIMEOUT),
        (
            r"out of bounds memory|memory fault|out of memory|memory minimum size of \d+ pages exceeds",
            ErrorType.MEMORY_EXHAUSTED,
        ),
    )
)
_OUTCOMES = {
    Outcome.TIMED_OUT: ErrorType.TIMEOUT,
    Outcome.CPU_EXCEEDED: ErrorType.TIMEOUT,
    Outcome.MEMORY_EXCEEDED: ErrorType.MEMORY_EXHAUSTED,
    Outcome.OUTPUT_EXCEEDED: ErrorType.OUTPUT_EXCEEDED,
    Outcome.CRASHED: ErrorType.CRASHED,
}


def from_limits(ending: Ending) -> ErrorGuidance | None:
    """Return advice when a trap or the outcome says what ended the execution."""
    match _trapped(ending.trap) or _OUTCOMES.get(ending.outcome):
        case ErrorType.OUT_OF_FUEL:
            return out_of_fuel(ending)
        case ErrorType.TIMEOUT:
            return timeout(ending)
        case ErrorType.MEMORY_EXHAUSTED:
            return memory_exhausted(ending)
        case ErrorType.OUTPUT_EXCEEDED:
            return output_exceeded()
        case ErrorType.CRASHED:
            return crashed(ending)
        case _:
            return None


def _trapped(trap: str | None) -> ErrorType | None:
    beginning = (trap or "")[:_LONGEST_TRAP]
    return next((kind for pattern, kind in _TRAPS if pattern.search(beginning)), None)


def out_of_fuel(ending: Ending) -> ErrorGuidance:
    """Name the budget to ask for, and the imports that used this one up."""
    bounds, parameter = ending.bounds, ending.surroundings.fuel_parameter
    unit, budget = bounds.fuel_unit, bounds.fuel_budget
    first_imports, prices = first_import_costs(ending.code, ending.language, ending.history, ending.costs, unit)
    if budget is None:
        return advice(
            ErrorType.OUT_OF_FUEL,
            "The program used up its fuel.",
            f"Call again with a larger `{parameter}`: twice the last one is a good first step.",
            *prices,
            _LOOK_FOR_LOOPS,
            examples=example(
                "execute_code(code)", f"execute_code(code, {parameter}=10_000_000_000)", "A budget asked for by name."
            ),
        )
    used = max(bounds.fuel_consumed or 0, budget)
    wanted = suggested_budget(used, budget, unit, ran_out=True, first_imports=first_imports)
    noun = "milliseconds of CPU time" if unit is FuelUnit.CPU_MS else unit.value
    return advice(
        ErrorType.OUT_OF_FUEL,
        f"The program used up its fuel: all of {budget:,} {noun}.",
        f"Call again with `{parameter}={wanted}`: {wanted:,} {noun} ({amount(wanted, unit)}).",
        *prices,
        _KEEP_IMPORTS if prices and ending.history.kept else None,
        _LOOK_FOR_LOOPS,
        examples=example(
            f"execute_code(code, {parameter}={budget:_})",
            f"execute_code(code, {parameter}={wanted:_})",
            "The same code with room to finish.",
        ),
    )


_KEEP_IMPORTS = "Use a persistent session: it keeps what was imported, so only its first run pays for that."
_LOOK_FOR_LOOPS = (
    "If the work should have fitted, look for a loop that does not end, or try the code on a small part of the data."
)


def timeout(ending: Ending) -> ErrorGuidance:
    """Name a longer time, up to the longest there is."""
    place, seconds = ending.surroundings, ending.bounds.wall_seconds
    cpu = ending.outcome is Outcome.CPU_EXCEEDED
    what = "processor time" if cpu else "time"
    wanted = None if seconds is None else min(2 * seconds, place.most_seconds)
    return advice(
        ErrorType.TIMEOUT,
        f"The program was stopped: its {what} was over" + (f" after {in_seconds(seconds)}." if seconds else "."),
        _more_time(seconds, wanted, place.time_parameter, place.most_seconds),
        "Try the code on a small part of the data first, to see what takes the time.",
        "Use operations on whole columns instead of loops over rows; close every loop with a condition that is met.",
        None if cpu else "Code that waits for input, for a network or in `sleep` waits until it is stopped.",
        examples=example(
            "for index, row in df.iterrows():\n    total += row['price'] * row['quantity']",
            "total = (df['price'] * df['quantity']).sum()",
            "One operation on two columns instead of one step per row.",
        ),
    )


def _more_time(seconds: float | None, wanted: float | None, parameter: str, most: float) -> str:
    if seconds is None or wanted is None:
        return f"Call again with a larger `{parameter}`; {in_seconds(most)} is the most."
    if wanted <= seconds:
        return f"`{parameter}` is at its most, {in_seconds(most)}: do the work in parts."
    return f"Call again with `{parameter}={wanted:g}`; {in_seconds(most)} is the most."


def memory_exhausted(ending: Ending) -> ErrorGuidance:
    """Name twice the memory, and the ways to need less."""
    limit, parameter = ending.bounds.memory_bytes, ending.surroundings.memory_parameter
    return advice(
        ErrorType.MEMORY_EXHAUSTED,
        f"The program needed more memory than its limit of {limit:,} bytes."
        if limit
        else "The program ran out of memory.",
        _more_memory(limit, parameter),
        "Read only the columns that are used (`usecols=`), or read and aggregate in parts (`chunksize=`).",
        "Store text that repeats as `category`, and delete large tables that are no longer needed.",
        "A join on keys that repeat on both sides multiplies rows: check `df[key].is_unique` first.",
        examples=example(
            "df = pd.read_csv('data.csv')\ntotals = df.groupby('city')['price'].sum()",
            "parts = pd.read_csv('data.csv', usecols=['city', 'price'], chunksize=100_000)\n"
            "sums = pd.concat(part.groupby('city')['price'].sum() for part in parts)\n"
            "totals = sums.groupby('city').sum()",
            "Two columns at a time, 100,000 rows at a time.",
        ),
    )


def _more_memory(limit: int | None, parameter: str | None) -> str | None:
    if parameter is None:
        return None
    if limit is None:
        return f"Ask for a larger `{parameter}`."
    return f"Call again with `{parameter}={2 * limit}` ({2 * limit:,} bytes)."


def output_exceeded() -> ErrorGuidance:
    """Say how to give back less."""
    return advice(
        ErrorType.OUTPUT_EXCEEDED,
        "The program wrote more than is kept of its output or its result.",
        "Print a summary or the first rows, and write the whole to a file in the workspace.",
        examples=example(
            "print(df.to_string())",
            "print(df.head(20))\ndf.to_csv('all_rows.csv', index=False)",
            "Twenty rows to read, the rest in a file.",
        ),
    )


def crashed(ending: Ending) -> ErrorGuidance:
    """Say what is known of a process that ended without a word."""
    return advice(
        ErrorType.CRASHED,
        "The process ended without finishing the program and without an exception.",
        f"The runtime said: {quoted(ending.trap)}." if ending.trap else None,
        "Common causes: recursion without an end, a fault inside a compiled package, memory used up all at once.",
        "Run the parts of the program one after the other to find the line that ends it.",
        examples=example(
            "sys.setrecursionlimit(10**6)\nwalk(tree)",
            "todo = [tree]\nwhile todo:\n    node = todo.pop()\n    todo.extend(node.children)",
            "A list of what is left to do instead of deep recursion.",
        ),
    )
