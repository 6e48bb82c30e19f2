"""Keys of model servers: from the environment or the keyring, each for one origin, never shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from jupyter_mcpgen.errors import NoKey
from jupyter_mcpgen.llm.address import is_loopback, origin_of

SERVICE = "jupyter-mcpgen"
"""The name that a key has in the keyring; the origin is its user."""
USUAL_VARIABLES: Mapping[str, str] = {
    "https://api.openai.com": "OPENAI_API_KEY",
    "https://api.anthropic.com": "ANTHROPIC_API_KEY",
    "https://generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "https://openrouter.ai": "OPENROUTER_API_KEY",
}
"""Where the makers of these servers say that the key is; each is sent to this origin alone."""

FromRing = Callable[[str, str], str | None]


class Key:
    """A secret for one origin. It shows itself nowhere and cannot be stored."""

    __slots__ = ("_secret", "origin", "variable")

    def __init__(self, secret: str, origin: str, variable: str | None) -> None:
        self._secret = secret
        self.origin = origin
        self.variable = variable
        """The environment variable that it is from; `None` for one of the keyring."""

    def for_origin(self, origin: str) -> str:
        """Return the secret for the origin that it is bound to."""
        if origin != self.origin:
            raise ValueError(f"this key is for `{self.origin}`, not for `{origin}`")
        return self._secret

    def hide(self, text: str) -> str:
        """Return a text without the secret, where a server repeats it."""
        return text.replace(self._secret, "***")

    def __repr__(self) -> str:
        return f"Key(***, origin={self.origin!r}, variable={self.variable!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not stored")


def find_key(
    address: str, variable: str | None, environment: Mapping[str, str], ring: FromRing | None = None
) -> Key | None:
    """Return the key for an address: of the variable that was named, else of the usual one, else of the keyring.

    Raises `NoKey` when the named variable is not set. An address on this machine gets only a key that was named.
    """
    origin = origin_of(address)
    if variable is not None:
        secret = environment.get(variable, "").strip()
        if not secret:
            raise NoKey(origin, variable)
        return Key(secret, origin, variable)
    usual = USUAL_VARIABLES.get(origin, "")
    if secret := environment.get(usual, "").strip():
        return Key(secret, origin, usual)
    if is_loopback(address):
        return None
    kept = (ring or from_keyring)(SERVICE, origin)
    return Key(kept.strip(), origin, None) if kept and kept.strip() else None


def from_keyring(service: str, user: str) -> str | None:
    """Return a password of the system's keyring, or `None` where there is none; the package is optional."""
    try:
        import keyring  # deferred: it takes 0.3 s, and is optional
        import keyring.errors
    except ImportError:
        return None
    try:
        return keyring.get_password(service, user)
    except (keyring.errors.KeyringError, OSError, RuntimeError):
        return None  # no ring here, a locked one, or one that cannot be reached: as if the key were not in it
