"""Signatures of approvals (Ed25519): a key per person, outside every registry, and the keys that a person trusts."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.model.record import Record

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FOLDER = "keys"
"""The folder in the state where the key is kept."""
_KEY = "approvals.key"
_KEY_BYTES = 32
_SHOWN = 12
"""How many letters of a key are shown."""


class Signature(Record):
    """Who signed, by the public key in hex, and the signature in hex."""

    key: str
    value: str


@dataclass(frozen=True)
class Keys:
    """The key of the person in a folder of theirs, and the public keys of others, in hex, that they trust.

    With `required`, an approval counts only with a signature by the person or by one whom they trust.
    """

    folder: Path
    trusted: frozenset[str] = frozenset()
    required: bool = False

    @property
    def public(self) -> str:
        """The person's public key, in hex; it is made at first use."""
        return self._own().public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> Signature:
        """Sign some bytes with the person's key; raises `RegistryError` where there can be none."""
        return Signature(key=self.public, value=self._own().sign(content).hex())

    def refusal(self, content: bytes, signature: Signature | None) -> str | None:
        """Say why an approval does not count, or return None where it does."""
        if signature is None:
            return "its approval is not signed" if self.required else None
        if not _is_signed(content, signature.key, signature.value):
            return "its approval was changed after it was signed"
        if self.required and signature.key not in self.trusted and signature.key != self.public:
            return (
                f"it was approved with the key {signature.key[:_SHOWN]}…, which you do not trust. If you know whose it "
                f"is, add {signature.key} to `registry.trusted_signers`"
            )
        return None

    def _own(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # deferred: 150 ms

        path = self.folder / _KEY
        try:
            return Ed25519PrivateKey.from_private_bytes(_kept(path, lambda: os.urandom(_KEY_BYTES)))
        except (OSError, ValueError) as error:
            raise RegistryError(
                f"Your key for approvals in `{path}` cannot be used: {error}. Delete the file, and a new key is made. "
                "Tools that you approved with the old one need its public key in `registry.trusted_signers`."
            ) from error


def _kept(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return what a private file holds; one that is not there is made, once for all processes."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        beside = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(make())
        with suppress(FileExistsError):  # another process was first
            os.link(beside, path)
        beside.unlink()
    return path.read_bytes()


@lru_cache(maxsize=20_000)
def _is_signed(content: bytes, key: str, value: str) -> bool:
    from cryptography.exceptions import InvalidSignature  # deferred: as above
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(value), content)
    except (InvalidSignature, ValueError):
        return False
    return True
