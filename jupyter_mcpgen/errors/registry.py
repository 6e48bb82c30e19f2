"""A registry that could not do what was asked, and decisions that cannot be carried out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jupyter_mcpgen.errors.root import McpgenError, did_you_mean
from jupyter_mcpgen.wording import in_seconds


class RegistryError(McpgenError):
    """The registry could not do what was asked; nothing was changed."""


class UnknownTool(RegistryError):
    """No promoted tool has that name."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        super().__init__(
            f"No tool named `{name}` is registered.{did_you_mean(name, known)} `%mcpgen list` shows all of them."
        )
        self.name = name


class UnknownCandidate(RegistryError):
    """No staged candidate has that id."""

    def __init__(self, tool_id: str, known: Iterable[str] = ()) -> None:
        super().__init__(
            f"No staged tool has the id `{tool_id}`.{did_you_mean(tool_id, known)} "
            "`%mcpgen list` shows the pending answers."
        )
        self.tool_id = tool_id


class AmbiguousCandidate(UnknownCandidate):
    """The beginning of an id that several candidates share."""

    def __init__(self, tool_id: str, matches: Iterable[str]) -> None:
        RegistryError.__init__(
            self,
            f"`{tool_id}` matches several ids: {', '.join(f'`{m}`' for m in matches)}. Type more of it.",
        )
        self.tool_id = tool_id


class UnknownVersion(RegistryError):
    """A tool has no such version, or none that could be meant."""

    def __init__(self, name: str, why: str, known: Iterable[str]) -> None:
        super().__init__(f"{why} Versions of `{name}`: {', '.join(known)}. `%mcpgen versions {name}` shows them.")
        self.name = name


class NameTaken(RegistryError):
    """A tool name that is reserved, or belongs to a different tool."""


class CorruptRegistry(RegistryError):
    """A registry file cannot be read; it was left as it is."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"`{path}` cannot be read ({reason}). It was left untouched. "
            "Restore it from version control or a backup, or run `%mcpgen rebuild`, which sets a damaged list aside "
            "and lists the tools in the folder again."
        )
        self.path = path
        self.reason = reason


class LeadsOut(CorruptRegistry):
    """Something in the registry's folder leads out of it, or is no plain file; nothing was read or written there."""

    def __init__(self, path: Path, reason: str) -> None:
        RegistryError.__init__(
            self,
            f"`{path}` cannot be trusted: {reason}. Nothing was read or written there. "
            "If you did not put it there, the registry may have been tampered with: check where it comes from. "
            "Put the file or folder itself in its place, or delete it.",
        )
        self.path = path
        self.reason = reason


class RegistryReadOnly(RegistryError):
    """The registry folder cannot be written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The registry at `{path}` cannot be written ({reason}). "
            "Choose a folder of yours with `MCPGEN_REGISTRY__PATH`, or ask for write access."
        )
        self.path = path


class RegistryNotYours(RegistryError):
    """The registry folder belongs to another user, who could put other tools into it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The registry at `{path}` belongs to another user, so its content cannot be trusted. "
            "Use your own copy (such as a clone of a shared registry), or choose another folder with "
            "`MCPGEN_REGISTRY__PATH`."
        )
        self.path = path


class RegistryBusy(RegistryError):
    """Another process keeps the registry locked."""

    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__(
            f"The registry at `{path}` was locked by another process for {in_seconds(seconds)}. "
            "Try again; if it stays locked, close the other kernel or server that uses it."
        )
        self.path = path


class TamperedTool(RegistryError):
    """The files of a promoted tool are not the ones a person approved."""

    def __init__(self, name: str, change: str = "its files changed after the approval") -> None:
        super().__init__(
            f"`{name}` is not what was approved: {change}, so it does not run. "
            f"Undo the change, go back to an earlier version with `%mcpgen rollback {name}`, or ask the question again "
            f"with `--name {name}` and approve the new version."
        )
        self.name = name
        self.change = change


class DecisionError(McpgenError):
    """A decision that cannot be carried out; the candidate stays as it was."""


class UnsoundApproval(DecisionError):
    """An approval of a card whose checks failed."""

    def __init__(self, name: str, reasons: Iterable[str] = ()) -> None:
        why = " ".join(reasons) or "its checks did not pass."
        super().__init__(f"`{name}` cannot be approved: {why} Ask the question in other words.")


class NotConfirmed(DecisionError):
    """Approval that leaves out what a person has to confirm: the reading of a model, or an unchecked calculation."""

    def __init__(self, tool_name: str, card_id: str, sentences: Iterable[str], options: Iterable[str]) -> None:
        command = " ".join([f"%mcpgen approve {card_id}", *(f"--{option}" for option in options)])
        super().__init__(f"`{tool_name}` is not saved yet. {' '.join(sentences)} If so: `{command}`.")


class StaleApproval(DecisionError):
    """An approval of content that is no longer what is staged."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` was not approved: its files are not the ones you saw. Ask the question again.")


class CardExpired(DecisionError):
    """A decision about a card that waited too long and was archived."""

    def __init__(self, tool_id: str) -> None:
        super().__init__(f"`{tool_id}` has expired and was archived. Reopen it with `%mcpgen reopen {tool_id}`.")
        self.tool_id = tool_id


class AlreadyDecided(DecisionError):
    """A second decision about a candidate that has one."""

    def __init__(self, name: str, decision: str) -> None:
        super().__init__(f"`{name}` is already {decision.lower()}, so there is nothing to decide.")
