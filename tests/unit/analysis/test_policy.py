"""What the static gate refuses and what it lets pass, case by case from `tests/cases/policy`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.analysis.policy import check_policy
from jupyter_mcpgen.model.validation import Severity

FOLDER = Path(__file__).parents[2] / "cases" / "policy"
HEADER = re.compile(r"^# case: (?P<name>.+)\n(# capabilities: (?P<caps>.+)\n)?# expect: (?P<rules>.+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A snippet, what it may do, and every rule it breaks."""

    file: str
    name: str
    capabilities: tuple[str, ...]
    rules: frozenset[str]
    source: str


def cases() -> list[Case]:
    """Read every case."""
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]


def read(path: Path) -> list[Case]:
    """Read the cases of one file."""
    text = path.read_text(encoding="utf-8")
    headers = list(HEADER.finditer(text))
    assert len(headers) == text.count("# case:"), f"a header of {path.name} is malformed"
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return [
        Case(
            path.stem,
            header["name"],
            tuple((header["caps"] or "").split()),
            frozenset(header["rules"].replace("none", "").split()),
            text[header.end() : end].rstrip("\n") + "\n",
        )
        for header, end in zip(headers, ends, strict=True)
    ]


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.file}: {case.name}")
def test_a_snippet_breaks_exactly_the_rules_it_is_said_to_break(case: Case) -> None:
    """Each pair of snippet and rules in the case files holds."""
    findings = check_policy(case.source, case.capabilities)

    assert {finding.rule for finding in findings} == case.rules, findings


def test_the_whole_escape_corpus_is_named() -> None:
    """E1 to E7 of the escape corpus each have at least one case."""
    named = {case.name.split()[0] for case in cases() if case.file == "tool_escapes"}

    assert named >= {f"E{number}" for number in range(1, 8)}


def test_a_finding_says_what_where_and_what_to_do() -> None:
    """A finding can be read on its own."""
    (finding,) = check_policy("x = 1\nimport os\n", ())

    assert finding.model_dump() == {
        "gate": "policy",
        "rule": "import-not-allowed",
        "severity": Severity.ERROR,
        "message": "`os` is not a module that generated code may import.",
        "line": 2,
        "fix": "Use pandas, numpy, scipy or the safe part of the standard library.",
    }


def test_findings_come_in_the_order_of_the_lines() -> None:
    """The lines of a finding after an escape are the lines of the source."""
    source = "import os\n!ls\n\neval('1')\n"

    assert [(f.line, f.rule) for f in check_policy(source, ())] == [
        (1, "import-not-allowed"),
        (2, "ipython-shell"),
        (4, "builtin-not-allowed"),
    ]


def test_printing_warns_and_does_not_block() -> None:
    """The stream belongs to the protocol, yet a stray print does no harm."""
    (finding,) = check_policy("print(1)", ())

    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    "source",
    [
        "\x00",
        "\ud800",
        "(" * 500,
        "-" * 5000 + "1",
        "x" + ".a" * 5000,
        "x = " + "+".join("1" * 20000),
        "1" * 5000,
        "\\",
        f'x: "{"-" * 60_000}1" = 1',
    ],
    ids=["null", "surrogate", "brackets", "signs", "chain", "sum", "digits", "backslash", "annotation"],
)
def test_hostile_text_is_a_finding_or_passes_and_never_a_crash(source: str) -> None:
    """Text that breaks parsers is data too."""
    assert all(finding.rule in ("syntax-error", "too-deep") for finding in check_policy(source, ()))


@pytest.mark.parametrize(("parts", "rules"), [(300, []), (60_000, ["too-deep"])])
def test_a_name_of_more_parts_than_the_parser_reads_in_good_time_is_not_parsed(parts: int, rules: list[str]) -> None:
    found = check_policy("import " + ".".join(["pandas"] * parts), ())

    assert [finding.rule for finding in found if finding.rule == "too-deep"] == rules


# Fragments of Python, IPython and pandas, on lines so that a person can read them.
PIECES = """
x pd . ( ) [ ] { } , : = := + @ % ! ? %% ' " ''' f' \\ # lambda for in if else not import from as def class async
await yield match case getattr __class__ eval df.query pd.eval .format .agg to_csv 1 0.5 None * **
"""
FRAGMENTS = st.sampled_from([*PIECES.split(), "\n", "\n    "])


@settings(max_examples=150, deadline=None)
@given(st.lists(FRAGMENTS, max_size=40).map(" ".join) | st.text(max_size=80))
def test_no_text_crashes_the_check(source: str) -> None:
    """Any text gives findings."""
    assert isinstance(check_policy("import pandas as pd\n" + source, ()), tuple)
