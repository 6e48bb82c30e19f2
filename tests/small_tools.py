"""Tools of a few lines, approved in a registry of the product and run in its sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft, spec


@dataclass(frozen=True)
class SmallTool:
    """One tool: its name, its code, what it takes, what it may do, and what it gives."""

    name: str
    body: str
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    capabilities: tuple[str, ...] = ()
    gives: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})

    def promote(self, registry: Registry) -> None:
        """Have a person approve the tool."""
        names = tuple(self.schema["properties"])
        contract = spec(
            self.name,
            description=f"Does what a test asks of `{self.name}`.",
            input_schema=dict(self.schema),
            output_schema={"type": "object", "properties": {"result": dict(self.gives)}, "required": ["result"]},
            parameters=tuple(ToolParameter(name=name, type="str", description=name) for name in names),
        )
        taken = ", ".join(f"{name}: str" for name in names)
        code = f'def {self.name}({taken}) -> str:\n    """Do it."""\n{indent(self.body, "    ")}\n'
        made = draft(
            self.name,
            f"small-{self.name}",
            contract=contract,
            capabilities=self.capabilities,
            files={"tool.py": code},
        )
        registry.stage(*made.parts)
        registry.promote(made.tool_id, approval(made), approved())
