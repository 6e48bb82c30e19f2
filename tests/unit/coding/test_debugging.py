"""Code that failed is diagnosed, and fixed where the fix can be shown to hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_mcpgen.coding.checking import Edit
from jupyter_mcpgen.coding.debugging.debugger import Debugger, Failed
from jupyter_mcpgen.coding.debugging.diagnosing import diagnose
from jupyter_mcpgen.coding.debugging.languages import language_of
from jupyter_mcpgen.coding.debugging.patch import edited
from jupyter_mcpgen.coding.debugging.python_patches import patches
from jupyter_mcpgen.errors import (
    DebuggingError,
    DiagnosisError,
    PatchGenerationError,
    UnsupportedLanguage,
    VerificationError,
)
from jupyter_mcpgen.model.debugging import CodeDiagnosis
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.fakes.model import ScriptedModel
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
MISSING = available()


@pytest.fixture
def executor(tmp_path: Path) -> Executor:
    return Executor(pages=Pages(tmp_path / "pages"))


@pytest.fixture
def debugger(executor: Executor) -> Debugger:
    return Debugger(executor)


def failed(executor: Executor, source: str, language: str = "python") -> Failed:
    """Return code with what its own run says."""
    run = executor.execute(language, source)
    return Failed(source, run.stderr, run.exit_code, run.stdout, language)


@dataclass(frozen=True)
class Case:
    """Code that fails, and the lines that a fix puts in place of others."""

    source: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


PYTHON = {
    "a module that was not imported": Case("print(math.floor(7.5))\n", (), ("import math",)),
    "an alias that was not imported": Case("print(np.arange(3).sum())\n", (), ("import numpy as np",)),
    "names of the library, one after the other": Case(
        '"""Beds."""\nprint(Counter("aab"), Path("x").name)\n',
        (),
        ("from pathlib import Path", "from collections import Counter"),
    ),
    "a misspelt name": Case("tulips = 3\nprint(tulps)\n", ("print(tulps)",), ("print(tulips)",)),
    "a misspelt method": Case("rows = []\nrows.appendd(1)\n", ("rows.appendd(1)",), ("rows.append(1)",)),
    "no colon": Case("for bed in range(2)\n    print(bed)\n", ("for bed in range(2)",), ("for bed in range(2):",)),
    "an open bracket": Case("print(sum([1, 2])\nprint(1)\n", ("print(sum([1, 2])",), ("print(sum([1, 2]))",)),
    "a bracket that stays open over lines": Case(
        "bed = {1: 2,\n3: 4\nprint(len(bed))\n", ("3: 4",), ("3: 4}",)
    ),
    "an open bracket before a colon": Case(
        "def two(bed:\n    return 2\nprint(two(1))\n", ("def two(bed:",), ("def two(bed):",)
    ),
    "a decorator": Case("@cache\ndef two():\n    return 2\nprint(two())\n", (), ("from functools import cache",)),
    "a function of one module": Case("print(sqrt(4))\n", (), ("from math import sqrt",)),
    "an open text": Case("name = 'rose\nprint(name)\n", ("name = 'rose",), ("name = 'rose'",)),
    "one equals sign": Case("if 1 = 1:\n    print(1)\n", ("if 1 = 1:",), ("if 1 == 1:",)),
    "print as a statement": Case("print 'rose'\n", ("print 'rose'",), ("print('rose')",)),
    "an odd margin": Case("a = 1\n  b = 2\nprint(a + b)\n", ("  b = 2",), ("b = 2",)),
    "a number joined to a text": Case(
        "n = 3\nprint('beds: ' + n)\n", ("print('beds: ' + n)",), ("print('beds: ' + str(n))",)
    ),
    "a share of nothing": Case(
        "total = 0\nprint(5 / total)\n", ("print(5 / total)",), ("print((5 / total if total else None))",)
    ),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", PYTHON.values(), ids=list(PYTHON))
def test_a_slip_in_python_is_mended_and_the_mended_code_runs(
    executor: Executor, debugger: Debugger, case: Case
) -> None:
    found = debugger.debug(failed(executor, case.source), retries=5)

    lines = found.patch.splitlines()[2:]
    assert tuple(line[1:] for line in lines if line.startswith("-")) == case.removed
    assert {line[1:] for line in lines if line.startswith("+")} == set(case.added)
    assert executor.execute("python", found.fixed_code).exit_code == 0
    assert (found.fixed_by, found.verification.tests_passed) == ("rules", True)


NO_RULE = {
    "a variable with the name of a function": 'print("beds", count)\n',
    "an exception that was not named": 'try:\n    int("x")\nexcept ValueError:\n    print(e)\n',
    "a variable with the name of a module": "beds = [1]\nprint(len(beds), copy)\n",
    "a slip near two names": "value = 1\nvalues = [value]\nprint(valuez)\n",
    "a number as text in a variable": 'price = "10"\ntax = 5\nprint(price + tax)\n',
    "a line that fits in two places": "total = 0\nfor bed in [1, 2]:\n    total += bed\n  print(total)\n",
    "a block without an end": "total = 0\nfor bed in [1, 2]:\nprint(bed)\ntotal += bed\nprint(total)\n",
    "a list that may end on each line": "beds = [10,\n20,\n30\nprint(beds)\n",
    "a call that may end before a sign": "north = int(3\n-1\nprint(north)\n",
    "a function of two modules": "print(escape('a<b'))\n",
    "a division that decides": 'total = 0\nif not 5 / total:\n    print("all are removed")\n',
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("source", NO_RULE.values(), ids=list(NO_RULE))
def test_where_code_may_mean_several_things_no_rule_guesses(
    executor: Executor, debugger: Debugger, source: str
) -> None:
    with pytest.raises(PatchGenerationError, match="no rule knows a safe one"):
        debugger.debug(failed(executor, source))


def test_a_name_is_written_anew_where_it_is_used_and_not_in_texts(executor: Executor, debugger: Debugger) -> None:
    found = debugger.debug(failed(executor, 'name = "Rose"\nprint("naem:", naem)  # naem\n'))

    assert found.fixed_code == 'name = "Rose"\nprint("naem:", name)  # naem\n'


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sign", ["\x0c", "\x1c", "\u2028"])
def test_lines_are_those_of_the_interpreter(executor: Executor, debugger: Debugger, sign: str) -> None:
    source = f'note = """{sign}é"""\nnone = 0\ntext = "é"; part = 5 / none\n'

    found = debugger.debug(failed(executor, source))

    assert found.fixed_code == source.replace("5 / none", "(5 / none if none else None)")


def test_a_fix_that_changes_what_was_printed_before_is_none(executor: Executor) -> None:
    debugger = Debugger(executor, lambda: replies("print('nothing')\n"))

    with pytest.raises(VerificationError, match="printed before it failed"):
        debugger.debug(failed(executor, "print('beds')\nassert False\n"), retries=1)


@pytest.mark.soak
def test_a_fix_after_which_an_object_is_printed_instead_of_a_value_is_none(
    executor: Executor, debugger: Debugger
) -> None:
    with pytest.raises(VerificationError, match="where an object is in memory"):
        debugger.debug(failed(executor, "print('plants:', product([2, 3]))\n"))
    assert debugger.debug(failed(executor, "print(list(product([2, 3])))\n")).fixed_by == "rules"


def test_no_rule_looks_at_code_that_takes_seconds_to_parse() -> None:
    source = "none = 0\nx = [" + "1/none, " * 50_000 + "]\n"
    stderr = (
        'Traceback (most recent call last):\n  File "x", line 2, in <module>\nZeroDivisionError: division by zero\n'
    )

    assert list(patches(source, diagnose(source, stderr, 1, "python"))) == []
    assert list(patches("none = 0\nx = [1/none]\n", diagnose(source, stderr, 1, "python"))) != []


@pytest.mark.parametrize(
    ("source", "stderr"),
    [
        ("(" + "\n" * 300_000, ""),
        ("(", "\n" * 300_000 + "ValueError: x"),
        ("fn a<" * 60_000, "-->" * 100_000),
        ('x = "' + ")" * 190_000 + "y", 'File "x", line 1\nSyntaxError: unterminated string literal'),
        ("x = (" + " " * 190_000 + "y", "File \"x\", line 1\nSyntaxError: '(' was never closed"),
    ],
)
def test_long_texts_are_read_in_proportion_to_their_length(source: str, stderr: str) -> None:
    """Each of these took minutes, or hours, in which nothing else in the process could go on."""
    language_of(source, stderr)
    failure = diagnose(source, stderr or "x", 1, "python")

    assert list(patches(source, failure)) is not None


@pytest.mark.soak
def test_a_function_is_called_until_it_fails_in_the_same_way_and_other_calls_give_the_same(debugger: Debugger) -> None:
    source = "def share(rows, whole):\n    part = len(rows)\n    return part / whole\n"
    stderr = 'Traceback (most recent call last):\n  File "x", line 3, in share\nZeroDivisionError: division by zero\n'

    found = debugger.debug(Failed(source, stderr))

    assert found.diagnosis.line_number == 3
    assert "`share([], 0)`" in found.verification.failure_reproduced
    assert found.verification.unchanged_calls > 10


BESIDE = {"what it prints": "print(rows)", "what it does to its arguments": "isinstance(rows, list) and rows.reverse()"}
OUT_OF_RANGE = 'Traceback (most recent call last):\n  File "x", line 3, in first\nIndexError: list index out of range\n'


@pytest.mark.soak
@pytest.mark.every_run("what it prints")
@pytest.mark.parametrize("does", BESIDE.values(), ids=list(BESIDE))
def test_a_fix_keeps_what_a_call_does_beside_its_value(executor: Executor, does: str) -> None:
    source = f"def first(rows, other):\n    {does}\n    return len(rows) if rows[0] else 0\n"
    fixed = source.replace("if rows[0]", "if rows and rows[0]")

    kept = Debugger(executor, lambda: replies(fixed)).debug(Failed(source, OUT_OF_RANGE))
    with pytest.raises(VerificationError, match="prints something else than before, or changes its arguments"):
        Debugger(executor, lambda: replies(fixed.replace(does, "pass"))).debug(Failed(source, OUT_OF_RANGE), retries=1)

    assert kept.verification.unchanged_calls > 10


@pytest.mark.soak
def test_what_a_generator_yields_is_compared(executor: Executor) -> None:
    source = "def first(rows):\n    yield 1\n    yield rows[0]\n"
    fixed = source.replace("yield rows[0]", "yield rows[0] if rows else None")
    model = replies(fixed.replace("yield 1", "yield 2"))

    kept = Debugger(executor, lambda: replies(fixed)).debug(Failed(source, OUT_OF_RANGE))
    with pytest.raises(VerificationError, match=r"`first\(\[1, 2\]\)` gave \[1, 1\] before, and gives \[2, 1\] now"):
        Debugger(executor, lambda: model).debug(Failed(source, OUT_OF_RANGE), retries=1)

    assert "`first([])`" in kept.verification.failure_reproduced


@pytest.mark.soak
def test_calls_that_end_differently_each_time_are_not_compared(executor: Executor) -> None:
    source = "import time\n\ndef first(rows):\n    return rows[0]\n\ndef now(zone):\n    return time.time_ns()\n"
    fixed = source.replace("rows[0]", "rows[0] if rows else None")

    kept = Debugger(executor, lambda: replies(fixed)).debug(Failed(source, "IndexError: list index out of range\n"))

    assert 0 < kept.verification.unchanged_calls < 12


@pytest.mark.soak
def test_a_fix_that_a_test_in_the_code_refuses_is_none(debugger: Debugger) -> None:
    source = (
        "def mean(rows):\n    return sum(rows) / len(rows)\n\n"
        "def test_nothing():\n    assert mean([]) == 0\n\ndef test_two():\n    assert mean([1, 3]) == 2\n"
    )
    stderr = 'Traceback (most recent call last):\n  File "x", line 2, in mean\nZeroDivisionError: division by zero\n'

    with pytest.raises(VerificationError, match=r"`test_nothing\(\)` fails with AssertionError"):
        debugger.debug(Failed(source, stderr))
    kept = debugger.debug(Failed(source.replace("== 0", "is None"), stderr))
    assert kept.verification.tests_run == 2


FAILING = {
    "it waits for something": "async def test_beds():\n    assert share(4, 2) == 3\n",
    "it ends the program": "import sys\n\ndef test_beds():\n    sys.exit(1)\n",
    "it fails with an exception of its own": (
        "class Failed(BaseException):\n    pass\n\ndef test_beds():\n    raise Failed\n"
    ),
    "it never ends": "def test_beds():\n    while True:\n        pass\n",
    "it comes after the end of the module": "def test_beds():\n    assert False\n\nimport sys\nsys.exit(0)\n",
}


@pytest.mark.every_run("it ends the program", "it comes after the end of the module")
@pytest.mark.parametrize("test", FAILING.values(), ids=list(FAILING))
def test_a_fix_never_holds_where_a_test_in_the_code_fails(debugger: Debugger, executor: Executor, test: str) -> None:
    source = "print(math.floor(2.5))\n\ndef share(part, whole):\n    return part / whole\n\n"

    with pytest.raises(VerificationError, match=r"`test_beds\(\)` fails with|do not come to an end"):
        debugger.debug(failed(executor, source + test))
    kept = debugger.debug(failed(executor, f"{source}async def test_beds():\n    assert share(4, 2) == 2\n"))
    assert kept.verification.tests_run == 1


@pytest.mark.soak
def test_what_calls_the_fixed_function_gives_the_same_as_well(debugger: Debugger) -> None:
    source = (
        "def share(part, whole):\n    return part / whole\n\ndef label(part, whole):\n    try:\n"
        "        return 'good' if share(part, whole) else 'bad'\n"
        "    except ZeroDivisionError:\n        return 'no beds'\n"
    )
    stderr = 'Traceback (most recent call last):\n  File "x", line 2, in share\nZeroDivisionError: division by zero\n'

    with pytest.raises(VerificationError, match="gave 'no beds' before, and gives 'bad' now"):
        debugger.debug(Failed(source, stderr))


@pytest.mark.soak
def test_where_not_all_functions_end_only_that_of_the_traceback_is_called(debugger: Debugger) -> None:
    source = "def share(part, whole):\n    return part / whole\n\ndef wait(bed):\n    while True:\n        pass\n"
    stderr = 'Traceback (most recent call last):\n  File "x", line 2, in share\nZeroDivisionError: division by zero\n'

    assert debugger.debug(Failed(source, stderr)).verification.unchanged_calls > 10


def test_a_failure_that_is_not_seen_again_is_not_fixed(debugger: Debugger) -> None:
    with pytest.raises(VerificationError, match="could not be seen again") as told:
        debugger.debug(Failed("def add(a, b):\n    return 3\n", "ZeroDivisionError: division by zero\n"))

    assert isinstance(told.value.diagnosis, CodeDiagnosis)
    assert told.value.diagnosis.error_type == "ZeroDivisionError"


def test_without_a_rule_and_a_model_the_diagnosis_is_all_there_is(executor: Executor, debugger: Debugger) -> None:
    with pytest.raises(PatchGenerationError, match="no rule knows a safe one, and no language model") as told:
        debugger.debug(failed(executor, "beds = {}\nprint(beds['north'])\n"))

    diagnosis = told.value.diagnosis
    assert isinstance(diagnosis, CodeDiagnosis)
    assert (diagnosis.error_type, diagnosis.line_number, diagnosis.category) == ("KeyError", 2, "KeyNotFound")
    assert diagnosis.advice


def replies(*codes: str) -> ScriptedModel:
    answers = [{"cause": "c", "change": f"change {number}", "code": code} for number, code in enumerate(codes, 1)]
    return ScriptedModel({"debug": answers})


def test_the_model_is_told_why_its_fix_did_not_hold(executor: Executor) -> None:
    model = replies("print({}['south'])\n", "beds = {}\nprint(beds.get('north'))\n")

    found = Debugger(executor, lambda: model).debug(failed(executor, "beds = {}\nprint(beds['north'])\n"))

    assert (found.fixed_by, found.patch_description) == ("model", "change 1 change 2")
    assert found.patches_attempted == 2
    assert "KeyError" in model.asked[1].messages[1].content


def test_no_more_fixes_are_tried_than_asked_for(executor: Executor) -> None:
    model = replies(*(f"raise KeyError('north')  # {number}\n" for number in range(9)))

    with pytest.raises(VerificationError, match="None of the 2 fixes"):
        Debugger(executor, lambda: model).debug(failed(executor, "raise KeyError('north')\n"), retries=2)
    assert len(model.asked) == 2


def test_the_model_is_told_of_an_exception_that_was_printed(executor: Executor) -> None:
    source = "beds = {}\nprint(beds['north'])\n"
    seen = failed(executor, source)
    model = replies("beds = {}\nprint(beds.get('north'))\n")

    Debugger(executor, lambda: model).debug(Failed(source, "", seen.exit_code, seen.stderr, "python"))

    assert "KeyError: 'north'" in model.asked[0].messages[1].content


def test_code_too_long_for_the_model_is_not_sent_in_part(executor: Executor) -> None:
    model = replies("print(1)\n")
    source = f"raise KeyError('north')\n{'x = 1  # filler' * 2_000}\n"

    with pytest.raises(PatchGenerationError, match=r"The code has 30,0\d\d characters"):
        Debugger(executor, lambda: model).debug(failed(executor, source))
    assert model.asked == []


COMPILED = {
    "c": ('#include <stdio.h>\nint main(void) { printf("Béte\\n") }\n', 'printf("Béte\\n"); }'),
    "cpp": ("#include <cstdio>\nint main() { std::puts(\"a\"); return 0 }\n", "return 0; }"),
    "rust": ('fn main() { let beds = 1; beds += 1; println!("{beds}"); }\n', "let mut beds"),
}  # fmt: skip


@pytest.mark.parametrize("language", COMPILED)
def test_what_a_compiler_would_mend_is_mended(executor: Executor, debugger: Debugger, language: str) -> None:
    if MISSING[language] is not None:
        pytest.skip(str(MISSING[language]))
    source, part = COMPILED[language]

    found = debugger.debug(failed(executor, source, language))

    assert part in found.fixed_code
    assert (found.diagnosis.error_type, found.diagnosis.line_number) == (
        "CompileError",
        found.fixed_code.count("#") + 1,
    )
    assert executor.execute(language, found.fixed_code).exit_code == 0


FAILURES = {
    "javascript": ("const beds = rows.length;\n", "ReferenceError", 1),
    "java": (
        'public class Main { public static void main(String[] a) {\n  Integer.parseInt("x");\n} }\n',
        "NumberFormatException",
        2,
    ),
    "bash": ("#!/bin/bash\nsow_beds\n", "CommandNotFound", 2),
    "go": ("package main\nfunc main() {\n  var rows []int\n  _ = rows[2]\n}\n", "panic", 4),
    "rust": ("fn main() {\n  let rows: Vec<i32> = vec![];\n  let _ = rows[2];\n}\n", "panic", 3),
    "cpp": ("#include <vector>\nint main() { return std::vector<int>().at(2); }\n", "Aborted", None),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", FAILURES)
def test_the_failure_of_each_language_has_its_name_and_line(executor: Executor, language: str) -> None:
    if MISSING[language] is not None:
        pytest.skip(str(MISSING[language]))
    source, name, line = FAILURES[language]
    run = failed(executor, source, language)

    found = diagnose(source, run.stderr, run.exit_code, language).diagnosis

    assert (found.error_type, found.line_number) == (name, line)
    assert language_of(source, run.stderr) == language
    assert language_of(source, "") == language


def test_output_is_no_cause_unless_it_names_an_exception() -> None:
    told = "NameError: name 'x' is not defined"

    assert Failed("", stdout="sowing\n", exit_code=139).complaint("c") == ""
    assert Failed("", stdout=f"sowing\n{told}\n").complaint("python").strip().endswith(told)
    assert Failed("", stdout=told, stderr="KeyError: 'y'").complaint("python") == "KeyError: 'y'"


def test_what_did_not_fail_or_says_nothing_is_not_diagnosed(debugger: Debugger) -> None:
    with pytest.raises(DiagnosisError, match="exit code is 0"):
        debugger.debug(Failed("print(1)\n", "sowing\n", 0))
    with pytest.raises(DiagnosisError, match="in which language"):
        debugger.debug(Failed("???", "", 1))
    with pytest.raises(UnsupportedLanguage):
        debugger.debug(Failed("print 1", "", 1, language="cobol"))


def test_where_nothing_says_why_code_failed_it_is_run(debugger: Debugger) -> None:
    found = debugger.debug(Failed("print(math.floor(7.5))\n"))

    assert (found.diagnosis.error_type, found.diagnosis.line_number) == ("NameError", 1)
    assert found.fixed_code == "import math\nprint(math.floor(7.5))\n"
    with pytest.raises(DiagnosisError, match="run in the sandbox: it ran to its end"):
        debugger.debug(Failed("print(1)\n"))


def test_hostile_code_is_tried_in_the_sandbox_alone(debugger: Debugger, tmp_path: Path) -> None:
    mark = tmp_path / "escaped"
    source = f"import pathlib\npathlib.Path({str(mark)!r}).write_text('out')\nprint(math.pi)\n"

    with pytest.raises(DebuggingError):
        debugger.debug(Failed(source, "NameError: name 'math' is not defined\n"))

    assert not mark.exists()


def test_edits_are_made_at_their_places_and_none_twice() -> None:
    code = "one\ntwo\nthrée four\n"
    edits = [
        Edit(line=3, column=7, end_line=3, end_column=11, text="five"),
        Edit(line=1, column=1, end_line=1, end_column=1, text="zero "),
        Edit(line=3, column=8, end_line=3, end_column=9, text="!"),
    ]

    assert edited(code, edits[:2]) == "zero one\ntwo\nthrée five\n"
    assert edited(code, edits) == "zero one\ntwo\nthrée f!ur\n"
