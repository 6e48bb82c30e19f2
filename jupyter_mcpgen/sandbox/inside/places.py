"""Opens a granted path as the host resolved it: a link that was put anywhere on the way since then is refused.

Part by part, and not in one call with `RESOLVE_NO_SYMLINKS`: a job opens its own paths when its system calls are
filtered already, and a filter cannot look into the argument of `openat2`.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import stat

_PLACE = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


def open_place(path: str) -> tuple[int, int]:
    """Return a descriptor of what an absolute path names, good for nothing but to grant it, and its mode.

    Raises `OSError` when a part of the path is a link, or is not there.
    """
    *above, name = path.strip(os.sep).split(os.sep)
    place = os.open(os.sep, _PLACE)
    try:
        for part in above:
            place = _below(place, part, os.O_DIRECTORY)
        place = _below(place, name or os.curdir)
        mode = os.fstat(place).st_mode
        if stat.S_ISLNK(mode):
            raise NotADirectoryError
    except NotADirectoryError as error:
        os.close(place)
        raise OSError(f"a part of `{path}` became a link after it was resolved") from error
    except BaseException:
        os.close(place)
        raise
    return place, mode


def _below(place: int, part: str, flags: int = 0) -> int:
    below = os.open(part, _PLACE | flags, dir_fd=place)
    os.close(place)
    return below
