"""The base of every record."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value with a closed set of fields; `model_dump_json` and `model_validate_json` are inverses."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True)

    def replace(self, **changes: object) -> Self:
        """Return a validated copy with some fields changed."""
        return type(self).model_validate({**dict(self), **changes})
