"""Gates 1 and 2 over the files of a whole tool."""

from __future__ import annotations

from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.toolkit import helpers_source
from tests.static import static_findings


def test_a_tool_as_an_expert_writes_it_passes_every_static_gate(tool: str, spec: ToolSpec) -> None:
    """The sample with its vendored helpers has no finding at all."""
    assert static_findings({"tool.py": tool, "helpers.py": helpers_source()}, spec, ()) == ()


def test_each_gate_says_what_it_found(tool: str, spec: ToolSpec) -> None:
    """A flaw of every kind is reported by the gate it belongs to."""
    broken = tool.replace(" = 10", " = 11").replace("from typing", "import os\nfrom typing")

    findings = static_findings({"tool.py": broken, "helpers.py": "import os\n"}, spec, ())

    assert [(f.gate, f.rule) for f in findings] == [
        ("contract", "parameter-default"),
        ("policy", "import-not-allowed"),
        ("policy", "helpers-changed"),
        ("lint", "F401"),
    ]


def test_a_tool_without_code_fails(spec: ToolSpec) -> None:
    """Nothing to check is not the same as nothing found."""
    assert {finding.rule for finding in static_findings({}, spec, ())} == {"tool-function", "tool-server"}
