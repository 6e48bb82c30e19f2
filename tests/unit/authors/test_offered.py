"""What a client says of a tool is completed from its code, held against it, and refused where the two differ."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from jupyter_mcpgen.authors.offered import completed, contract_of_offered, offered_in, package_of_offered
from jupyter_mcpgen.errors import SchemaValidationError
from jupyter_mcpgen.model.offered import OfferedTool, Offering, ToolLimits
from jupyter_mcpgen.model.package import spec_hash

NOW = "2026-11-29T08:00:00+00:00"
MEAN = '''
def mean_of(values: list[float], digits: int = 2, label: str = "mean"):
    """Return the rounded mean of some numbers."""
    return {label: round(sum(values) / len(values), digits)}
'''


def whole(name: str = "mean_of", source_code: str = MEAN, **said: Any) -> OfferedTool:
    offering = Offering.model_validate({"name": name, "source_code": source_code, **said})
    return completed(offering, "Claude", "safe", ToolLimits(), NOW)


def test_what_is_not_said_follows_from_the_code() -> None:
    tool = whole()

    assert (tool.version, tool.author, tool.client) == ("1.0.0", "Claude", "Claude")
    assert tool.description == "Return the rounded mean of some numbers."
    assert [(p.name, p.type, p.required, p.default) for p in tool.parameters] == [
        ("values", "array", True, None),
        ("digits", "integer", False, 2),
        ("label", "string", False, "mean"),
    ]


def test_the_code_is_kept_as_it_was_sent() -> None:
    tool = whole()

    package = package_of_offered(tool)

    assert package.code == MEAN
    assert offered_in(package) == tool


def test_the_contract_says_what_was_said() -> None:
    said = {"name": "values", "type": "array", "description": "The numbers"}
    others = [{"name": "digits", "description": "How many digits", "enum": [0, 2]}, {"name": "label"}]

    contract = contract_of_offered(whole(parameters=[said, *others], returns={"type": "object", "description": "It"}))

    assert contract.spec.input_schema == {
        "type": "object",
        "properties": {
            "values": {"type": "array", "description": "The numbers"},
            "digits": {"type": "integer", "description": "How many digits", "default": 2, "enum": [0, 2]},
            "label": {"type": "string", "description": "Label.", "default": "mean"},
        },
        "required": ["values"],
        "additionalProperties": False,
    }
    assert contract.spec.output_schema["properties"]["result"] == {"type": "object", "description": "It"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"parameters": [{"name": "values"}]}, "takes `digits`, and `parameters` does not describe it"),
        ({"parameters": [{"name": "numbers"}]}, r"describes `numbers`, and `mean_of` takes `values`"),
        ({"parameters": [{"name": "values", "required": False}]}, "`values` is optional, and it has no default"),
        ({"parameters": [{"name": "digits", "default": 3}]}, "the default 3 in `parameters` and 2 in the code"),
        ({"source_code": "def other():\n    return 1"}, "must define the function `mean_of` once.* defines `other`"),
        ({"source_code": "async def mean_of():\n    return 1"}, "must define the function `mean_of` once"),
        ({"source_code": "def mean_of(*values):\n    return 1"}, "takes `\\*` or `/` parameters"),
        ({"source_code": "def mean_of(x=set()):\n    return 1"}, "default of `x` .* is not a JSON value"),
        ({"source_code": "def mean_of(x: complex):\n    return 1"}, "`x` .* is a `complex`, which JSON does not have"),
        ({"source_code": "def mean_of(:"}, "cannot be read"),
        ({"source_code": "@cached\ndef mean_of():\n    return 1"}, "is decorated"),
        ({"source_code": f"{MEAN}\ndef other(x):\n    return x\n\nmean_of = other"}, "is given another meaning"),
        ({"source_code": f"from math import fsum as mean_of\n{MEAN}"}, "is given another meaning"),
        ({"source_code": f"{MEAN}\nclass mean_of:\n    pass"}, "is given another meaning"),
        ({"source_code": "def mean_of():\n    return rate"}, "reads `rate`, .* `cap:notebook.read`"),
        ({"source_code": None}, "`source_code` is missing"),
    ],
)
def test_what_differs_from_the_code_is_refused_by_name(said: dict[str, Any], told: str) -> None:
    with pytest.raises(SchemaValidationError, match=told):
        whole(**said)


@pytest.mark.parametrize(
    "sign", ["\u202e", "\u200b", "\u200d", "\u2066", "\ufeff", "\u00ad", "\x1b", "\U000e0041", "\u3164"]
)
@pytest.mark.parametrize("place", ["in a text", "in a comment", "in the description", "in a tag"])
def test_signs_that_do_not_show_are_refused_everywhere(sign: str, place: str) -> None:
    said: dict[str, Any] = {
        "in a text": {"source_code": MEAN.replace('"mean"', f'"me{sign}an"')},
        "in a comment": {"source_code": f"# {sign}\n{MEAN}"},
        "in the description": {"description": f"Return the mean{sign} of some numbers."},
        "in a tag": {"tags": [f"{sign}mean"]},
    }[place]

    with pytest.raises(SchemaValidationError, match=f"U\\+{ord(sign):04X}"):
        whole(**said)


def test_words_of_other_scripts_are_welcome_in_texts_and_look_alike_names_are_refused() -> None:
    assert whole(description="Средняя величина, میانگین, 平均").description.startswith("Средняя")
    with pytest.raises(SchemaValidationError, match="letters of other scripts"):
        whole(source_code=MEAN.replace("digits", "d\u0456gits"))
    with pytest.raises(SchemaValidationError, match="letters of other scripts"):
        whole(source_code=f"{MEAN}\nﬁrst = 1\n")  # Python reads the ligature as two letters


@pytest.mark.parametrize("version", ["١.٢.٣", "１.0.0", f"{10**30}.0.0"])
def test_a_version_is_written_with_plain_digits_and_leaves_room_for_the_next_one(version: str) -> None:
    with pytest.raises(ValidationError, match="version"):
        whole(version=version)


def test_the_limits_are_part_of_the_contract() -> None:
    usual, more = (
        contract_of_offered(whole(resource_limits={"rate_limit_per_minute": rate})).spec for rate in (10, 600)
    )

    assert "There is a limit of 600 calls per minute." in more.what_it_does
    assert spec_hash(usual) != spec_hash(more)


def test_names_read_from_the_notebook_are_listed_where_they_may_be() -> None:
    code = "def scaled(x: float):\n    return x * rate + offset"

    tool = whole("scaled", code, capabilities=["cap:notebook.read"])

    assert tool.variables == ("offset", "rate")


def test_an_update_keeps_what_it_does_not_say() -> None:
    before = whole(tags=["mean"], capabilities=["cap:numpy"], description="The mean of some numbers.")

    after = Offering(name="mean_of", version="1.1.0").after(before)

    assert (after.source_code, after.tags, after.capabilities) == (MEAN, ("mean",), ("cap:numpy",))
    assert completed(after, "Claude", "safe", ToolLimits(), NOW).parameters == before.parameters


def test_an_update_of_the_code_takes_its_parameters_from_the_new_code() -> None:
    before = whole()

    after = Offering(name="mean_of", source_code="def mean_of(x: bool):\n    return x").after(before)

    assert [p.name for p in completed(after, "Claude", "safe", ToolLimits(), NOW).parameters] == ["x"]
