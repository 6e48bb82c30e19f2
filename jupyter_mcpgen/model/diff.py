"""What one version of a tool changes, compared with another."""

from __future__ import annotations

from jupyter_mcpgen.model.record import Record


class Diff(Record):
    """The difference between two versions of a tool, in sentences and as a diff of the code.

    `before_fingerprint` says which content was compared: an approval of the next version counts for no other.
    `contract`, `capabilities` and `code` are empty where nothing changed; `code` is a unified diff.
    """

    tool_name: str
    before: str
    before_fingerprint: str
    after: str
    summary: str
    contract: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    result: str = ""
    code: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything but the code, one sentence each."""
        return (self.summary, *self.contract, *self.capabilities, *([self.result] if self.result else []))
