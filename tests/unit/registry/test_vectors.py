"""Embeddings are kept in the file of the index, by model and by text, for as long as a tool has the text."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_mcpgen.registry.store import Registry
from tests.builders import draft
from tests.unit.registry.conftest import ticking
from tests.unit.registry.promoting import promote

MODEL, OTHER = "http://localhost:1 small", "http://localhost:1 large"
VECTOR = (0.1, -2.5, 1 / 3)


def opened(place: Path) -> Registry:
    """Return the registry as another process opens it."""
    return Registry(place / "registry", clock=ticking(), index_folder=place / "index")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with a registry of two tools and a vector for each."""
    for number, name in enumerate(("oboe", "viola")):
        promote(opened(tmp_path), draft(name, f"id-{number}"))
    opened(tmp_path).keep_vectors(MODEL, dict.fromkeys(words(tmp_path), VECTOR))
    return tmp_path


def words(place: Path) -> list[str]:
    return [tool.words for tool in opened(place).indexed()]


def test_another_process_finds_the_very_numbers(place: Path) -> None:
    assert opened(place).vectors(MODEL, words(place)) == dict.fromkeys(words(place), VECTOR)


def test_a_text_or_a_model_that_is_not_the_same_has_none(place: Path) -> None:
    assert opened(place).vectors(OTHER, words(place)) == {}
    assert opened(place).vectors(MODEL, ["another text"]) == {}


def test_a_change_of_the_list_of_tools_forgets_no_vector(place: Path) -> None:
    promote(opened(place), draft("horn", "id-9"))

    known = opened(place).vectors(MODEL, words(place))

    assert len(words(place)) == 3
    assert set(known.values()) == {VECTOR}
    assert len(known) == 2


def test_texts_that_no_tool_has_any_more_are_forgotten(place: Path) -> None:
    oboe, viola = words(place)
    opened(place).unpublish("oboe", "me")

    opened(place).keep_vectors(OTHER, {viola: VECTOR})

    assert opened(place).vectors(MODEL, [oboe, viola]) == {viola: VECTOR}


def edited(statement: str) -> Callable[[Path], None]:
    def edit(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.executescript(statement)

    return edit


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda file: file.write_bytes(b"no database" * 1000),
        edited("DROP TABLE embeddings"),
        edited("UPDATE embeddings SET vector = x'00'"),
        edited("UPDATE embeddings SET vector = ''"),
        edited("UPDATE embeddings SET vector = x'000000000000f87f'"),
        edited("UPDATE embeddings SET vector = x'0000000000000000'"),
        edited("UPDATE embeddings SET vector = 1"),
        edited("UPDATE embeddings SET text = x'00' || text"),
        edited("ALTER TABLE embeddings DROP COLUMN vector"),
    ],
)
def test_a_damaged_file_has_no_vectors_and_takes_new_ones(place: Path, damage: Callable[[Path], None]) -> None:
    (file,) = (place / "index").iterdir()
    texts = words(place)
    damage(file)

    lost = opened(place).vectors(MODEL, texts)
    opened(place).indexed()
    here = opened(place)
    here.keep_vectors(MODEL, {texts[0]: VECTOR})

    assert lost == {}
    assert here.vectors(MODEL, texts)[texts[0]] == VECTOR


def test_without_a_folder_they_are_kept_in_memory(place: Path) -> None:
    here = Registry(place / "registry")

    here.keep_vectors(MODEL, {words(place)[0]: VECTOR})

    assert here.vectors(MODEL, words(place)) == {words(place)[0]: VECTOR}
    assert Registry(place / "registry").vectors(MODEL, words(place)) == {}
