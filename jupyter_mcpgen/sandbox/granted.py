"""What a policy grants, as paths without links, or why one of them cannot be granted."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.errors import DataMoved, SandboxError
from jupyter_mcpgen.sandbox.policy import Policy


def granted_paths(policy: Policy) -> tuple[Path, ...]:
    """Return the paths that a job may read; they are to be opened as they are, and no link on the way followed.

    Raises `SandboxError` for one that is not there, `DataMoved` where a link leads away from where it was checked.
    """
    found = tuple(map(resolved, policy.read))
    if policy.follows_links:
        return found
    moved = next((named for named, path in zip(policy.read, found, strict=True) if named != path), None)
    if moved is not None:
        raise DataMoved(moved)
    return policy.read


def resolved(path: Path) -> Path:
    """Return where a path leads; raises `SandboxError` when that is nowhere."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links and a NUL are no `OSError`
        told = error.strerror if isinstance(error, OSError) else error
        raise SandboxError(
            f"`{path}` cannot be given to a tool: {told}. Check the path, or name data that is there."
        ) from error
