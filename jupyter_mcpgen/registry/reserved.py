"""Names that a tool cannot take, because something else answers to them."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata

from jupyter_mcpgen.errors import NameTaken

_SHAPE = re.compile(r"[a-z_][a-z0-9_]{0,63}")

_FAMILIES = ("dynamic_", "coding_", "code_", "synthesize_", "mcpgen_", "__")
"""Beginnings that belong to the product's own tools, and to Python."""

_TOOLS = frozenset(
    {
        "call_tool",
        "cancel_execution",
        "create_session",
        "delete_session_file",
        "destroy_session",
        "execute_code",
        "get_build_status",
        "get_workspace_info",
        "install_package",
        "list_available_packages",
        "list_available_tools",
        "list_runtimes",
        "list_session_files",
        "list_sessions",
        "read_session_file",
        "reset_workspace",
        "search_tools",
        "trigger_build",
        "write_session_file",
    }
)

_IN_TOOL_FILES = frozenset(
    {
        "detect_column_types",
        "helpers",
        "load_csv_data_with_types",
        "mcp",
        "mcpgen",
        "tests",
        "tool",
        "tools",
        "validate_file_and_columns",
    }
)
"""What a tool's own files import or are called."""

_MODULES = frozenset(
    {
        *("analyzing", "analyzing_records", "building", "coding", "debugging", "debugging_records", "dynamic"),
        *("families", "offer", "results", "running", "sandbox", "sandbox_packages", "sandbox_records"),
        "synthesizing",
    }
)
"""Modules of `jupyter_mcpgen.tools`, where each tool is a function of its name."""

_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that Windows does not accept for a folder."""

_PYTHON = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins)})


def normalised(name: str) -> str:
    """Return the one form of a name that counts, so that look-alike Unicode letters do not make another name."""
    return unicodedata.normalize("NFKC", name).strip()


def check_name(name: str) -> None:
    """Raise `NameTaken` for a name that is reserved or not the name of a function."""
    reason = _reason_against(name)
    if reason:
        raise NameTaken(
            f"`{name}` cannot be the name of a tool: {reason}. Choose another name, such as `{_offer(name)}`."
        )


def _reason_against(name: str) -> str | None:
    if not _SHAPE.fullmatch(name):
        return "a name has up to 64 small letters, digits and `_`, and begins with no digit"
    if name in _PYTHON:
        return "Python uses it"
    if name in _TOOLS or name.startswith(_FAMILIES):
        return "it belongs to the tools that are built in"
    if name in _MODULES:
        return "it is a module beside the tools in Python"
    if name in _IN_TOOL_FILES:
        return "the files of every tool use it"
    return "it cannot be a folder on every system" if name in _DEVICES else None


def _offer(name: str) -> str:
    letters = re.sub(r"[^a-z0-9]+", "_", normalised(name).casefold()).strip("_")
    return f"my_{letters}"[:64] if letters else "my_tool"
