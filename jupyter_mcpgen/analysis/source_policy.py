"""What source may use, as a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from jupyter_mcpgen.analysis.namespaces import INSTANCE, Namespace
from jupyter_mcpgen.analysis.rules import Rule

_DUNDER = re.compile(r"^__\w+__$")


def is_dunder(name: str) -> bool:
    """Return whether a name has two underscores on both sides."""
    return bool(_DUNDER.match(name))


@dataclass(frozen=True)
class SourcePolicy:
    """What source may use, as a value.

    `namespaces` are the modules and module-like objects that there are; nothing else can be imported.
    `attributes` are refused on any object, `calls` only when called, `builtins` wherever they are named. Of the names
    with two underscores on both sides `dunders` may be used, and classes may define `dunder_methods`.
    """

    namespaces: Mapping[str, Namespace]
    builtins: Mapping[str, Rule]
    attributes: Mapping[str, Rule]
    calls: Mapping[str, Rule]
    dunders: frozenset[str]
    dunder_methods: frozenset[str]

    def refuses_dunder(self, name: str) -> bool:
        """Return whether a name with two underscores on both sides may not be used."""
        return is_dunder(name) and name not in self.dunders

    def follows(self, path: str) -> bool:
        """Return whether a path is a namespace or a direct member of one."""
        if path in self.namespaces or path.removesuffix(INSTANCE) in self.namespaces:
            return True
        parent = path.rpartition(".")[0]
        return parent in self.namespaces and not path.endswith(INSTANCE)
