"""Structure is compared by subtrees: what variables are called says nothing, all else does."""

from __future__ import annotations

import pytest
from hypothesis import given

from jupyter_mcpgen.metrics.ast_matcher import calculate_ast_similarity, extract_ast_features
from tests.laws import law
from tests.references import PAIRS, REFERENCES
from tests.strategies.programs import laid_out_otherwise, programs, renamed


def score(candidate: str, reference: str) -> float | None:
    return calculate_ast_similarity(candidate, reference).ast_match_score


def test_the_pairs_are_as_alike_as_they_should_be() -> None:
    scores = {name: score(pair["candidate"], pair["reference"]) or 0 for name, pair in PAIRS.items()}

    assert (scores["p1"], scores["p2"], scores["p5"]) == (1.0, 1.0, 1.0)
    assert 1 > scores["p4"] > scores["p6"] > scores["p3"] > 0


def test_the_same_structure_with_other_names_is_the_same_and_another_operator_is_not() -> None:
    result = calculate_ast_similarity("x = a + b", "y = c + d")

    assert result.ast_match_score == 1.0
    assert (score("x = a - b", "y = c + d") or 0) < 0.8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = a < b", "x = a <= b"),
        ("x = 1", "x = 1.0"),
        ("x = True", "x = 1"),
        ("x = 'a'", "x = 'b'"),
        ("x = df.sum()", "x = df.mean()"),
        ("x = f(ascending=True)", "x = f(descending=True)"),
        ("x = sum(y)", "x = max(y)"),
        ("import math", "import json"),
        ("from a import b", "from c import b"),
        ("x = [y for y in z]", "x = {y for y in z}"),
        ("x[1:]", "x[:1]"),
        ("if a:\n    b()\n", "if a:\n    pass\nelse:\n    b()\n"),
        ("class A:\n    def b(self): ...\n", "class A:\n    def c(self): ...\n"),
        ("f(*a)", "f(**a)"),
        ("async def f(): await g()", "def f(): g()"),
    ],
)
def test_another_operator_constant_attribute_or_builtin_is_another_structure(one: str, other: str) -> None:
    alike = score(one, other)

    assert alike is not None
    assert alike < 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x):\n    return x\nf(x=1)\n", "def g(y):\n    return y\ng(y=1)\n"),
        ("import numpy as np\nnp.sum(1)\n", "import numpy as n\nn.sum(1)\n"),
        ("try:\n    a()\nexcept E as b:\n    pass\n", "try:\n    a()\nexcept E as c:\n    pass\n"),
        ("sum = 1\nprint(sum)\n", "total = 1\nprint(total)\n"),
        ("def f():\n    '''Says.'''\n    return 1\n", "def f():\n    return 1\n"),
        ("    a = 1\n    b = a\n", "a = 1\nb = a\n"),
        ("match a:\n    case [b, *c]: d = b\n", "match e:\n    case [f, *g]: h = f\n"),
        ("def f():\n    global a\n    a = 1\n", "def f():\n    global b\n    b = 1\n"),
    ],
)
def test_names_that_a_text_gives_itself_layout_and_docstrings_are_no_structure(one: str, other: str) -> None:
    assert score(one, other) == 1.0


def test_equal_statements_match_only_as_often_as_both_have_them() -> None:
    quirk = REFERENCES["quirks"][-1]

    assert (score(quirk["candidate"], quirk["reference"]) or 1) < 0.5
    assert (score(quirk["reference"], quirk["candidate"]) or 1) < 0.5


def test_long_texts_that_differ_in_one_statement_are_alike() -> None:
    reference = "\n".join(f"v{i} = a{i} + {i}" for i in range(60))

    assert (score(f"import os\n{reference}", reference) or 0) > 0.95


@pytest.mark.parametrize("candidate", ["", "x = (", "def f(:", "x = " + "(" * 500, "a\x00b", "# nothing"])
def test_what_is_empty_or_cannot_be_parsed_is_like_nothing(candidate: str) -> None:
    assert score(candidate, "x = 1") == 0.0


def test_without_anything_to_compare_there_is_no_score() -> None:
    assert score("", "# nothing") is None
    assert score("x = 1", "x = (") is None


@pytest.mark.parametrize("code", ["x = " + "+".join(["1"] * 20_000), "-" * 20_000 + "1", "f" + "(1)" * 5_000])
def test_a_text_that_is_nested_deeper_than_python_goes_is_no_failure(code: str) -> None:
    assert score(code, code) in (1.0, None)


def test_a_doubtful_escape_in_the_text_is_no_warning_of_ours() -> None:
    assert score(r"x = '\d'", r"x = '\d'") == 1.0


def test_features_say_what_a_text_is_made_of() -> None:
    features = extract_ast_features("x = a + 1\n")

    assert (features.valid, features.max_depth, features.node_count) == (True, 3, 7)
    assert features.unique_nodes == {"Module", "Assign", "Name", "BinOp", "Add", "Constant"}
    assert not extract_ast_features("x = (").valid


@law(60)
@given(programs())
def test_renaming_and_another_layout_change_no_structure(code: str) -> None:
    assert score(code, code) == score(renamed(code), code) == score(laid_out_otherwise(code), code) == 1.0


@law(60)
@given(programs(least=0), programs(least=0))
def test_likeness_is_between_0_and_1_and_the_same_from_both_sides(one: str, other: str) -> None:
    alike = calculate_ast_similarity(one, other)

    assert alike == calculate_ast_similarity(other, one)
    assert (alike.ast_match_score is None) == (not one and not other)
    assert all(0 <= each <= 1 for each in vars(alike).values() if each is not None)
