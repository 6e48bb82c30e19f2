"""Real attacks on a sandbox, each harmless where it succeeds: the targets are decoys that the self-check planted.

An attack returns when it succeeded and raises when it was refused. Standard library only: it runs as any tool does, so
the modules beside it are found by their bare names.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

_ATTACKS = vars(import_module("by_path")) | vars(import_module("by_call"))


def attack(name: str, target: dict[str, Any]) -> str:
    """Try one attack and say as JSON whether it succeeded, with the error number if not."""
    try:
        detail = _ATTACKS[name](target)
    except OSError as error:
        return json.dumps({"succeeded": False, "errno": error.errno, "detail": str(error)})
    except (ValueError, RuntimeError) as error:
        return json.dumps({"succeeded": False, "errno": None, "detail": str(error)})
    return json.dumps({"succeeded": True, "errno": None, "detail": str(detail)})
