"""Random programs, and the same with other names or another layout."""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import indent

from hypothesis import strategies as st

NAMES = ("alpha", "beta", "gamma", "delta")
OTHER_NAMES: Mapping[str, str] = {"alpha": "first", "beta": "alpha", "gamma": "len_of", "delta": "_d"}
"""A renaming: every name gets another, and one of them was a name before."""
_FUNCTION = "work"

names = st.sampled_from(NAMES)
constants = st.sampled_from(["0", "1", "2.5", "'a b'", "None", "True"])
operators = st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "@"])


def expressions() -> st.SearchStrategy[str]:
    """Return expressions of any depth."""
    return st.recursive(
        st.one_of(names, constants),
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, operators, inner),
            st.builds("[{}, {}]".format, inner, inner),
            st.builds("{}.head({})".format, names, inner),
            st.builds("{}['n']".format, names),
            st.builds("len({})".format, inner),
            st.builds("[{} for {} in {}]".format, inner, names, inner),
            st.builds("(lambda {}: {})".format, names, inner),
        ),
        max_leaves=5,
    )


def statements() -> st.SearchStrategy[str]:
    """Return statements, some with others in them."""
    value = expressions()
    simple = st.one_of(
        st.builds("{} = {}".format, names, value),
        st.builds("{}, {} = {}, {}".format, names, names, value, value),
        st.builds("{} {}= {}".format, names, st.sampled_from("+-*"), value),
        st.builds("{}['n'] = {}".format, names, value),
        st.builds("print({})".format, value),
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.builds(_block, st.builds("for {} in {}:".format, names, value), inner),
            st.builds(_block, st.builds("if {}:".format, value), inner),
            st.builds(_block, st.builds("with open({}) as {}:".format, value, names), inner),
            st.builds(_block, st.builds(f"def {_FUNCTION}({{}}, rest={{}}):".format, names, value), inner),
        ),
        max_leaves=3,
    )


def programs(least: int = 1) -> st.SearchStrategy[str]:
    """Return programs of a few statements."""
    return st.lists(statements(), min_size=least, max_size=5).map("\n".join).map(lambda code: f"{code}\n" * bool(code))


def renamed(code: str) -> str:
    """Return a program with other names for its variables and its function."""
    mapping = {**OTHER_NAMES, _FUNCTION: "job", "rest": "more"}
    return re.sub(r"\b(?:{})\b".format("|".join(mapping)), lambda found: mapping[found[0]], code)


def laid_out_otherwise(code: str) -> str:
    """Return a program with comments, empty lines and deeper indentation."""
    lines = [f"{line}  # {line}" for line in code.replace("    ", "\t").splitlines()]
    return "# A comment.\n\n" + "\n\n".join(lines) + "\n"


def _block(head: str, body: str) -> str:
    return f"{head}\n{indent(body, '    ')}"
