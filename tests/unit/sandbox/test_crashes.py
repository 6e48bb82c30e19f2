"""What is said of those whom a machine tells of crashes."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.crashes import told, told_here

SYSTEMD = "|/usr/lib/systemd/systemd-coredump %P %u"


@pytest.mark.parametrize(
    ("pattern", "most", "words"),
    [
        ("core", resource.RLIM_INFINITY, None),
        ("/var/crash/core.%p", 0, None),
        (SYSTEMD, resource.RLIM_INFINITY, None),
        (SYSTEMD, 1, None),
        (
            SYSTEMD,
            0,
            "a crash is handed to `/usr/lib/systemd/systemd-coredump`, as this program may set no limit on cores but 0",
        ),
        ("@/run/crashes.socket", 1, "a crash is told to the service behind `@/run/crashes.socket`"),
        ("@@/run/crashes.socket", 0, "a crash is told to the service behind `@@/run/crashes.socket`"),
    ],
)
def test_who_is_told_of_a_crash_is_named_where_our_limit_does_not_keep_it_from_them(
    pattern: str, most: int, words: str | None
) -> None:
    assert told(pattern, most) == words


def test_what_is_said_of_this_machine_goes_by_its_own_setting() -> None:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8").strip()

    assert told_here() == told(pattern, resource.getrlimit(resource.RLIMIT_CORE)[1])


def test_a_kernel_without_the_setting_tells_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_mcpgen.sandbox.crashes._PATTERN", tmp_path / "none")

    assert told_here() is None
