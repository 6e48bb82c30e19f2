"""What checkers find in the sandbox, added up; only what changed is checked again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.coding import checkers
from jupyter_mcpgen.coding.analysis import Analyst, quality_score, summarize
from jupyter_mcpgen.coding.checkers import CHECKERS
from jupyter_mcpgen.errors import CheckerMissing, QuestionStopped, SandboxUnavailable
from jupyter_mcpgen.model.analysis import MOST_ISSUES, AnalysisType
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.flawed_project import FILES, write_flawed
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
MISSING = available()


def test_each_category_of_flaw_is_found_where_it_is(analyst: Analyst, project: Path) -> None:
    whole = analyst.whole(project)

    found = {(issue.category.value, issue.file, issue.rule, issue.line) for issue in whole.issues}
    assert found >= {
        ("lint", "orders.py", "F401", 3),
        ("type", "orders.py", "return-value", 8),
        ("security", "orders.py", "B602", 12),
        ("complexity", "pack-age/tangled.py", "complexity", 1),
        ("dead_code", "orders.py", "unused-unreachable_code", 17),
        ("lint", "broken.py", "invalid-syntax", 1),
        ("lint", "torn.js", "syntax", 1),
        ("lint", "count.c", "-Wunused-variable", 1),
    }
    assert not any(issue.file == "page.js" for issue in whole.issues)  # it is a module
    assert [issue.severity for issue in whole.issues] == sorted(
        [issue.severity for issue in whole.issues], key=list(Severity).index
    )


@pytest.mark.soak
def test_a_flaw_is_found_whatever_the_name_of_its_file_and_its_kind(tmp_path: Path, analyst: Analyst) -> None:
    """What a checker cannot say of a file must not look as if the file were clean."""
    files = {
        "a:b.c": "int broken( { return 1; }\n",
        "a\nb: line 1: c.sh": "if true; then\n",
        "torn module.js": "export const a = 1;\nconst b = ;\n",
        "torn.mjs": "const b = ;\n",
    }
    for name, code in files.items():
        (tmp_path / name).write_text(code)

    whole = analyst.whole(tmp_path)

    assert {issue.file for issue in whole.issues if issue.category is AnalysisType.LINT} == set(files)


def test_headers_are_read_in_either_language_and_found_by_what_includes_them(tmp_path: Path, analyst: Analyst) -> None:
    for name, code in {
        "bed.h": "#pragma once\n#include <string>\nclass Bed { public: std::string name; };\n",
        "rows.hpp": "#pragma once\ntemplate<class T> T same(T a) { return a; }\n",
        "count.h": "#pragma once\nstatic inline int two(void) { return 2; }\n",
        "torn.h": "class Torn { int a(; };\n",
        "sow.cpp": '#include "bed.h"\n#include "rows.hpp"\nint main() { Bed bed; return same(1) + oops; }\n',
        "sum.c": '#include "count.h"\nint main(void) { return two(); }\n',
    }.items():
        (tmp_path / name).write_text(code)

    whole = analyst.whole(tmp_path)

    assert whole.unchecked == ()
    assert {(issue.file, issue.severity) for issue in whole.issues} == {
        ("torn.h", Severity.ERROR), ("sow.cpp", Severity.ERROR),
    }  # fmt: skip


@pytest.mark.soak
def test_a_header_that_changed_is_seen_by_what_includes_it(tmp_path: Path, analyst: Analyst) -> None:
    (tmp_path / "bed.h").write_text("class Bed { public: int rows; };\n")
    (tmp_path / "sow.cpp").write_text('#include "bed.h"\nint main() { return Bed().rows; }\n')
    first = analyst.whole(tmp_path).issues

    (tmp_path / "bed.h").write_text("class Bed { public: int lines; };\n")

    assert first == ()
    assert [issue.file for issue in analyst.whole(tmp_path).issues] == ["sow.cpp"]


@needs(MISSING.get("rust"))
def test_in_rust_a_program_uses_what_it_calls_and_a_library_offers_it(tmp_path: Path, analyst: Analyst) -> None:
    for name, code in {
        "main.rs": "mod beds;\nfn main() { sow(beds::two()) }\nfn sow(_: i32) {}\n",
        "beds.rs": "pub fn two() -> i32 { 2 }\nfn left() -> i32 { 3 }\n",
        "lib.rs": 'pub fn four() -> i32 { "4" }\n',
        "bare.rs": "#![no_std]\npub fn five() -> i32 { 5 }\n",
    }.items():
        (tmp_path / name).write_text(code)

    found = analyst.whole(tmp_path)

    assert [(one.file, one.line, one.severity, one.message) for one in found.issues if one.checker == "rustc"] == [
        ("lib.rs", 1, Severity.ERROR, "mismatched types"),
        ("beds.rs", 2, Severity.WARNING, "function `left` is never used"),
    ]
    assert found.unchecked == ()


def test_a_warning_of_the_shell_is_no_error(tmp_path: Path, analyst: Analyst) -> None:
    (tmp_path / "sow.sh").write_text("cat <<END\nbeds\n")

    (issue,) = analyst.file(tmp_path / "sow.sh").issues

    assert (issue.severity, issue.line, issue.message[:13]) == (Severity.WARNING, 2, "here-document")


@pytest.mark.soak
def test_python_in_another_encoding_is_no_error_of_its_author(tmp_path: Path, analyst: Analyst) -> None:
    (tmp_path / "latin.py").write_bytes(b'# -*- coding: latin-1 -*-\nNAME = "caf\xe9"\n')
    (tmp_path / "torn.py").write_bytes(b'NAME = "caf\xe9"\n')

    whole = analyst.whole(tmp_path)

    assert {issue.file for issue in whole.issues if issue.severity is Severity.ERROR} == {"torn.py"}
    assert ("latin.py", "ruff") in {(one.file, one.checker) for one in whole.unchecked}


@pytest.mark.soak
def test_a_module_with_a_stub_is_checked_by_its_stub_and_said_to_be(tmp_path: Path, analyst: Analyst) -> None:
    (tmp_path / "pots").mkdir()
    for name, code in {
        "beds.py": "def two(): return 2\n",
        "beds.pyi": "x: int = ''\ndef two() -> int: ...\n",
        "pots.py": "x: int = ''\n",
        "pots/__init__.py": "y: int = ''\n",
        "sow.py": "from beds import two\nz: str = two()\n",
    }.items():
        (tmp_path / name).write_text(code)

    whole = analyst.whole(tmp_path)

    wrong = {issue.file for issue in whole.issues if issue.category is AnalysisType.TYPE}
    assert wrong == {"beds.pyi", "pots/__init__.py", "sow.py"}
    assert {(one.file, one.why) for one in whole.unchecked} == {
        ("beds.py", "its stub is checked in its place"),
        ("pots.py", "the package of its name is checked in its place"),
    }


@pytest.mark.soak
def test_a_package_is_checked_under_its_own_name(tmp_path: Path, analyst: Analyst) -> None:
    for name, code in {
        "__init__.py": "",
        "beds.py": "WIDTH: int = 3\n",
        "sow.py": "from nursery.beds import WIDTH\nfrom nursery.gone import x\ny: str = WIDTH\n",
    }.items():
        (tmp_path / "nursery").mkdir(exist_ok=True)
        (tmp_path / "nursery" / name).write_text(code)

    whole = analyst.whole(tmp_path / "nursery")

    types = {(issue.file, issue.line) for issue in whole.issues if issue.category is AnalysisType.TYPE}
    assert types == {("sow.py", 3)}
    assert whole.unchecked == ()


@pytest.mark.soak
def test_what_to_do_is_said_where_a_checker_knows_it(analyst: Analyst, project: Path) -> None:
    (project.parent / "slip.c").write_text("int main(void) { return 0 }\n")

    told = {issue.rule: issue.suggestion for issue in analyst.file(project / "orders.py").issues}
    compiler = [issue.suggestion for issue in analyst.file(project.parent / "slip.c").issues]

    assert told["F401"] == "Remove unused import: `os`"
    assert str(told["return-value"]).endswith("#code-return-value")
    assert str(told["B602"]).startswith("See https://bandit.readthedocs.io/")
    assert compiler == ["The compiler would write `;`."]


@pytest.mark.soak
def test_a_file_that_a_checker_cannot_read_is_named_with_the_reason(analyst: Analyst, project: Path) -> None:
    told = {(one.file, one.checker): one.why for one in analyst.whole(project, ["broken.py"]).unchecked}

    readers_of_its_tree = ("bandit", "mypy", "radon", "vulture")
    assert told == {("broken.py", checker): "it cannot be parsed" for checker in readers_of_its_tree}


@pytest.mark.every_run("security", "dead_code")
@pytest.mark.parametrize("wanted", [AnalysisType.TYPE, AnalysisType.SECURITY, AnalysisType.DEAD_CODE])
def test_a_file_that_cannot_be_parsed_never_counts_as_clean(
    analyst: Analyst, project: Path, wanted: AnalysisType
) -> None:
    found = analyst.file(project / "broken.py", [wanted])

    assert (found.issues, [one.why for one in found.unchecked]) == ((), ["it cannot be parsed"])
    assert analyst.file(project / "orders.py", [wanted]).unchecked == ()


@pytest.mark.soak
def test_measures_are_those_of_the_code(analyst: Analyst, project: Path) -> None:
    found = analyst.file(project / "pack-age" / "tangled.py")

    assert found.metrics.lines_of_code == 26
    assert found.metrics.cyclomatic_complexity == 25
    assert found.metrics.maintainability_index is not None
    assert 0 < found.metrics.maintainability_index < 100
    assert analyst.file(project / "count.c").metrics.maintainability_index is None


@pytest.mark.soak
def test_only_what_was_asked_for_is_looked_at_and_told(analyst: Analyst, project: Path) -> None:
    security = analyst.file(project / "orders.py", (AnalysisType.SECURITY,))
    severe = analyst.file(project / "orders.py", threshold=Severity.ERROR)

    assert (security.checkers, {issue.category for issue in security.issues}) == (("bandit",), {"security"})
    assert {issue.severity for issue in severe.issues} == {Severity.ERROR}
    assert severe.issue_counts == {Severity.ERROR: len(severe.issues), Severity.WARNING: 0, Severity.INFO: 0}


@pytest.mark.soak
def test_what_did_not_change_is_not_checked_again(tmp_path: Path, analyst: Analyst) -> None:
    root = write_flawed(tmp_path / "again")
    (root / "broken.py").unlink()
    (root / "count.c").unlink()
    first = analyst.whole(root)
    checks: list[int] = []

    second = analyst.whole(root, progress=lambda done, of: checks.append(of))
    (root / "orders.py").write_text("x: int = 'text'\n")
    third = analyst.whole(root, progress=lambda done, of: checks.append(of))

    assert second == first
    assert set(checks) == {5}  # ruff, bandit and radon for one file; mypy and vulture for all of Python
    assert [issue.rule for issue in third.issues if issue.file == "orders.py"] == ["assignment", "unused-variable"]


def test_a_store_that_is_broken_costs_time_only(tmp_path: Path, project: Path, analyst: Analyst) -> None:
    assert analyst.kept.path is not None
    analyst.kept.path.write_bytes(b"no database at all" * 100)

    assert analyst.file(project / "count.c").issues


@pytest.mark.soak
def test_one_file_of_each_name_is_told_apart(tmp_path: Path, analyst: Analyst) -> None:
    for name, code in {"a-b/c.py": "x: int = ''\n", "a_b/c.py": "x: int = 1\n", "_a_b/c.py": "x = 1\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)

    wrong = [issue.file for issue in analyst.whole(tmp_path).issues if issue.category is AnalysisType.TYPE]

    assert wrong == ["a-b/c.py"]


@pytest.mark.every_run("ast.py")
@pytest.mark.parametrize("name", ["types.py", "ast.py", "mypy.py"])
def test_a_file_with_the_name_of_a_library_is_checked(tmp_path: Path, analyst: Analyst, name: str) -> None:
    (tmp_path / name).write_text("x: int = ''\n")
    (tmp_path / "beside.py").write_text("y: int = ''\n")

    wrong = [issue.file for issue in analyst.whole(tmp_path).issues if issue.category is AnalysisType.TYPE]

    assert sorted(wrong) == sorted([name, "beside.py"])


def test_a_linter_that_is_not_installed_is_named_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, project: Path, analyst: Analyst
) -> None:
    lacking = tuple(replace(one, library="not_installed_here") if one.name == "vulture" else one for one in CHECKERS)
    monkeypatch.setattr(checkers, "CHECKERS", lacking)

    with pytest.raises(CheckerMissing, match=r"`vulture` is not installed, .*dead_code.*jupyter-mcpgen\[coding\]"):
        analyst.file(project / "orders.py")
    assert analyst.file(project / "orders.py", (AnalysisType.LINT,)).issues


@pytest.mark.soak
def test_what_lacks_a_checker_can_be_left_out_of_a_project(
    monkeypatch: pytest.MonkeyPatch, project: Path, analyst: Analyst
) -> None:
    lacking = tuple(replace(one, program="not_here") if one.name == "node" else one for one in CHECKERS)
    monkeypatch.setattr(checkers, "CHECKERS", lacking)

    with pytest.raises(CheckerMissing) as told:
        analyst.whole(project)
    with pytest.raises(CheckerMissing) as alone:
        analyst.whole(project, ["*.js"])

    assert 'Or leave these files out: `--exclude "*.cjs,*.js,*.mjs"`, over MCP `exclude_patterns`.' in str(told.value)
    assert "leave" not in str(alone.value)
    assert analyst.whole(project, exclude=["*.cjs", "*.js", "*.mjs"]).issues


def test_without_a_sandbox_nothing_is_checked(project: Path) -> None:
    weak = Analyst(ProgramSandbox(layers=frozenset(), minimum=Level.LANDLOCK))

    with pytest.raises(SandboxUnavailable, match="Nothing was checked"):
        weak.file(project / "orders.py")


def test_a_file_with_very_many_issues_lists_the_most_severe_and_counts_all(tmp_path: Path, analyst: Analyst) -> None:
    path = tmp_path / "many.py"
    path.write_text("import os, sys\n" * 700 + "print(unknown)\n")

    found = analyst.file(path, (AnalysisType.LINT,))

    assert (len(found.issues), found.issues[0].rule) == (MOST_ISSUES, "F821")
    assert found.left_out == sum(found.issue_counts.values()) - MOST_ISSUES > 0


def test_an_analysis_can_be_stopped(project: Path, analyst: Analyst) -> None:
    cancellation = Cancellation()
    cancellation.cancel()

    with pytest.raises(QuestionStopped):
        analyst.whole(project, cancellation=cancellation)


@pytest.mark.soak
def test_the_score_is_pylints_formula_over_lines(analyst: Analyst, project: Path) -> None:
    counts = {Severity.ERROR: 2, Severity.WARNING: 5, Severity.INFO: 90}

    assert quality_score(counts, lines=100) == 85
    assert quality_score(counts, lines=10) == 0
    assert quality_score({**counts, Severity.ERROR: 0, Severity.WARNING: 0}, lines=1) == 100
    found = summarize(analyst.whole(project), "nursery")
    assert found.quality_score == quality_score(found.issue_summary, found.metrics.total_loc)
    assert found.metrics.total_loc == sum(
        len(FILES[file.path].splitlines()) for file in analyst.whole(project).tree.files
    )
