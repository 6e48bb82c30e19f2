"""What is computed from files of the package is computed once, and never from an earlier state of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.nl.everyday.saying.phrases import compile_phrase
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.precomputed import LANGUAGES, precomputed, words_of


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "words.txt"
    path.write_text("one two")
    return path


class Counting:
    """Splits a file into words and counts how often it was asked to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.times = 0

    def __call__(self) -> list[str]:
        """Split the file."""
        self.times += 1
        return self.path.read_text().split()

    def ask(self, name: str = "words") -> Any:
        """Return the words, split now or before."""
        return precomputed(name, [self.path], self)


def test_it_is_computed_once_and_again_after_an_edit(source: Path) -> None:
    words = Counting(source)

    before = [words.ask(), words.ask()]
    source.write_text("three")
    after = [words.ask(), words.ask()]

    assert (before, after, words.times) == ([["one", "two"]] * 2, [["three"]] * 2, 2)


def test_two_things_made_of_the_same_files_are_kept_apart(source: Path) -> None:
    assert [Counting(source).ask("words"), precomputed("length", [source], lambda: 7)] == [["one", "two"], 7]
    assert precomputed("length", [source], lambda: 8) == 7


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"digest": 3, "value": []}', b"\xff"])
def test_a_kept_file_that_is_broken_is_computed_anew(source: Path, content: bytes) -> None:
    words = Counting(source)
    words.ask()
    (kept,) = (source.parent / "__pycache__").iterdir()
    kept.write_bytes(content)

    assert (words.ask(), words.ask(), words.times) == (["one", "two"], ["one", "two"], 2)


def test_nothing_is_kept_where_python_writes_no_bytecode(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    words = Counting(source)

    assert (words.ask(), words.ask(), words.times) == (["one", "two"], ["one", "two"], 2)
    assert not (source.parent / "__pycache__").exists()


def test_it_is_computed_where_nothing_can_be_kept(source: Path) -> None:
    (source.parent / "__pycache__").write_text("a file stands in the way")

    assert Counting(source).ask() == ["one", "two"]


def test_a_language_without_such_words_has_none() -> None:
    assert words_of("tlh_everyday") == {}


@pytest.mark.parametrize("language", ["en", "de"])
def test_phrases_that_were_kept_are_those_that_are_written(language: str) -> None:
    vocabulary = load_vocabulary(language)
    rules = {
        name: rule
        for path in sorted(LANGUAGES.glob(f"{language}_everyday_*.toml"))
        for name, rule in words_of(path.stem).items()
    }

    written = {
        name: [
            compile_phrase(text, vocabulary.lists, whole=key == "question")
            for key in ("question", "part")
            for text in rule.get(key, ())
        ]
        for name, rule in rules.items()
    }

    for name, phrases in written.items():
        kept = vocabulary.wordings[name].phrases
        assert [(p.source, p.meanings, p.needed) for p in kept] == [(p.source, p.meanings, p.needed) for p in phrases]
