"""Frozen dataclasses that are quick to declare, for modules that declare many and are imported before an answer.

`dataclasses` compiles six methods for each class: for 300 classes, a tenth of the time until the first answer. Here one
is compiled, the constructor, and all classes share the others. Type checkers see the decorator of the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NoReturn

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: Literal[True]) -> Callable[[type], type]:
        """Return what makes a class a frozen dataclass, whose fields are all parameters of its constructor."""
        return _declared if frozen else dataclasses.dataclass


def _declared(cls: type[Any]) -> type[Any]:
    dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    fields = dataclasses.fields(cls)
    cls._values = _values_of([each.name for each in fields])
    for name, method in {"__init__": _constructor(fields), **_SHARED}.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    return cls


def _constructor(fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """Compile what keeps each of its arguments under the name of a field."""
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    parameters, lines = ["self"], ["pass"]
    for each in fields:
        name, value = each.name, each.name
        scope[f"_default_{name}"] = each.default
        if each.default_factory is not MISSING:
            scope[f"_make_{name}"] = each.default_factory
            value = f"_make_{name}() if {name} is _missing else {name}"
        optional = each.default is not MISSING or each.default_factory is not MISSING
        parameters.append(f"{name}=_default_{name}" if optional else name)
        lines.append(f"_set(self, {name!r}, {value})")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), scope)  # noqa: S102  names of fields only
    return scope["__init__"]


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads all fields of a record."""
    match names:
        case []:
            return staticmethod(lambda _: ())
        case [name]:
            return staticmethod(lambda record: (getattr(record, name),))
        case _:
            return staticmethod(attrgetter(*names))


def _is_equal(self: Any, other: Any) -> bool:
    return self._values(self) == self._values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._values(self))


def _show(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self))
    return f"{self.__class__.__qualname__}({shown})"


def _refuse(self: Any, name: str, value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"`{name}` of a {self.__class__.__qualname__} cannot be changed")


_SHARED = {
    "__eq__": _is_equal, "__hash__": _hash, "__repr__": _show, "__setattr__": _refuse, "__delattr__": _refuse
}  # fmt: skip
