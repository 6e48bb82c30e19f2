"""What a job has to do: the tool to load, and the calls to make.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .fields import Fields


class JobWork(NamedTuple):
    """The work of one job; `paths` are added to where modules are looked for, and `modules` may be imported.

    `variables` are names that the tool's module has besides its own, `frames` those of data frames, with their files.
    """

    package: str
    function: str
    calls: tuple[dict[str, object], ...]
    paths: tuple[str, ...]
    modules: tuple[str, ...] | None = None
    variables: Mapping[str, object] = {}
    frames: Mapping[str, object] = {}

    @classmethod
    def from_fields(cls, fields: Fields) -> JobWork:
        """Return the value that `_asdict` turned into JSON; raises `ValueError` for anything else."""
        return cls(
            package=fields.text("package"),
            function=fields.text("function"),
            calls=fields.objects("calls"),
            paths=fields.texts("paths"),
            modules=fields.texts_if_any("modules"),
            variables=fields.object_if_any("variables"),
            frames=fields.object_if_any("frames"),
        )
