"""What source may use, as a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_mcpgen.analysis.namespaces import INSTANCE, Namespace
from jupyter_mcpgen.analysis.rules import Rule

_DUNDER = re.compile(r"^__\w+__$")


def is_dunder(name: str) -> bool:
    """Return whether a name has two underscores on both sides."""
    return bool(_DUNDER.match(name))


@dataclass(frozen=True)
class SourcePolicy:
    """What source may use, as a value.

    `namespaces` restricts modules and module-like objects; with `imports_are_listed` nothing else can be imported.
    `attributes` are refused on any object, `calls` only when called, `builtins` wherever they are named.
    `data_rules` adds the rules about pandas: writers, addresses, text that is code, formats.
    """

    namespaces: Mapping[str, Namespace]
    builtins: Mapping[str, Rule]
    attributes: Mapping[str, Rule]
    imports_are_listed: bool = True
    refused_imports: Mapping[str, Rule] = field(default_factory=dict)
    calls: Mapping[str, Rule] = field(default_factory=dict)
    dunders_allowed: frozenset[str] | None = None
    dunders_refused: frozenset[str] = frozenset()
    dunder_methods: frozenset[str] | None = None
    private_attributes: bool = True
    data_rules: bool = False
    magics: frozenset[str] = frozenset()
    help_lines: bool = False

    def refuses_dunder(self, name: str) -> bool:
        """Return whether a name with two underscores on both sides may not be used."""
        if not is_dunder(name):
            return False
        return name in self.dunders_refused if self.dunders_allowed is None else name not in self.dunders_allowed

    def follows(self, path: str) -> bool:
        """Return whether a path is a namespace or a direct member of one."""
        if path in self.namespaces or path.removesuffix(INSTANCE) in self.namespaces:
            return True
        parent = path.rpartition(".")[0]
        return parent in self.namespaces and not path.endswith(INSTANCE)
