"""Data that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jupyter_mcpgen.errors.root import McpgenError, did_you_mean
from jupyter_mcpgen.wording import in_seconds

_MOST_LISTED = 20
_LONGEST_REASON = 300


class DataError(McpgenError):
    """The data named in a request cannot be used."""


class UnknownData(DataError):
    """No variable and no file has the name that was given; without a name, nothing says which table is meant."""

    def __init__(self, name: str | None, known: Iterable[str] = ()) -> None:
        known = tuple(known)
        listed = f" Tables here: {', '.join(f'`{k}`' for k in known[:8])}." if known else ""
        offer = (did_you_mean(name, known) if name else "") or listed
        trouble = f"There is no table and no file named `{name}`." if name else "You did not name a table."
        say = "Name a DataFrame variable or a path to a file, such as CSV, Excel, Parquet or JSON."
        super().__init__(f"{trouble}{offer} {say}")
        self.name = name


class UnreadableData(DataError):
    """A file exists and cannot be read as a table."""

    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"`{path}` cannot be read as a table: {reason}")
        self.path = str(path)
        self.reason = reason


class SeveralTables(DataError):
    """A file with several tables, of which none was named, or one that is not there.

    `what` is what they are called, in the plural; each choice is a name with its size in words.
    """

    def __init__(self, name: str, what: str, choices: Iterable[tuple[str, str]], missing: str | None = None) -> None:
        choices = tuple(choices)
        listed = [f"`{choice}`{f' ({size})' if size else ''}" for choice, size in choices]
        more = f" and {len(listed) - _MOST_LISTED:,} more" if len(listed) > _MOST_LISTED else ""
        names = [choice for choice, _ in choices]
        trouble = "" if missing is None else f"`{name}` has no `{missing}`.{did_you_mean(missing, names)} "
        example = next(iter(names), "NAME")
        super().__init__(
            f"{trouble}`{name}` has {len(listed)} {what}: {', '.join(listed[:_MOST_LISTED])}{more}. "
            f"Name one, such as `{name}#{example}`, or add `--sheet {_quoted(example)}`."
        )
        self.name = name
        self.choices = tuple(names)
        self._said = (what, choices, missing)

    def of(self, name: str) -> SeveralTables:
        """Return the same of the file by the name that a person gave it."""
        return SeveralTables(name, *self._said)


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name


class DataNotAllowed(DataError):
    """A client named a file outside the folders that are open to clients; says the same whether it exists or not."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"`{path}` is not in a folder that clients may read. The owner can open it with the setting "
            "`server.data_folders` (`MCPGEN_SERVER__DATA_FOLDERS`), or by asking a question about a file in it. "
            "Hidden files and Jupyter's own folders stay closed."
        )
        self.path = path


class AddressesNotAllowed(DataError):
    """A file was named by its address on the web, and nobody allowed that one is fetched."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"`{address}` was not fetched: files of the web are fetched only where you allow it. Set "
            "`MCPGEN_DATA__URLS=true`, or `data.urls: true` in your own `mcpgen.yaml`, and restart the kernel; or "
            "download the file, and name that."
        )
        self.address = address


class EmptyData(DataError):
    """A table without columns or a file without content."""

    def __init__(self, name: Path | str) -> None:
        super().__init__(f"`{name}` is empty: it has no columns. Check that you named the right file.")


class DataTooLarge(DataError):
    """A table beyond the limits of the settings."""

    def __init__(self, name: str, rows: int, columns: int, most_rows: int, most_columns: int) -> None:
        too_many = (
            (rows, most_rows, "rows", "MCPGEN_SANDBOX__MAX_ROWS"),
            (columns, most_columns, "columns", "MCPGEN_SANDBOX__MAX_COLUMNS"),
        )
        beyond = [each for each in too_many if each[0] > each[1]]
        found = " and ".join(f"{count:,} {what}" for count, _, what, _ in beyond)
        limits = " and ".join(f"{most:,} {what}" for _, most, what, _ in beyond)
        settings = " and ".join(f"`{setting}`" for *_, setting in beyond)
        super().__init__(f"`{name}` has {found}; at most {limits} are read. Use a part of it, or raise {settings}.")


class DataTooHeavy(DataError):
    """A table that takes more memory, once it is unpacked, than a run may hold, however small its file is."""

    def __init__(self, name: str, size: int, most: int) -> None:
        super().__init__(
            f"`{name}` needs at least {size:,} bytes of memory when it is loaded; {most:,} are allowed (half of a "
            "run's memory). Use a part of it, or raise `MCPGEN_SANDBOX__MEMORY_MB`."
        )


class LazyTooLarge(DataError):
    """A lazy table that became, while it was computed, larger than a run may take."""

    def __init__(self, name: str, rows: int, size: int, most_rows: int, most_bytes: int) -> None:
        super().__init__(
            f"`{name}` is too large to be computed for a question: after {rows:,} rows of {size:,} bytes it was given "
            f"up; the limits are {most_rows:,} rows and {most_bytes:,} bytes. Filter or group it first and ask about "
            "what comes of that, or raise `MCPGEN_SANDBOX__MAX_ROWS` or `MCPGEN_SANDBOX__MEMORY_MB`."
        )


class NotComputed(DataError):
    """A Dask frame whose computation failed, by itself or with its cluster."""

    def __init__(self, name: str, error: Exception) -> None:
        said = " ".join(str(error).split())
        reason = f"{said[:_LONGEST_REASON]}…" if len(said) > _LONGEST_REASON else said.removesuffix(".")
        super().__init__(
            f"`{name}` could not be computed by Dask: {type(error).__name__}{f': {reason}' if reason else ''}. "
            f"See where it fails with `{name}.compute()`, and ask again."
        )


class DataTooSlow(DataError):
    """A table whose rows cannot be counted in the time that a run may take."""

    def __init__(self, name: str, size: int, seconds: float) -> None:
        super().__init__(
            f"`{name}` has {size:,} bytes, and its rows could not be counted in {in_seconds(seconds)}, the time "
            "limit of a run. Use a part of it, store it as Parquet, or raise "
            "`MCPGEN_VALIDATION__SANDBOX_TIMEOUT_SECONDS`."
        )
