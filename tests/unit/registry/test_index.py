"""The index saves reading: it fits the list of active tools or is made anew, and nothing depends on it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.plan.traits import traits_of
from jupyter_mcpgen.registry import index
from jupyter_mcpgen.registry.index import NO_PLAN, IndexedTool
from jupyter_mcpgen.registry.store import Registry
from tests.builders import draft
from tests.plans import group, plan_of
from tests.reads import counted
from tests.unit.registry.conftest import ticking
from tests.unit.registry.promoting import promote

SHAPE = generalise(plan_of({"reed": "text", "pitch": "real"}, group("reed", "mean pitch")))
PLAN = {"plan.json": SHAPE.model_dump_json()}
NAMES = ("bassoon", "clarinet", "oboe")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with a registry of three tools, and an index of them."""
    registry = opened(tmp_path)
    for number, name in enumerate(NAMES):
        promote(registry, draft(name, f"id-{number}", files=PLAN))
    registry.indexed()
    return tmp_path


def opened(place: Path) -> Registry:
    """Return the registry as another process opens it."""
    return Registry(place / "registry", clock=ticking(), index_folder=place / "index")


def file_of(place: Path) -> Path:
    (file,) = (place / "index").iterdir()
    return file


def names(tools: tuple[IndexedTool, ...]) -> tuple[str, ...]:
    return tuple(tool.name for tool in tools)


def test_the_index_says_what_each_tool_computes_and_in_which_words(place: Path) -> None:
    tools = opened(place).indexed()

    assert names(tools) == NAMES
    assert [tool.fingerprint for tool in tools] == [tool.fingerprint for tool in opened(place).active()]
    assert {tool.traits for tool in tools} == {traits_of(SHAPE)}
    assert tools[0].words.startswith("bassoon add up a column for each group")


def test_an_index_that_fits_the_list_is_used_without_reading_a_tool(place: Path) -> None:
    with counted() as read:
        tools = opened(place).indexed()

    assert (names(tools), read) == (NAMES, [])


def test_after_a_change_only_the_tools_that_are_new_are_read(place: Path) -> None:
    promote(opened(place), draft("recorder", "id-9", files=PLAN))
    opened(place).unpublish("oboe", "me")

    with counted() as read:
        tools = opened(place).indexed()

    assert names(tools) == ("bassoon", "clarinet", "recorder")
    assert len(read) == 1


def test_a_registry_that_stays_open_sees_what_another_process_changed(place: Path) -> None:
    here = opened(place)
    here.indexed()

    opened(place).unpublish("oboe", "me")

    assert names(here.indexed()) == ("bassoon", "clarinet")


def edited(statement: str) -> Callable[[Path], None]:
    def edit(file: Path) -> None:
        with closing(sqlite3.connect(file)) as opened, opened:
            opened.executescript(statement)

    return edit


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"no database" * 1000),
        cut,
        edited("PRAGMA user_version = 99"),
        edited("UPDATE tools SET shape = 'other' WHERE name = 'oboe'"),
        edited("UPDATE tools SET inputs = '[' WHERE name = 'oboe'"),
        edited("UPDATE tools SET words = x'ff00'"),
        edited("DELETE FROM tools WHERE name = 'oboe'"),
        edited("INSERT INTO tools SELECT 'cornet', fingerprint, words, parameters, shape, operation, inputs, output, "
               "constraints FROM tools LIMIT 1"),
        edited("DROP TABLE tools"),
        edited("DROP TABLE about"),
        edited("INSERT INTO about SELECT * FROM about"),
        edited("ALTER TABLE tools DROP COLUMN output"),
    ],
)  # fmt: skip
def test_an_index_that_is_damaged_or_edited_is_made_anew(place: Path, damage: Callable[[Path], None]) -> None:
    sound = opened(place).indexed()
    damage(file_of(place))

    with counted() as read:
        tools = opened(place).indexed()
    with counted() as read_again:
        again = opened(place).indexed()

    assert tools == again == sound
    assert (len(read), len(read_again)) == (len(NAMES), 0)


@pytest.mark.parametrize("inputs", ["[", "[]", '{"columns": 1}', "[" * 100_000])
def test_an_index_with_inputs_that_no_tool_has_is_made_anew_though_its_digest_fits(place: Path, inputs: str) -> None:
    sound = opened(place).indexed()
    forged = sound[0]._replace(traits=sound[0].traits._replace(inputs=inputs))
    listed = opened(place)._shelves.active_digest()
    index._fill(file_of(place), index._State(listed, (forged, *sound[1:])), None)

    assert opened(place).indexed() == sound


