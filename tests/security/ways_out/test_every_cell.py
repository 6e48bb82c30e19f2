"""Each cell of tricks, places and moments is an attack, names the test that makes it, or says why it cannot occur."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.security.ways_out.tricks import ATTACKS, MOMENTS, PLACES, TRICKS

NO_PATH = "the registry alone is touched at this moment: no {place} is read, made or written"
RESOLVED = "paths are resolved before they are looked at and granted, so there is none of this kind left to open"
ELSEWHERE: dict[tuple[str, str, str], str] = {
    **{
        (trick, place, moment): NO_PATH.format(place=place)
        for trick in TRICKS
        for place in ("workspace", "data paths", "set-up of the sandbox")
        for moment in ("list", "promote", "undo")
    },
    **{(trick, "data paths", "open"): NO_PATH.format(place="data path") for trick in TRICKS},
    **{
        (trick, "set-up of the sandbox", "open"): "at the start only the person's own folder for data is read, "
        "which nobody else may write, and a proof that cannot be read there is made again"
        for trick in TRICKS
    },
    **{
        (trick, "workspace", "open"): "test_sweeping_old_workspaces_touches_nothing_else_and_waits_for_nobody"
        for trick in ("symlink", "hard link", "rename race", "special file")
    },
    ("parent symlink", "workspace", "open"): "the folder for temporary files is the machine's, and resolved first",
    ("..", "workspace", "open"): "names come from the listing of one folder, and what lies in it names no path",
    ("absolute path", "workspace", "open"): "names come from the listing of one folder, and nothing names a path",
    **{
        (trick, "workspace", "serve"): "test_links_pipes_and_folders_behind_links_are_left_out"
        for trick in ("symlink", "parent symlink", "special file")
    },
    **{
        (trick, "workspace", "serve"): "test_no_file_of_a_tool_has_a_name_that_leads_out_of_its_folder"
        for trick in ("..", "absolute path")
    },
    ("hard link", "workspace", "serve"): "a tool's files are laid into a new folder of a new name, closed to others",
    ("rename race", "workspace", "serve"): "a tool's files are laid into a new folder of a new name, closed to others",
    ("symlink", "data paths", "serve"): "test_a_link_out_of_an_open_folder_leads_nowhere",
    ("parent symlink", "data paths", "serve"): "test_a_link_that_was_put_there_since_is_not_followed",
    ("rename race", "data paths", "serve"): "test_a_table_that_became_a_link_after_it_was_looked_at_is_not_read",
    **{
        (trick, "data paths", "serve"): "test_nothing_else_may_be_read_and_the_setting_is_named"
        for trick in ("..", "absolute path")
    },
    ("special file", "data paths", "serve"): "test_nobody_waits_for_a_pipe_that_was_put_there_since",
    ("hard link", "data paths", "serve"): "a second name of a file is that file: data is only read, and the system "
    "lets only those make one who may write the file",
    ("symlink", "set-up of the sandbox", "serve"): "test_no_part_of_a_path_may_be_a_link",
    ("parent symlink", "set-up of the sandbox", "serve"): "test_no_part_of_a_path_may_be_a_link",
    ("rename race", "set-up of the sandbox", "serve"): (
        "test_a_job_does_not_begin_when_a_folder_on_the_way_became_a_link"
    ),
    ("hard link", "set-up of the sandbox", "serve"): "what is granted is granted to be read; scratch is a new folder",
    ("..", "set-up of the sandbox", "serve"): RESOLVED,
    ("absolute path", "set-up of the sandbox", "serve"): RESOLVED,
    ("special file", "set-up of the sandbox", "serve"): "test_nobody_waits_for_a_pipe_that_was_put_there_since",
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("trick", TRICKS)
def test_every_cell_is_attacked_or_says_why_it_cannot_occur(trick: str, place: str) -> None:
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[2].rglob("test_*.py")]

    for moment in MOMENTS:
        here, elsewhere = (trick, place) in ATTACKS, ELSEWHERE.get((trick, place, moment))
        assert here is (elsewhere is None), (trick, place, moment)
        made_by = elsewhere if elsewhere is not None and elsewhere.startswith("test_") else None
        assert made_by is None or any(f"def {made_by}(" in text for text in tests), (trick, place, moment)
