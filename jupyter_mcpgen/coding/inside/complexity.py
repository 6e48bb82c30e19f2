"""The complexity of functions in languages other than Python."""

from __future__ import annotations

from pathlib import Path

from .found import Checked, Files, Found, Programs, too_complex


def lizard(files: Files, programs: Programs) -> Checked:
    """Return the cyclomatic complexity of each function."""
    import lizard as measuring  # type: ignore[import-untyped]

    found: dict[str, Found] = {}
    for file in files:
        code = Path(file).read_text(encoding="utf-8", errors="replace")
        functions = measuring.analyze_file.analyze_source_code(file, code).function_list
        flaws = [too_complex(each.name, each.start_line, each.cyclomatic_complexity) for each in functions]
        complexities = [float(each.cyclomatic_complexity) for each in functions]
        found[file] = Found([flaw for flaw in flaws if flaw], complexities)
    return found
