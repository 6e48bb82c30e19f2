"""Which files a client may name as data: those in folders that a person meant for it, and nothing of ours.

A folder is open because a setting names it, because the server or Jupyter was started in it, or because a person asked
a question of a file in it. Paths are compared after links are followed, part by part. Hidden files, the registry and
Jupyter's own folders stay closed wherever they lie.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from jupyter_mcpgen.data.named_files import is_database_address, is_web_address, parted
from jupyter_mcpgen.errors import DataNotAllowed
from jupyter_mcpgen.folders import is_open_below, real
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.spec import DATA_PARAMETERS
from jupyter_mcpgen.server.private import locked, private_folder, write_private

P = ParamSpec("P")
FILE_NAME = "data_folders.json"
_MOST_REMEMBERED = 200


class Remembered(Record):
    """Folders that a person used: `whole` with all that lies below, `beside` for the files in them only."""

    whole: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class DataFolders:
    """The folders that are open to clients, and those that are closed even inside an open one."""

    whole: tuple[Path, ...]
    closed: tuple[Path, ...]
    state: Path | None = None
    """Where the folders that a person used are remembered; read again at each call."""
    started_in: Callable[[], Path | None] = lambda: None
    """Returns the folder where whoever calls was started: open to them alone, and where their relative paths begin."""

    def allowed(self, given: str) -> Path:
        """Return the file that a client named, links followed; raises `DataNotAllowed`."""
        return self._file_and_table(given)[0]

    def named(self, given: str) -> str:
        """Return the path of the file that a client named, with the table in it where one is named, as `a.xlsx#Costs`.

        Raises `DataNotAllowed`.
        """
        path, table = self._file_and_table(given)
        return str(path) if table is None else f"{path}#{table}"

    def _file_and_table(self, given: str) -> tuple[Path, str | None]:
        if is_web_address(given) or is_database_address(given):  # a client has nothing fetched
            raise DataNotAllowed(given)
        own = self.started_in()
        beginning = Path() if own is None else own
        try:
            file, table = parted(given, lambda named: beginning.joinpath(Path(named).expanduser()).is_file())
            path = beginning.joinpath(Path(file).expanduser()).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a zero byte, a name too long
            raise DataNotAllowed(given) from error
        if any(path.is_relative_to(real(folder)) for folder in self.closed):
            raise DataNotAllowed(given)
        known = remembered(self.state) if self.state is not None else Remembered()
        trees = (*self.whole, *map(Path, known.whole), *(() if own is None else working_folder(own, Path.home())))
        if any(is_open_below(path, real(folder)) for folder in trees):
            return path, table
        if (
            path.parent in {real(Path(folder)) for folder in known.beside}
            and not path.name.startswith(".")
            and not path.is_dir()
        ):
            return path, table
        raise DataNotAllowed(given)


def only_open_data(
    run: Callable[Concatenate[str, Mapping[str, Any], P], ToolAnswer], folders: DataFolders
) -> Callable[Concatenate[str, Mapping[str, Any], P], ToolAnswer]:
    """Return a way to run a tool that refuses data a client may not read, and hands on the file that was checked."""

    def checked(name: str, arguments: Mapping[str, Any], /, *rest: P.args, **options: P.kwargs) -> ToolAnswer:
        named = {each: arguments[each] for each in DATA_PARAMETERS if each in arguments}
        paths = {each: folders.named(str(path)) for each, path in named.items()}
        return run(name, {**arguments, **paths}, *rest, **options)

    return checked


def remember(state: Path, *, whole: Path | None = None, file: Path | None = None) -> None:
    """Open a folder with all below it, or the folder of one file, for the clients of the server of a state folder."""
    with locked(private_folder(state) / f"{FILE_NAME}.lock"):
        known = remembered(state)
        fresh = Remembered(
            whole=_with(known.whole, whole),
            beside=_with(known.beside, None if file is None else file.parent),
        )
        if fresh != known:
            write_private(state / FILE_NAME, fresh.model_dump_json(indent=2))


def remember_table(state: Path, origin: Path) -> None:
    """Open the folder of a file for clients, or a folder that was named as one table; a server lies in none."""
    if not origin.exists():
        return
    remember(state, whole=origin) if origin.is_dir() else remember(state, file=origin)


def remembered(state: Path) -> Remembered:
    """Return the folders that a person used; a file that cannot be read opens nothing."""
    try:
        return Remembered.model_validate_json((state / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Remembered()


def working_folder(folder: Path, home: Path) -> tuple[Path, ...]:
    """Return the folder where a server was started, unless that says nothing: the root, or a person's whole home."""
    found = real(folder)
    return () if found in (Path(found.anchor), real(home)) else (found,)


def jupyter_root(parent: str | None, runtime: Path) -> Path | None:
    """Return the folder that the Jupyter server of this kernel shows, by the process id of that server."""
    if parent is None or not parent.isdecimal():
        return None
    try:
        about = json.loads((runtime / f"jpserver-{parent}.json").read_text(encoding="utf-8"))
        root = Path(about["root_dir"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # another kind of server, or one that writes no such file
    return root if root.is_absolute() and root != Path(root.anchor) else None


def _with(folders: tuple[str, ...], folder: Path | None) -> tuple[str, ...]:
    if folder is None:
        return folders
    text = str(real(folder))
    return (*(other for other in folders if other != text), text)[-_MOST_REMEMBERED:]
