"""Opens the registry that the settings name, with the person's key."""

from __future__ import annotations

from jupyter_mcpgen.registry.signatures import FOLDER as KEYS
from jupyter_mcpgen.registry.signatures import Keys
from jupyter_mcpgen.registry.store import Registry, open_registry
from jupyter_mcpgen.settings import Settings, state_folder

INDEX = "index"
"""The folder in the state where the indexes of registries are kept."""


def open_configured(settings: Settings, *, indexed: bool = True) -> Registry:
    """Return the registry, and where wanted with the index of its tools that is kept for the next process.

    Raises `RegistryError` for a path that is a file.
    """
    wanted = settings.registry
    keys = Keys(state_folder() / KEYS, frozenset(wanted.trusted_signers), wanted.needs_signatures)
    return open_registry(
        settings.registry_path,
        settings.feedback.card_days,
        state_folder() / INDEX if indexed else None,
        keys,
        shared=wanted.shared,
    )
