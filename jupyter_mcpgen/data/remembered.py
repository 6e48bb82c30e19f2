"""What is known of tables by their content: asking again of the same data neither reads nor profiles it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from types import MappingProxyType
from weakref import WeakValueDictionary

from jupyter_mcpgen.data.parquet_tables import Rows
from jupyter_mcpgen.data.profile import NOTHING_SAID, profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import ReadOptions

_MOST_KEPT = 16


@dataclass(frozen=True)
class Frames:
    """Finds tables that an answer still holds, by file and the digest of its content; it keeps none itself.

    Nothing may change a table that was loaded.
    """

    _held: WeakValueDictionary[tuple[str, str], Rows] = field(default_factory=WeakValueDictionary)

    def holds(self, path: str) -> bool:
        """Tell whether an answer holds a table of a file, of whatever content."""
        return any(held == path for held, _ in list(self._held))

    def find(self, path: str, digest: str) -> Rows | None:
        """Return the table of a file with this content, where an answer holds it."""
        return self._held.get((path, digest))

    def of(self, path: str, digest: str, read: Callable[[], Rows]) -> Rows:
        """Return the table of a file with this content; it is read where nobody holds it."""
        found = self.find(path, digest)
        if found is None:
            found = self._held[path, digest] = read()
        return found


@dataclass(frozen=True)
class Profiles:
    """Keeps the latest profiles by table name and the digest of the table's content; safe to use from threads."""

    _kept: dict[tuple[str, str, ReadOptions], Profile] = field(default_factory=dict)
    _one_at_a_time: Lock = field(default_factory=Lock)

    def of(
        self,
        name: str,
        digest: str,
        rows: Rows,
        orders: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        said: ReadOptions = NOTHING_SAID,
    ) -> Profile:
        """Return the profile of a table, made once for a content and what is said of it; raises as `profile` does."""
        key = (name, digest, said)
        with self._one_at_a_time:
            found = self._kept.pop(key, None)
        found = found or profile(name, rows, orders, said)
        with self._one_at_a_time:
            self._kept[key] = found
            for oldest in list(self._kept)[:-_MOST_KEPT]:
                del self._kept[oldest]
        return found
