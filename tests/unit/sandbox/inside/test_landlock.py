"""What the ruleset handles, for every version of Landlock."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.inside import landlock
from tests.levels import needs


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (1, (0x1FFF,)),
        (2, (0x3FFF,)),
        (3, (0x7FFF,)),
        (4, (0x7FFF, 0b11)),
        (5, (0xFFFF, 0b11)),
        (6, (0xFFFF, 0b11, 0b11)),
        (7, (0xFFFF, 0b11, 0b11)),
        (99, (0xFFFF, 0b11, 0b11)),
    ],
)
def test_everything_a_version_can_refuse_is_handled(version: int, expected: tuple[int, ...]) -> None:
    attributes = landlock.handled_attributes(version)

    assert struct.unpack(f"={len(expected)}Q", attributes) == expected


def test_scratch_never_takes_programs_devices_sockets_or_links() -> None:
    execute, make_device, make_socket, make_fifo, make_block, make_link = (
        1 << 0,
        1 << 6,
        1 << 9,
        1 << 10,
        1 << 11,
        1 << 12,
    )

    assert landlock.WRITE & (execute | make_device | make_socket | make_fifo | make_block | make_link) == 0


def test_only_what_is_made_to_run_programs_may_execute_them() -> None:
    execute = 1 << 0

    assert landlock.READ | execute == landlock.RUN
    assert landlock.WRITE | execute == landlock.WORK
    assert not (landlock.READ | landlock.WRITE | landlock.DEVICE) & execute


needs_landlock = needs("this kernel has no Landlock" if landlock.abi() < 1 else None)


@needs_landlock
def test_a_path_that_is_gone_is_an_error_and_not_a_rule_left_out(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="gone"):
        landlock.make_ruleset([str(tmp_path / "gone")], [], [])


@needs_landlock
def test_a_link_planted_where_a_path_was_resolved_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc")

    with pytest.raises(OSError, match="became a link"):
        landlock.make_ruleset([str(tmp_path / "link")], [], [])


@needs_landlock
def test_a_ruleset_takes_folders_files_and_devices(tmp_path: Path) -> None:
    (tmp_path / "data.csv").touch()

    ruleset = landlock.make_ruleset([str(tmp_path / "data.csv")], [str(tmp_path)], [os.devnull])

    os.close(ruleset)
