"""What the files of a language may say."""

import shutil

import pytest

from jupyter_mcpgen.nl.lexicon.reading import LANGUAGES, UnfitLexicon, read


@pytest.fixture
def languages(tmp_path):
    shutil.copytree(LANGUAGES / "en", tmp_path / "en", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def add(languages, part, line):
    """Write another line into a part of English, or another table of it."""
    (path,) = (path for path in (languages / "en").glob("*.toml") if f"[{part}" in path.read_text("utf-8"))
    text = path.read_text("utf-8")
    if line.startswith("["):
        text = f"{text}\n[{part}.{line[1:]}\n"
    else:
        text = text.replace(f"[{part}]\n", f"[{part}]\n{line}\n", 1)
    path.write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("part", "line", "reason"),
    [
        ("concepts", 'tariffs = ["Duty"]', "`Duty` is not in lower case"),
        ("concepts", 'tariffs = ["duty", "toll", "duty"]', "`duty` stands twice in one list"),
        ("dimensions", 'bouncy = { up = ["bounciness"] }', "`bouncy` is about `bounciness`, which is no concept"),
        ("dimensions", 'bouncy = { high = ["height"] }', "`bouncy` has `up` and `down`"),
        ("dimensions", "bouncy = {}", "`bouncy` has `up` and `down`"),
        ("judgement", 'splendid = { count = "often" }', "`splendid` has `up` and `down`"),
        ("families", "[planets]\nmars = []", "`planets` is missing or unknown"),
        ("numbers", "[fractions]\nninth = 0.1", "`fractions` is missing or unknown"),
        ("irregular", '[dual]\nboth = ["two"]', "`dual` is missing or unknown"),
        ("units", "[length.cubit]\ncubit = { factor = 1, word = [] }", "`word` is missing or unknown"),
        ("units", '[length.cubit]\ncubit = { factor = 1, words = ["yard"] }', "`yard` is `yard` and `cubit`"),
        ("function", '[more]\ncost = 0\nclosed = true\nwords = ["the"]', "`the` of `more` is of another class"),
        ("kinds", "[animal]\nwords = []", "`animal` is missing or unknown"),
        ("rows", "[eras]\nage = []", "`eras` is missing or unknown"),
        ("opposites", 'fail = ["pass"]', "`fail` and `pass` are a pair already"),
        ("opposites", 'tardy = ["tardy"]', "`tardy` is its own opposite"),
        ("function", '[more]\ncost = 0\nwords = ["whilst"]', "`closed` is missing or unknown"),
    ],
)
def test_a_part_that_says_what_it_may_not_is_refused(languages, part, line, reason):
    add(languages, part, line)

    with pytest.raises(UnfitLexicon) as refused:
        read("en", languages)

    assert f"`[{part}]` of the lexicon: {reason}" in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ('{ nouns = ["ark"], least = 1, columns = ["deck", "oar"] }', "`ark` needs at least two columns"),
        ('{ nouns = ["ark"], least = 3, columns = ["deck", "oar"] }', "`ark` needs at least two columns"),
        ('{ nouns = ["ark"], columns = ["deck", "oar"] }', "`least` is missing or unknown"),
    ],
)
def test_a_kind_of_rows_is_told_by_several_columns(languages, kind, reason):
    path = languages / "en" / "nouns.toml"
    path.write_text(path.read_text("utf-8").replace("kinds = [\n", f"kinds = [\n{kind},\n", 1), "utf-8")

    with pytest.raises(UnfitLexicon, match=reason):
        read("en", languages)


def test_a_part_stands_in_one_file(languages):
    (languages / "en" / "more.toml").write_text("[kinds]", encoding="utf-8")

    with pytest.raises(UnfitLexicon, match=r"`\[kinds\]` of the lexicon: it is in two files"):
        read("en", languages)


def test_what_words_do_in_a_question_is_read_elsewhere(languages):
    add(languages, "words", "Whatever = ['It', 'says']")

    _, words = read("en", languages)

    assert "quantity" in words.concepts
