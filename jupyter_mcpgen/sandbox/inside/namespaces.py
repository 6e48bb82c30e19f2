"""Puts a process into namespaces of its own, and lays a root for it that holds nothing but what it was given.

There are two mount namespaces. The outer one still has the files as they are, and only the supervisor stays in it or
goes back to it; the inner one, of the job, has the new root. A job is expected, so nearly all is done before there is
one: `enter`, `lay_root`. When it comes, `add_to_root` copies the mounts that it needs from the outer one to the inner
one. A program is not expected: the first process of its namespace lays the whole root at once and closes it.
The new root is laid on `/proc`, where no data lies. A job has no `/proc` and sees no process but itself; a program has
one that knows the processes of its own namespace and nobody else's.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import NamedTuple

from . import kernel
from .places import open_place

NEW_USER, NEW_MOUNT, NEW_PROCESS = 0x10000000, 0x00020000, 0x20000000
NEW_NETWORK, NEW_IPC, NEW_HOST_NAME = 0x40000000, 0x08000000, 0x04000000
ALL = NEW_USER | NEW_MOUNT | NEW_PROCESS | NEW_NETWORK | NEW_IPC | NEW_HOST_NAME

HOST_NAME = "sandbox"
_ROOT = "/proc"
_ROOT_OPTIONS = "mode=755,size=1m,nr_inodes=20000"
_READ_ONLY = kernel.MOUNT_ATTR_RDONLY | kernel.MOUNT_ATTR_NOSUID | kernel.MOUNT_ATTR_NODEV
# A device is written to all the same; what cannot be changed is its file, which is the host's.
_DEVICE = kernel.MOUNT_ATTR_RDONLY | kernel.MOUNT_ATTR_NOSUID
_OWN = kernel.MOUNT_ATTR_NOSUID | kernel.MOUNT_ATTR_NODEV
_PROCESSES, _OF_PROCESSES = "/proc", _READ_ONLY | kernel.MOUNT_ATTR_NOEXEC

Tree = tuple[str, int, bool]
"""A path of the new root, the descriptor of what is to be mounted there, and whether that is a folder."""
Links = Iterable[tuple[str, str]]


class Views(NamedTuple):
    """Descriptors of the two mount namespaces."""

    outer: int
    inner: int


class Additions(NamedTuple):
    """What one job has in its root beside what every job has."""

    read: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    scratch: str
    scratch_bytes: int
    scratch_entries: int


def become(identity: int) -> None:
    """Become a user without groups, for good."""
    os.setgroups([])
    os.setresgid(identity, identity, identity)
    os.setresuid(identity, identity, identity)


def enter(identity: int | None) -> None:
    """Leave all namespaces for new ones, in which this process has every right and outside of which it has none.

    Processes that it forks from now on are in the new process namespace, the first one as its init.
    """
    if identity is not None:
        become(identity)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else our own maps would belong to root
    user, group = os.geteuid(), os.getegid()
    kernel.unshare(ALL)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    kernel.set_host_name(HOST_NAME)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)


def lay_root(read: Iterable[str], devices: Iterable[str], links: Links, more: Iterable[Tree] = ()) -> Views:
    """Leave the outer mount namespace for the inner one, whose root holds what every job reads, and what is added."""
    outer = _own_mounts()
    kernel.unshare(NEW_MOUNT)
    inner = _own_mounts()
    trees = [*_copied(read, _READ_ONLY), *_copied(devices, _DEVICE), *more]
    kernel.mount("tmpfs", _ROOT, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _ROOT_OPTIONS)
    os.chdir(_ROOT)
    kernel.make_root_of_working_folder()
    os.chdir("/")
    _attach(trees)
    _link(links)
    return Views(outer, inner)


def look_outside(views: Views) -> None:
    """Go back to the files as they are; the job that was forked before stays inside."""
    kernel.enter_namespace(views.outer, NEW_MOUNT)


def add_to_root(views: Views, additions: Additions) -> None:
    """Go inside with what one job needs, and close the root against further changes."""
    trees = _copied(additions.read, _READ_ONLY)
    kernel.enter_namespace(views.inner, NEW_MOUNT)
    _attach(trees)
    _link(additions.links)
    os.mkdir(additions.scratch, 0o700)
    options = f"mode=700,size={additions.scratch_bytes},nr_inodes={additions.scratch_entries}"
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("tmpfs", additions.scratch, "tmpfs", flags, options)
    close_root()


def play_adding(views: Views, read: Iterable[str]) -> None:
    """Do what of `add_to_root` changes nothing, where `look_outside` led: copy mounts, let them go, and stay."""
    for _, tree, _ in _copied(read, _READ_ONLY):
        os.close(tree)
    kernel.enter_namespace(views.outer, NEW_MOUNT)


def close_root() -> None:
    """Let nothing in the root itself be changed from now on."""
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    kernel.restrict_mount(root, _READ_ONLY)
    os.close(root)


def own_processes() -> Tree:
    """Return `/proc` of the process namespace of the calling process, for its new root; before that is laid."""
    return _PROCESSES, kernel.new_tree("proc", _OF_PROCESSES), True


def own_folders(folders: Iterable[tuple[str, str]]) -> list[Tree]:
    """Return folders that may be written, each to be mounted at the second path of its pair."""
    return [
        (target, tree, is_folder)
        for source, target in folders
        for _, tree, is_folder in _copied((source,), _OWN)
    ]  # fmt: skip


def _copied(paths: Iterable[str], attributes: int) -> list[Tree]:
    """Return each path with a detached mount of it."""
    trees = []
    for path in paths:
        place, mode = open_place(path)
        trees.append((path, kernel.copied_tree(place, attributes), stat.S_ISDIR(mode)))
        os.close(place)
    return trees


def _attach(trees: Iterable[Tree]) -> None:
    for path, tree, is_folder in trees:
        os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
        if not is_folder and not os.path.lexists(path):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644))
        kernel.attach_tree(tree, path)
        os.close(tree)


def _link(links: Links) -> None:
    for path, target in links:
        if not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(target, path)


def _own_mounts() -> int:
    return os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)


def _write(path: str, content: str) -> None:
    # As bytes: the user that this process became may have no access to Python's own encodings.
    with open(path, "wb") as stream:
        stream.write(content.encode())
