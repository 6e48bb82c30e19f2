"""What the files of a language may say."""

import shutil

import pytest

from jupyter_mcpgen.nl.lexicon.reading import LANGUAGES, UnfitLexicon, read


@pytest.fixture
def languages(tmp_path):
    shutil.copytree(LANGUAGES / "en", tmp_path / "en", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize(
    ("file", "line", "reason"),
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
def test_a_file_that_says_what_it_may_not_is_refused(languages, file, line, reason):
    with (languages / "en" / f"{file}.toml").open("a", encoding="utf-8") as written:
        written.write(f"\n{line}\n")

    with pytest.raises(UnfitLexicon) as refused:
        read("en", languages)

    assert f"`{file}.toml` of the lexicon: {reason}" in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ('{ nouns = ["ark"], least = 1, columns = ["deck", "oar"] }', "`ark` needs at least two columns"),
        ('{ nouns = ["ark"], least = 3, columns = ["deck", "oar"] }', "`ark` needs at least two columns"),
        ('{ nouns = ["ark"], columns = ["deck", "oar"] }', "`least` is missing or unknown"),
    ],
)
def test_a_kind_of_rows_is_told_by_several_columns(languages, kind, reason):
    (languages / "en" / "rows.toml").write_text(f"kinds = [{kind}]\nperiods = {{}}", encoding="utf-8")

    with pytest.raises(UnfitLexicon, match=reason):
        read("en", languages)


def test_a_file_of_words_that_is_read_elsewhere_changes_nothing(languages):
    (languages / "en" / "words.toml").write_text("Whatever = ['It', 'says']", encoding="utf-8")

    _, words = read("en", languages)

    assert "quantity" in words.concepts
