"""Records are frozen dataclasses, although their methods are made in another way."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError

import pytest

from jupyter_mcpgen.records import dataclass, field, replace


@dataclass(frozen=True)
class Shelf:
    """A shelf with jars on it."""

    name: str
    width: int = 80
    jars: tuple[str, ...] = field(default_factory=lambda: ("salt",))


@dataclass(frozen=True)
class Drawer:
    """Another thing with the same fields."""

    name: str
    width: int = 80
    jars: tuple[str, ...] = field(default_factory=lambda: ("salt",))


@dataclass(frozen=True)
class Cupboard(Shelf):
    """A shelf with doors."""

    doors: int = 2


@dataclass(frozen=True)
class Label:
    """One field."""

    text: str


@dataclass(frozen=True)
class Blank:
    """No field."""


def test_the_fields_are_parameters_in_order_with_their_defaults() -> None:
    assert dataclasses.asdict(Cupboard("low", 60)) == {"name": "low", "width": 60, "jars": ("salt",), "doors": 2}
    with pytest.raises(TypeError, match="name"):
        Shelf()  # type: ignore[call-arg]


def test_records_of_one_class_with_the_same_fields_are_equal_and_others_are_not() -> None:
    low: tuple[object, ...] = (Shelf("low"), Drawer("low"), Cupboard("low"), Label("low"), Blank(), ("low",))

    assert [one == other for one in low for other in low] == [one is other for one in low for other in low]
    assert {Shelf("low"), Shelf("low"), Shelf("low", 60), Label("low"), Label("low"), Blank(), Blank()} == {
        *(Shelf("low"), Shelf("low", 60), Label("low"), Blank())
    }


@pytest.mark.parametrize("record", [Cupboard("low"), Label("low")])
def test_a_record_cannot_be_changed(record: Shelf | Label) -> None:
    before = repr(record)

    for name in (*(one.name for one in dataclasses.fields(record)), "new"):
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(record, name, "other")
        with pytest.raises(FrozenInstanceError, match=name):
            delattr(record, name)

    assert repr(record) == before


def test_a_record_is_shown_replaced_copied_and_matched() -> None:
    cupboard = Cupboard("low", doors=1)

    assert repr(cupboard) == "Cupboard(name='low', width=80, jars=('salt',), doors=1)"
    assert replace(cupboard, width=60) == Cupboard("low", 60, doors=1)
    assert pickle.loads(pickle.dumps(cupboard)) == copy.deepcopy(cupboard) == cupboard  # noqa: S301  our own
    match cupboard:
        case Cupboard(name, width):
            assert (name, width) == ("low", 80)
