"""What the supervisor of a job must know of it: how long it may take, and what is added to the root that is laid.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from .fields import Fields


class JobOrder(NamedTuple):
    """The order for one job; with `sends_scratch` its folder is sent to the host, who cannot see it, at its end."""

    wall_seconds: float
    read: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    scratch: str
    scratch_bytes: int
    scratch_entries: int
    sends_scratch: bool

    def encoded(self) -> bytes:
        """Return the order as one line of JSON."""
        return json.dumps(self._asdict()).encode() + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> JobOrder:
        """Return the order that `encoded` wrote; raises `ValueError` for anything else."""
        fields = Fields.decoded(line)
        return cls(
            wall_seconds=fields.real("wall_seconds"),
            read=fields.texts("read"),
            links=fields.pairs("links"),
            scratch=fields.text("scratch"),
            scratch_bytes=fields.number("scratch_bytes"),
            scratch_entries=fields.number("scratch_entries"),
            sends_scratch=fields.flag("sends_scratch"),
        )
