"""Flows of values are compared by what reads what: names and layout say nothing, another variable does."""

from __future__ import annotations

import pytest
from hypothesis import given

from jupyter_mcpgen.metrics.dataflow_analyzer import calculate_dataflow_similarity, extract_dataflow
from tests.laws import law
from tests.references import PAIRS
from tests.strategies.programs import laid_out_otherwise, programs, renamed


def score(candidate: str, reference: str) -> float | None:
    return calculate_dataflow_similarity(candidate, reference).dataflow_match_score


def test_the_dependencies_of_an_indented_text_are_found() -> None:
    flow = extract_dataflow("""
    a = 10
    b = a + 5
    c = b * 2
    """)

    assert flow.valid
    assert flow.variable_dependencies == {"a": frozenset(), "b": {"a"}, "c": {"b"}}
    assert flow.assignments == (("a", 2), ("b", 3), ("c", 4))
    assert flow.usages == (("a", 3), ("b", 4))
    assert flow.variable_count == 3


@pytest.mark.parametrize(
    ("code", "dependencies"),
    [
        ("a += b", {"a": {"a", "b"}}),
        ("a, b = b, c", {"a": {"b"}, "b": {"c"}}),
        ("a, *b = f(c)", {"a": {"f", "c"}, "b": {"f", "c"}}),
        ("for a in b: pass", {"a": {"b"}}),
        ("with f(a) as b: pass", {"b": {"f", "a"}}),
        ("def f(a, b=c): pass", {"f": set(), "a": set(), "b": {"c"}}),
        ("a['x'] = b", {"a": {"a", "b"}}),
        ("a.x = b", {"a": {"a", "b"}}),
        ("a = [b * 2 for b in c]", {"b": {"c"}, "a": {"b", "c"}}),
        ("if (a := b): pass", {"a": {"b"}}),
        ("a = lambda b: b + c", {"b": set(), "a": {"b", "c"}}),
        ("a: int = b", {"a": {"b"}}),
        ("a = b = c", {"a": {"c"}, "b": {"c"}}),
        ("try: pass\nexcept E as a: b = a", {"a": {"E"}, "b": {"a"}}),
        ("match a:\n    case [b, *c]: pass", {"b": {"a"}, "c": {"a"}}),
        ("class A(B):\n    a = b", {"A": {"B"}, "a": {"b"}}),
        ("a = len(b)", {"a": {"b"}}),
        ("print(a)", {}),
    ],
)
def test_each_way_to_give_a_variable_a_value_says_what_it_is_made_of(
    code: str, dependencies: dict[str, set[str]]
) -> None:
    assert extract_dataflow(code).variable_dependencies == dependencies


def test_the_pairs_are_as_alike_as_they_should_be() -> None:
    scores = {name: score(pair["candidate"], pair["reference"]) or 0 for name, pair in PAIRS.items()}

    assert (scores["p1"], scores["p2"], scores["p4"], scores["p5"]) == (1.0, 1.0, 1.0, 1.0)
    assert max(scores["p3"], scores["p6"]) < 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("z = x - x", "z = x - y"),
        ("a = 1\nb = 2\nprint(a)", "a = 1\nb = 2\nprint(b)"),
        ("a = 1\na = 2\nprint(a)", "a = 1\nprint(a)\na = 2"),
        ("def f(a, b):\n    return a", "def f(a, b):\n    return b"),
        ("a = 1\nif a: pass", "a = 1\nprint(a)"),
        ("x = 1\ndef f(x):\n    return x", "x = 1\ndef f(y):\n    return x"),
        ("for a in b:\n    print(a)", "for a in b:\n    print(b)"),
    ],
)
def test_reading_another_variable_or_another_of_its_values_is_another_flow(one: str, other: str) -> None:
    assert (score(one, other) or 0) < 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = 1\ndef f(a):\n    return a", "b = 1\ndef g(c):\n    return c"),
        ("a = 1\nb = [a for a in c]", "d = 1\nb = [e for e in c]"),
        ("len = 1\nprint(len)", "size = 1\nprint(size)"),
        (
            "class A:\n    a = 1\n    def f(self):\n        return a",
            "class B:\n    b = 1\n    def f(me):\n        return a",
        ),
        ("def f():\n    global a\n    a = 1\na = 2", "def f():\n    global b\n    b = 1\nb = 2"),
    ],
)
def test_a_variable_is_one_only_within_the_function_that_it_belongs_to(one: str, other: str) -> None:
    assert score(one, other) == 1.0


@pytest.mark.parametrize(
    ("candidate", "reference", "alike"),
    [
        ("print('a')", "print('a')", None),
        ("", "", None),
        ("x = (", "print('a')", None),
        ("import os", "print('a')", None),
        ("", "x = 1", 0.0),
        ("x = (", "x = 1", 0.0),
        ("x = 1", "print('a')", 0.0),
        ("x = 1", "x = (", None),
    ],
)
def test_without_a_flow_on_either_side_there_is_no_score(candidate: str, reference: str, alike: float | None) -> None:
    assert score(candidate, reference) == alike


def test_a_long_chain_of_branches_is_no_failure() -> None:
    code = "if a: b = 0\n" + "".join(f"elif a == {i}: b = {i}\n" for i in range(900))

    assert score(code, code) in (1.0, None)


@law(60)
@given(programs())
def test_renaming_and_another_layout_change_no_flow(code: str) -> None:
    same = score(code, code)

    assert same in (1.0, None)
    assert score(renamed(code), code) == score(laid_out_otherwise(code), code) == same


@law(60)
@given(programs(least=0), programs(least=0))
def test_likeness_is_between_0_and_1_and_the_same_from_both_sides(one: str, other: str) -> None:
    alike = calculate_dataflow_similarity(one, other)

    assert alike == calculate_dataflow_similarity(other, one)
    assert all(0 <= each <= 1 for each in vars(alike).values() if each is not None)
