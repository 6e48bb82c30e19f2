"""ZIP archives: which members are tables, and the one that is wanted as a file of its own."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from .compressed import copy_bounded, most_unpacked
from .outcome import CannotUnpack, Choice, choose

Members = Mapping[str, zipfile.ZipInfo]
_ENCRYPTED = 0x1
_MOST_LISTED = 10_000
_NO_TABLES = frozenset(
    (
        ".pdf",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".svg",
        ".md",
        ".rtf",
        ".doc",
        ".docx",
        ".py",
        ".r",
        ".sql",
        ".css",
        ".js",
    )
)
"""Documents, pictures and programs that often lie beside a table."""
_SIDE_NAMES = ("readme", "license", "licence", "changelog", "manifest", "metadata", "notes")
_WORKBOOKS = {
    "xl/workbook.xml": "xlsx", "xl/workbook.bin": "xlsb", "word/document.xml": "Word document",
    "ppt/presentation.xml": "PowerPoint presentation", "Index/Document.iwa": "Numbers or Pages document",
}  # fmt: skip


def workbook_in(path: Path) -> str | None:
    """Return what a ZIP file is that is no archive of files: `xlsx`, `xlsb`, `ods`, or the name of another document."""
    with _opened(path) as archive:
        names = set(archive.namelist()[:_MOST_LISTED])
        if "mimetype" in names and "content.xml" in names:
            told = archive.open("mimetype").read(100)
            return "ods" if b"spreadsheet" in told else "OpenDocument file that is no spreadsheet"
        return next((kind for name, kind in _WORKBOOKS.items() if name in names), None)


def extract_member(path: Path, wanted: str | None, into: Path) -> tuple[str, str | None, str]:
    """Unpack the member that is wanted, or the only table; returns its name, what is wanted in it, and a note.

    `book.xlsx/Costs` is a table of a member that has several. Raises `SeveralTables`, or `CannotUnpack` where there is
    none that can be had.
    """
    with _opened(path) as archive:
        members = {info.filename: info for info in archive.infolist()[:_MOST_LISTED] if _may_be_table(info)}
        if not members:
            raise CannotUnpack(_why_none(archive.infolist()))
        tables = {name: info for name, info in members.items() if not _is_beside(name)} or members
        name, of_member = _chosen(members, tables, wanted)
        info = members[name]
        try:
            with archive.open(info) as packed:
                copy_bounded(packed, into, most_unpacked(info.compress_size), f"the member `{name}`")
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise CannotUnpack(f"its member `{name}` cannot be unpacked ({error}). Unpack it yourself.") from error
        of = f", one of {len(tables)} files" if len(tables) > 1 else ""
        return name, of_member, f"Read from the archive's member `{name}`{of}."


def _chosen(members: Members, tables: Members, wanted: str | None) -> tuple[str, str | None]:
    """Return the member that is wanted, and the table in it."""
    if wanted is not None and wanted not in members:
        begun = next((name for name in members if wanted.startswith(f"{name}/")), None)
        if begun is not None:
            return begun, wanted.removeprefix(f"{begun}/")
        if len(tables) == 1 and wanted.casefold() != next(iter(tables)).casefold():
            return next(iter(tables)), wanted
    offered = members if wanted in members else tables
    choices = [Choice(name, f"{info.file_size:,} bytes") for name, info in offered.items()]
    return choose("files", choices, wanted).name, None


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise CannotUnpack(f"it is a ZIP file that is damaged or not complete ({error}). Fetch it again.") from error


def _may_be_table(info: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(info.filename.replace("\\", "/")).parts
    is_safe = bool(parts) and parts[0] != "/" and ".." not in parts and ":" not in parts[0]
    is_own = not any(part.startswith(".") or part == "__MACOSX" for part in parts)
    return is_safe and is_own and not info.is_dir() and not info.flag_bits & _ENCRYPTED and info.file_size > 0


def _is_beside(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in _NO_TABLES or path.stem.lower() in _SIDE_NAMES


def _why_none(members: list[zipfile.ZipInfo]) -> str:
    if any(info.flag_bits & _ENCRYPTED for info in members):
        return "it is a ZIP archive whose files are encrypted. Unpack it with its password, and name the unpacked file."
    return f"it is a ZIP archive with {len(members)} entries, and none of them can be a table."
