"""Who decides here."""

from __future__ import annotations

import getpass
import os


def person() -> str:
    """Return the name under which a decision is written down: the account's, or its number where it has no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # in a container an account often has neither an entry nor a variable
        return f"user {os.geteuid()}"