def test_an_index_that_somebody_locks_costs_reading_the_tools(place: Path) -> None:
    sound = opened(place).indexed()
    here = opened(place)

    with closing(sqlite3.connect(file_of(place), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with counted() as read:
            tools = here.indexed()
        with counted() as read_again:
            again = here.indexed()

    assert tools == again == sound
    assert (len(read), len(read_again)) == (len(NAMES), 0)


def test_where_no_index_can_be_kept_the_tools_are_read_once_per_process(place: Path) -> None:
    sound = opened(place).indexed()
    shutil.rmtree(place / "index")
    (place / "index").write_text("a file where the folder would be")
    here = opened(place)

    with counted() as read:
        tools = (here.indexed(), here.indexed())

    assert tools == (sound, sound)
    assert len(read) == len(NAMES)


def test_without_a_folder_for_it_the_index_is_kept_in_memory(place: Path) -> None:
    here = Registry(place / "registry")

    assert names(here.indexed()) == NAMES
    with counted() as read:
        here.indexed()
    assert read == []


def test_a_registry_that_does_not_exist_has_an_empty_index(tmp_path: Path) -> None:
    assert opened(tmp_path).indexed() == ()
    assert not (tmp_path / "registry").exists()


def test_a_tool_that_is_not_as_approved_is_not_in_it_until_it_is_again(tmp_path: Path) -> None:
    for number, name in enumerate(NAMES):
        promote(opened(tmp_path), draft(name, f"id-{number}", files=PLAN))
    code = tmp_path / "registry" / "active" / "tools" / "oboe" / "tool.py"
    approved = code.read_bytes()
    code.write_text("import os\n")

    without = opened(tmp_path).indexed()
    code.write_bytes(approved)
    with counted() as read:
        complete = opened(tmp_path).indexed()

    assert (names(without), names(complete)) == (("bassoon", "clarinet"), NAMES)
    assert len(read) == 1


@pytest.mark.parametrize("plan", ["", "{", "null", '{"operation": "aggregate"}'])
def test_a_tool_that_was_not_made_from_a_plan_has_no_traits(tmp_path: Path, plan: str) -> None:
    promote(opened(tmp_path), draft("oboe", files={"plan.json": plan}))

    (tool,) = opened(tmp_path).indexed()

    assert tool.traits == NO_PLAN


def test_two_registries_do_not_share_an_index(place: Path, tmp_path: Path) -> None:
    other = Registry(tmp_path / "another", clock=ticking(), index_folder=place / "index")
    promote(other, draft("horn", "id-7", files=PLAN))

    assert names(other.indexed()) == ("horn",)
    assert names(opened(place).indexed()) == NAMES
    assert len(list((place / "index").iterdir())) == 2


def test_many_readers_and_a_writer_at_once_each_see_a_list_that_was_true(place: Path) -> None:
    writer = opened(place)

    def read(_: int) -> tuple[str, ...]:
        return names(opened(place).indexed())

    with ThreadPoolExecutor(4) as pool:
        before = [pool.submit(read, number) for number in range(8)]
        promote(writer, draft("recorder", "id-9", files=PLAN))
        after = [pool.submit(read, number) for number in range(8)]

    assert {found.result() for found in before} <= {NAMES, (*NAMES, "recorder")}
    assert {found.result() for found in after} == {(*NAMES, "recorder")}


def test_tools_are_found_by_the_words_of_their_names_and_of_what_they_do(place: Path) -> None:
    promote(opened(place), draft("horn", "id-9", files=PLAN))

    with counted() as read:
        found = opened(place).search("OBOES", 5)
        all_of_them = opened(place).search("group", 2)

    assert found == (("oboe",), 1)
    assert all_of_them == (("bassoon", "clarinet"), 4)
    assert len(read) == 1  # the new one, which was not in the file


def test_what_is_no_longer_active_is_not_found(place: Path) -> None:
    here = opened(place)
    here.search("oboe", 5)

    opened(place).unpublish("oboe", "me")

    assert here.search("oboe", 5) == ((), 0)
    assert here.search("clarinet", 5) == (("clarinet",), 1)


@pytest.mark.parametrize(
    "damage", [edited("DROP TABLE texts"), edited("UPDATE about SET listed = ''"), Path.unlink, cut]
)
def test_a_search_does_without_the_file_where_it_is_no_use(place: Path, damage: Callable[[Path], None]) -> None:
    here = opened(place)
    here.indexed()

    damage(file_of(place))

    assert here.search("oboe", 5) == (("oboe",), 1)


def test_after_a_change_the_file_says_what_one_made_anew_says(place: Path) -> None:
    promote(opened(place), draft("recorder", "id-9", files=PLAN))
    opened(place).unpublish("clarinet", "me")
    opened(place).indexed()
    (kept,) = [rows(file) for file in (place / "index").iterdir()]
    shutil.rmtree(place / "index")

    opened(place).indexed()

    assert [rows(file) for file in (place / "index").iterdir()] == [kept]


def rows(file: Path) -> list[list[tuple[object, ...]]]:
    """Return all that an index holds, but for the numbers of its rows."""
    with closing(sqlite3.connect(file)) as opened:
        selects = ("SELECT * FROM about", "SELECT * FROM tools", "SELECT * FROM texts")
        return [sorted(opened.execute(select).fetchall()) for select in selects]


def test_the_index_is_outside_the_registry_that_others_may_share(place: Path) -> None:
    assert not [path for path in (place / "registry").rglob("*") if path.suffix == ".sqlite"]
