"""The files of tables that a question names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

_TABLES = (
    *("csv", "tsv", "txt", "parquet", "feather", "arrow", "json", "jsonl", "orc"),
    *("xlsx", "xlsm", "xlsb", "xls", "ods", "sqlite", "sqlite3", "db", "duckdb", "html", "htm"),
)
_PACKED = ("gz", "bz2", "xz", "zst", "zip")
TABLE_FILES = tuple(f".{ending}" for ending in (*_TABLES, *_PACKED))
"""How the files of tables are called; what a file is, its first bytes tell."""
_ENDING = rf"(?:{'|'.join(_TABLES)})(?:\.(?:{'|'.join(_PACKED)}))?|zip"
_ADDRESS = r"(?:postgresql|mysql|mariadb|sqlite)(?:\+\w+)?://"
_WEB = r"https?://"
_PATH = re.compile(
    rf"""(?P<base>{_ADDRESS}[^\s"'`]*[\w\]/])"""
    rf"""|(?P<web>{_WEB}[^\s"'`?\#]+\.(?:{_ENDING})\b(?:\?[^\s"'`\#]*[\w=])?(?:\#[\w./*?%-]*[\w*])?)"""
    r"""|(?P<quote>["'`])(?P<quoted>[^"'`]+\.\w{2,8}(?:\#[^"'`]+)?)(?P=quote)"""
    rf"""|(?P<bare>\S+\.(?:{_ENDING})\b(?:\#[\w./*?-]*[\w*])?)""",
    re.IGNORECASE,
)
_LONGEST_NAME = 100
_IN_FILE = re.compile(r"(\.\w{2,8})#.*$")


def paths_in(question: str) -> list[str]:
    """Return the paths of table files that a question names, in its order, each with the table that it names in it."""
    return list(map(_found, _PATH.finditer(question)))


def _found(found: re.Match[str]) -> str:
    return found["base"] or found["web"] or found["quoted"] or found["bare"]


def is_database_address(named: str) -> bool:
    """Tell whether what is named is a database server, or a table of it: `postgresql://host/shop#orders`."""
    return re.match(_ADDRESS, named) is not None


def is_web_address(named: str) -> bool:
    """Tell whether what is named is a file of the web, or a table in one: `https://host/book.xlsx#Costs`."""
    return re.match(_WEB, named, re.IGNORECASE) is not None


def file_in_address(address: str) -> str:
    """Return what a file of the web is called: the last part of its path, in signs that any folder takes.

    An ending that no table's file has, as of `export.php`, says nothing of the file, and is left out.
    """
    path = Path(re.sub(r"[^\w .()+-]", "_", unquote(urlsplit(address).path).rstrip("/").rpartition("/")[2]))
    known = path if path.suffix.lower() in TABLE_FILES else Path(path.stem)
    return known.name[-_LONGEST_NAME:].lstrip(". ") or "file"


def without_paths(question: str) -> str:
    """Return the question with each path by what its table is called; the second of one name is `name_2`.

    A name of several words becomes one: a year or a value in a file's name is no condition.
    """
    called: dict[str, str] = {}
    for path in paths_in(question):
        stem = "_".join(table_stem(path).split())
        called.setdefault(path, f"{stem}_2" if stem in called.values() else stem)
    return _PATH.sub(lambda found: called[_found(found)], question)


def table_stem(name: str) -> str:
    """Return what the table of a file is called: its name without its ending, and of `sales.csv.gz` without both.

    Those of a pattern are called as their folder is: `sales` for `sales/*.csv`.
    """
    if is_database_address(name):
        address, _, table = name.partition("#")
        return table.rpartition(".")[2] or address.partition("?")[0].rpartition("/")[2] or "table"
    path = Path(file_in_address(name) if is_web_address(name) else without_table(name))
    if is_pattern(path.name):
        return path.parent.name or "files"
    if path.suffix[1:].lower() in _PACKED and Path(path.stem).suffix[1:].lower() in _TABLES:
        path = Path(path.stem)
    return path.stem


def without_table(named: str) -> str:
    """Return the file in the name of a table: `book.xlsx` for `book.xlsx#Costs`."""
    return _IN_FILE.sub(r"\1", named)


def parted(named: str, is_file: Callable[[str], bool]) -> tuple[str, str | None]:
    """Return the file that was named, and the table in it: `book.xlsx#Costs` is `Costs` in `book.xlsx`.

    A file may have the sign in its own name.
    """
    if not is_file(named):
        for found in reversed(list(re.finditer("#", named))):
            if is_file(named[: found.start()]):
                return named[: found.start()], named[found.end() :] or None
    return named, None


def is_pattern(name: str) -> bool:
    """Tell whether a name is that of any file that looks so: `*.csv`."""
    return any(sign in name for sign in "*?[")


def is_folder_of_tables(named: str) -> bool:
    """Tell whether what was named is a folder, or a pattern of files in one that is there."""
    path = Path(named).expanduser()
    try:
        return path.is_dir() or (is_pattern(path.name) and path.parent.is_dir() and not path.is_file())
    except (OSError, ValueError, RuntimeError):  # as below
        return False


def is_table_there(named: str) -> bool:
    """Tell whether there is a file of that name, one with a table of that name in it, or a folder of files."""
    return _is_file(parted(named, _is_file)[0]) or is_folder_of_tables(named)


def file_and_table(named: str) -> tuple[str, str | None]:
    """Return the file that is there, or is on the web, and the table that was named in it, if one was."""
    if is_web_address(named):
        address, _, table = named.partition("#")
        return address, unquote(table) or None
    return parted(named, _is_file)


def _is_file(path: str) -> bool:
    try:
        return Path(path).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):  # a name that no file can have
        return False
