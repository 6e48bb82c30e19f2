"""What a supervisor is to do: the program, and everything that is enforced on it.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from .confinement import Confinement
from .fields import Fields


class Plan(NamedTuple):
    """One program; `memory_bytes` and `tasks` bound all that it starts, together."""

    confinement: Confinement
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    folder: str
    memory_bytes: int
    tasks: int

    def encoded(self) -> bytes:
        """Return the plan as one JSON object."""
        document = {
            "confinement": self.confinement._asdict(),
            "arguments": self.arguments,
            "environment": dict(self.environment),
            "folder": self.folder,
            "memory_bytes": self.memory_bytes,
            "tasks": self.tasks,
        }
        return json.dumps(document).encode()

    @classmethod
    def decoded(cls, content: bytes) -> Plan:
        """Return the plan that `encoded` wrote."""
        fields = Fields.decoded(content)
        return cls(
            confinement=Confinement.from_fields(fields.below("confinement")),
            arguments=fields.texts("arguments"),
            environment=fields.text_by_name("environment"),
            folder=fields.text("folder"),
            memory_bytes=fields.number("memory_bytes"),
            tasks=fields.number("tasks"),
        )
