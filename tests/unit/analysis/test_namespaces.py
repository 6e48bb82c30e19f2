"""The tables of usable names, held against the libraries that are installed."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from types import ModuleType

import pytest

from jupyter_mcpgen.analysis.namespaces import INSTANCE, TOOL_NAMESPACES
from jupyter_mcpgen.toolkit.vendor import PUBLIC_NAMES

OPTIONAL = ("scipy", "statsmodels")
OBJECTS = ("helpers", "fastmcp.", "pandas.options", "pandas.offsets", "statsmodels.api.families")
ALL_MODULES = sorted(path for path in TOOL_NAMESPACES if not path.startswith(OBJECTS))
MODULES = [path for path in ALL_MODULES if find_spec(path.partition(".")[0])]


def test_only_optional_libraries_may_be_missing_here() -> None:
    """Every library that is a dependency is really walked."""
    missing = {path.partition(".")[0] for path in ALL_MODULES} - {path.partition(".")[0] for path in MODULES}

    assert missing <= set(OPTIONAL)


@pytest.mark.parametrize("path", MODULES)
def test_no_allowed_member_is_a_module_outside_the_table(path: str) -> None:
    """Walking along allowed names never leaves the table."""
    module = importlib.import_module(path)

    leaks = [
        name
        for name in dir(module)
        if not name.startswith("_")
        and isinstance(getattr(module, name, None), ModuleType)
        and f"{path}.{name}" not in TOOL_NAMESPACES
        and TOOL_NAMESPACES[path].refusal(name) is None
    ]

    assert leaks == []


@pytest.mark.parametrize("path", MODULES)
def test_every_listed_member_exists(path: str) -> None:
    """A list does not offer what no version has."""
    module = importlib.import_module(path)
    newer = {"UTC", "nonmember", "member", "tukeyhsd"} if sys.version_info < (3, 13) else set()

    missing = {name for name in TOOL_NAMESPACES[path].members or () if not hasattr(module, name)} - newer

    assert missing == set()


@pytest.mark.parametrize("path", MODULES)
def test_every_module_in_the_table_can_be_reached_through_its_parent(path: str) -> None:
    """A table entry whose parent is missing could be imported but not named."""
    parent = path.rpartition(".")[0]

    assert not parent or parent in TOOL_NAMESPACES


def test_the_helpers_of_the_table_are_those_that_are_exported() -> None:
    """Generated code may use exactly what travels with it."""
    assert TOOL_NAMESPACES["helpers"].members == frozenset(PUBLIC_NAMES)


def test_a_server_object_can_only_offer_tools_and_run() -> None:
    """The framework's line is the only use of the framework."""
    assert TOOL_NAMESPACES[f"fastmcp.FastMCP{INSTANCE}"].members == frozenset({"tool", "run"})
