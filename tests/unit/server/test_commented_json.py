"""One entry of a file with comments is put in, replaced or taken out; nothing else of the file changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.server.commented_json import NotChangeable, entry_of, value_of, with_entry, without_entry

ENTRY = {"command": "python", "args": ["-m", "it"]}

SETTINGS = """// my settings
{
    "theme": "dark", /* for the eyes */
    "servers": {
        // mine
        "other": {"command": "node", "args": []} // keep
    },
    "size": 12, // points
}
"""
CHANGED = """// my settings
{
    "theme": "dark", /* for the eyes */
    "servers": {
        // mine
        "other": {"command": "node", "args": []}, // keep
        "ours": {
            "command": "python",
            "args": [
                "-m",
                "it"
            ]
        }
    },
    "size": 12, // points
}
"""


def test_an_entry_is_put_behind_the_others_in_the_layout_of_the_file() -> None:
    assert with_entry(SETTINGS, "servers", "ours", ENTRY) == CHANGED


def test_taking_it_out_again_leaves_what_was_there_before() -> None:
    assert without_entry(CHANGED, "servers", "ours") == SETTINGS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "{}",
        "{ }\n",
        '{"servers": {}}',
        '{"servers":{"a":1}}',
        '{"a": [1, {"b": "}"}], "servers": {"a": 1,},}',
        '{\r\n\t"a": "// no comment",\r\n\t"servers": {\r\n\t\t"a": 1\r\n\t}\r\n}\r\n',
        '{\n  "a": 1 // one\n}',
        '{\n  "servers": {\n    // nothing yet\n  }\n}',
        '\ufeff{"a": 1}',
        '/* {"servers": 1} */ {"a": "\\" } /* no comment */"}',
    ],
)
def test_every_layout_keeps_its_values_its_comments_and_its_line_ends(text: str) -> None:
    after = with_entry(text, "servers", "ours", ENTRY)

    before = value_of(text)
    assert value_of(after) == {**before, "servers": {**before.get("servers", {}), "ours": ENTRY}}
    assert ("\n" in after.replace("\r\n", "")) is ("\r\n" not in text)
    again = without_entry(after, "servers", "ours")
    assert value_of(again) == {**before, "servers": before.get("servers", {})}
    if "servers" in before:
        assert after.startswith(text[: text.index('"servers"')])


def test_an_entry_of_ours_is_replaced_where_it_stands() -> None:
    text = '{"servers": {"ours": {"command": "old"}, /* then */ "other": 1}}'

    after = with_entry(text, "servers", "ours", ENTRY)

    assert list(value_of(after)["servers"]) == ["ours", "other"]
    assert entry_of(after, "servers", "ours") == ENTRY
    assert "/* then */" in after


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"servers": {"ours": {"command": "old", "env": {"KEY": "1"}}}}', "has a key of yours: `env`"),
        ('{"servers": {"ours": {"command": "old" /* mine */}}}', "has comments"),
        ('{"servers": {}, "servers": {}}', "`servers` stands there 2 times"),
        ('{"servers": {"ours": {}, "ours": {}}}', "`ours` stands there 2 times"),
        ('{"servers": []}', "`servers` is no JSON object"),
        ("[]", "The file is no JSON object"),
        ('{\n "a": 1\n "b": 2}', "Line 3 is not valid JSON"),
        ("{'a': 1}", "Line 1 is not valid JSON"),
        ('{"a": 1} /* open', "Line 1 is not valid JSON"),
        ('{"a": "\\u12"}', "Line 1 is not valid JSON"),
        ("{" * 3 + '"a":' * 200, "Line 1 is not valid JSON"),
        ('{"a":' * 200 + "1" + "}" * 200, "nested more than 100 levels"),
    ],
)
def test_what_would_lose_something_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotChangeable, match=why):
        with_entry(text, "servers", "ours", ENTRY)


def test_an_entry_that_is_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(NotChangeable, match="no entry `ours`"):
        without_entry('{"servers": {"other": 1}}', "servers", "ours")


_PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_KEYS = st.text(alphabet='ab/*,{}"\\ é', min_size=1, max_size=4)
_TREES = st.recursive(_PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3))
_GAPS = st.lists(st.sampled_from(["", " ", "\n", "\t", "// c, }\n", "/* { */", "/**/"]), min_size=1, max_size=30)


@st.composite
def _files(draw: st.DrawFn) -> tuple[str, object]:
    """Draw a file with comments anywhere, and its value."""
    gaps = draw(_GAPS)
    places = iter(range(10_000))

    def gap() -> str:
        return gaps[next(places) % len(gaps)]

    def written(value: object) -> str:
        if isinstance(value, dict):
            inside = ",".join(f"{gap()}{json.dumps(k)}{gap()}:{gap()}{written(v)}{gap()}" for k, v in value.items())
            return f"{{{inside}{draw(st.sampled_from(['', ','])) if value else ''}{gap()}}}"
        if isinstance(value, list):
            inside = ",".join(f"{gap()}{written(each)}{gap()}" for each in value)
            return f"[{inside}{gap()}]"
        return json.dumps(value)

    tree = draw(st.dictionaries(_KEYS, _TREES, max_size=3))
    if draw(st.booleans()):
        tree["servers"] = draw(st.dictionaries(_KEYS, _TREES, max_size=3))
    return f"{gap()}{written(tree)}{gap()}", tree


@given(_files())
def test_any_file_is_changed_to_exactly_what_was_asked_for_or_refused(drawn: tuple[str, dict[str, object]]) -> None:
    text, tree = drawn
    assert value_of(text) == tree

    after = with_entry(text, "servers", "ours", ENTRY)

    assert value_of(after) == {**tree, "servers": {**tree.get("servers", {}), "ours": ENTRY}}  # type: ignore[dict-item]
    try:
        again = without_entry(after, "servers", "ours")
    except NotChangeable:
        return
    assert value_of(again) == {**tree, "servers": tree.get("servers", {})}
