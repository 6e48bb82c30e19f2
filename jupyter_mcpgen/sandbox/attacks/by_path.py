"""Attacks on files, folders and devices of somebody else, by their paths; and honest work with files."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Mapping
from typing import Any

Target = Mapping[str, Any]

_MANY_FILES, _PIECES, _PIECE = 600, 3, 4 * 1024 * 1024


def read_system_file(target: Target) -> object:
    """Read a file that every user may read."""
    return _read("/etc/passwd")


def read_user_file(target: Target) -> object:
    """Read a private file of the user."""
    return _read(target["secret"])


def read_through_planted_link(target: Target) -> object:
    """Read a private file by a link that lies in a granted folder."""
    return _read(target["link"])


def list_folder(target: Target) -> object:
    """List a folder that was not granted."""
    return os.listdir(target["outside"])


def stat_hidden_file(target: Target) -> object:
    """Learn size and times of a private file."""
    return os.stat(target["secret"]).st_size


def list_root(target: Target) -> object:
    """See how this machine, or the sandbox, is laid out."""
    return os.listdir("/")


def list_processes(target: Target) -> object:
    """See which processes run."""
    return len(os.listdir("/proc"))


def fill_with_many_files(target: Target) -> object:
    """Use up the places for files by ever more empty ones."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for number in range(_MANY_FILES):
            os.close(os.open(os.path.join(folder, str(number)), os.O_CREAT | os.O_WRONLY))
        return _MANY_FILES


def fill_with_deleted_files(target: Target) -> object:
    """Use up space by files that are open and have no name any more, so that nobody finds them."""
    opened = []
    try:
        for number in range(_PIECES):
            opened.append(os.open(f"deleted-{number}", os.O_CREAT | os.O_WRONLY))
            os.unlink(f"deleted-{number}")
            if os.write(opened[-1], bytes(_PIECE)) < _PIECE:
                raise OSError(errno.ENOSPC, "only a part was written")
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return _PIECES * _PIECE


def write_outside(target: Target) -> object:
    """Create a file outside the scratch folder."""
    return _write(os.path.join(target["outside"], "planted"))


def write_granted_data(target: Target) -> object:
    """Append to the data that was granted for reading."""
    with open(target["data"], "a", encoding="utf-8") as stream:
        return stream.write("changed")


def write_shared_memory(target: Target) -> None:
    """Create a file in shared memory."""
    path = f"/dev/shm/mcpgen-{os.getpid()}"  # noqa: S108  # the target of the attack
    _write(path)
    os.unlink(path)


def truncate_by_path(target: Target) -> None:
    """Empty a file without opening it."""
    os.truncate(target["victim"], 0)


def truncate_by_reading(target: Target) -> None:
    """Empty granted data by an open that only asks to read."""
    os.close(os.open(target["data"], os.O_RDONLY | os.O_TRUNC))


def change_mode(target: Target) -> None:
    """Open a private file to everybody."""
    os.chmod(target["victim"], 0o777)  # noqa: S103  # the attack


def change_times(target: Target) -> None:
    """Falsify when a file was changed."""
    os.utime(target["victim"], (1, 1))


def change_attributes(target: Target) -> None:
    """Attach an attribute to a file."""
    os.setxattr(target["victim"], "user.mcpgen", b"1")


def make_hard_link(target: Target) -> None:
    """Give a private file a second name in scratch."""
    os.link(target["secret"], "hard")


def make_symbolic_link(target: Target) -> None:
    """Leave a link in scratch for the host to follow."""
    os.symlink(target["secret"], "soft")


def move_out_of_scratch(target: Target) -> None:
    """Move a file of its own over to a folder of the user."""
    _write("mine")
    os.rename("mine", os.path.join(target["outside"], "moved"))


def read_environment_of_another(target: Target) -> object:
    """Read the environment, and so the secrets, of another process."""
    return _read(f"/proc/{target['pid']}/environ")


def read_memory_of_another(target: Target) -> object:
    """Open the memory of another process."""
    return _read(f"/proc/{target['pid']}/maps")


def read_host_command_line(target: Target) -> object:
    """Read how the notebook server was started, token included."""
    return _read(f"/proc/{target['host']}/cmdline")


def read_granted_data(target: Target) -> object:
    """Read what was granted."""
    return _read(target["data"])


def use_scratch(target: Target) -> object:
    """Write and read files in scratch."""
    with tempfile.TemporaryDirectory() as folder:
        _write(os.path.join(folder, "a"))
        os.rename(os.path.join(folder, "a"), os.path.join(folder, "b"))
        return _read(os.path.join(folder, "b"))


def _read(path: str) -> int:
    with open(path, "rb") as stream:
        return len(stream.read(64))


def _write(path: str) -> int:
    with open(path, "w", encoding="utf-8") as stream:
        return stream.write("written")
