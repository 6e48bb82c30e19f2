"""What may come next in a command or a question that is being typed after `%mcpgen`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from jupyter_mcpgen.build.order import ALL, OF_ONE_TOOL, Kind
from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.model.analysis import SOURCE_ENDINGS, GateLimits
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolParameter
from jupyter_mcpgen.server.connect import FORMS
from jupyter_mcpgen.verbs.choosing import OPTIONS
from jupyter_mcpgen.verbs.commands import COMMANDS, command_of
from jupyter_mcpgen.verbs.names import Names
from jupyter_mcpgen.verbs.places import Places, alternatives, is_typed_so, places_of
from jupyter_mcpgen.verbs.usage import PARTS

_IN_A_TERMINAL = "in a terminal"
"""How it begins what a command or an option does that is of no use in a notebook."""
_BEFORE_FRAGMENT = re.compile(r"[\s=,('\"`]+")
GATES = tuple(GateLimits.model_fields)
_MOST_WORDS = 4
"""A name of more words than that is completed from its last words only."""
_OF_QUESTION = "ask"


@dataclass(frozen=True)
class Completion:
    """One text that may replace the fragment, and what it is."""

    text: str
    kind: str


@dataclass(frozen=True)
class Completions:
    """The fragment before the cursor, and what may replace it."""

    fragment: str
    found: tuple[Completion, ...]


@dataclass(frozen=True)
class _Typed:
    """The words before the cursor, without options, and what is being typed."""

    before: tuple[str, ...]
    fragment: str
    text: str

    @property
    def is_after_equals(self) -> bool:
        """Whether the value of `name=value` is being typed."""
        return self.text[-1:].strip() != "" and "=" in self.text.split()[-1]

    @property
    def name(self) -> str:
        """The word after the command."""
        return self.before[1] if len(self.before) > 1 else ""


def complete(text: str, names: Names) -> Completions:
    """Return what may come next after `%mcpgen`; `text` is what was typed between that and the cursor."""
    words = text.split()
    fragment = _BEFORE_FRAGMENT.split(text)[-1]
    typed = words[:-1] if text[-1:].strip() else words
    with suppress(McpgenError):  # a registry or settings that cannot be read: what is asked for next says so
        return _matching(text, fragment, list(_offered(typed, fragment, text, names)))
    return Completions(fragment, ())


def _offered(words: Sequence[str], fragment: str, text: str, names: Names) -> Iterator[Completion]:
    if not words and fragment.startswith("-"):
        words = (_OF_QUESTION,)
    if not words:
        yield from _as("command", (name for name, each in COMMANDS.items() if not _is_for_terminal(each.meaning)))
        yield from _question(_Typed((), fragment, text), names) if fragment else ()
        return
    command = command_of(words) or _OF_QUESTION
    given = words[1:] if words[0] == command else words
    places = places_of(COMMANDS[command].usage)
    before, open_option = _without_options(given, places)
    typed = _Typed((command, *before), fragment, text)
    if open_option is not None:
        yield from _part(f"{open_option} {places.options[open_option]}", typed, names)
    elif fragment.startswith("-"):
        yield from _as("option", (name for name in places.options if _is_of_notebook(name, places)))
    else:
        for element in places.elements_after(before):
            for part in (element,) if element in OFFERED else alternatives(element):
                yield from _as("word", [part]) if is_typed_so(part) else _part(part, typed, names)


def _without_options(words: Sequence[str], places: Places) -> tuple[tuple[str, ...], str | None]:
    """Return the words that are no options, and the option whose value is being typed."""
    rest: list[str] = []
    waiting: str | None = None
    for word in words:
        name, _, value = word.partition("=")
        if waiting is not None:
            waiting = None
        elif name in places.options:
            waiting = name if places.options[name] and not value else None
        else:
            rest.append(word)
    return tuple(rest), waiting


def _is_of_notebook(name: str, places: Places) -> bool:
    takes = places.options[name]
    return not _is_for_terminal(PARTS.get(f"{name} {takes}".strip(), ""))


def _is_for_terminal(meaning: str) -> bool:
    return meaning.startswith(_IN_A_TERMINAL)


def _part(part: str, typed: _Typed, names: Names) -> Iterable[Completion]:
    """Return what may be typed for a part of a command, as its usage writes it."""
    of_command = f"{typed.before[0]} {part}"
    offer = OFFERED.get(of_command) or OFFERED.get(part)
    if offer is not None:
        return offer(typed, names)
    option, _, takes = part.partition(" ")
    if option.startswith("--") and "|" in takes and is_typed_so(takes):
        return _as("word", takes.split("|"))
    return ()


def _as(kind: str, texts: Iterable[str]) -> Iterator[Completion]:
    return (Completion(text, kind) for text in texts)


def _tables(typed: _Typed, names: Names) -> Iterator[Completion]:
    yield from _as("table", names.tables)
    yield from _as("file", names.files(typed.fragment))


def _question(typed: _Typed, names: Names) -> Iterator[Completion]:
    yield from _as("column", names.columns(typed.text))
    yield from _as("table", names.tables)
    if typed.fragment:
        yield from _as("value", names.values(typed.text))
        yield from _as("file", names.files(typed.fragment, folders="/" in typed.fragment))


def _tools(typed: _Typed, names: Names) -> Iterator[Completion]:
    return _as("tool", names.tools)


def _waiting(typed: _Typed, names: Names) -> Iterator[Completion]:
    return _as("answer", names.waiting)


def _targets(typed: _Typed, names: Names) -> Iterator[Completion]:
    yield from _as("target", (f"{kind}:{name}" for kind in OF_ONE_TOOL for name in names.tools))
    yield from _as("target", (f"{Kind.DOCS}:{ALL}", f"{Kind.SERVER}:", f"{Kind.MODULE}:"))


def _versions(typed: _Typed, names: Names) -> Iterator[Completion]:
    return _as("version", names.versions(typed.name))


def _parameters(typed: _Typed, names: Names) -> Iterator[Completion]:
    """Yield the parameters of the tool that was named, or, after the name of one, the columns of the tables."""
    if typed.is_after_equals:
        return _as("column", names.columns(typed.text))
    return _as("parameter", (f"{each.name}=" for each in names.tool(typed.name).spec.parameters if _is_typed(each)))


def _is_typed(parameter: ToolParameter) -> bool:
    return parameter.name not in DATA_PARAMETERS


def _parts_of_reading(typed: _Typed, names: Names) -> Iterator[Completion]:
    """Yield the parts of the answer that was named, or of the latest, or, after the name of one, the columns."""
    if typed.is_after_equals:
        return _as("column", names.columns(typed.text))
    card = _card_named(typed, names)
    return _as("part", (f"{part.key}=" for part in card.parts) if card is not None else ())


def _columns_of_result(typed: _Typed, names: Names) -> Iterator[Completion]:
    card = _card_named(typed, names)
    return _as("column", card.table.columns if card is not None else ())


def _card_named(typed: _Typed, names: Names) -> Card | None:
    waiting = names.waiting
    card_id = next((word for word in (*typed.before[1:], *waiting) if word in waiting), None)
    return names.open_registry().card(card_id) if card_id is not None else None


def _readers(typed: _Typed, names: Names) -> Iterator[Completion]:
    from jupyter_mcpgen.readers import Reader  # deferred: loads the planner

    return _as("word", (reader.value for reader in Reader))


def _starter_tools(typed: _Typed, names: Names) -> Iterator[Completion]:
    from jupyter_mcpgen.starter import starter_library  # deferred: loads the pipeline

    return _as("tool", (tool.name for tool in starter_library().tools))


def _nothing(typed: _Typed, names: Names) -> Iterator[Completion]:
    return iter(())


_Offer = Callable[[_Typed, Names], Iterable[Completion]]
OFFERED: Mapping[str, _Offer] = {
    "QUESTION": _question,
    "SELECT": _question,
    "NAME|PATH": _tables,
    "--data NAME|PATH": _tables,
    "--with NAME|PATH": _tables,
    "--sheet SHEET": _nothing,
    "--delimiter SIGN": lambda typed, names: _as("word", ("auto", "comma", "pipe", "semicolon", "tab")),
    "--encoding ENCODING": lambda typed, names: _as("word", ("auto", "cp1250", "cp1252", "latin-1", "utf-8", "utf-16")),
    "--header LINE": lambda typed, names: _as("word", ("auto", "none")),
    "--skip LINES": _nothing,
    "--footer ROWS": _nothing,
    "--na WORDS": _nothing,
    "--decimal MARK": lambda typed, names: _as("word", ("auto", "comma", "point")),
    "--thousands MARK": lambda typed, names: _as("word", ("apostrophe", "auto", "comma", "point", "space")),
    "--dates ORDER": lambda typed, names: _as("word", ("auto", "day-first", "month-first")),
    "NAME": _tools,
    "model NAME": _nothing,
    "starter NAME": _starter_tools,
    "--name TOOL": _tools,
    "ID": _waiting,
    "SPEC|WISH": lambda typed, names: _as("file", names.files(typed.fragment, (".json", ".yaml", ".yml"))),
    "TARGET": _targets,
    "--to DIR": lambda typed, names: _as("folder", names.files(typed.fragment, ())),
    "VERSION": _versions,
    "COLUMN": _columns_of_result,
    "PART=VALUE": _parts_of_reading,
    "parameter=value": _parameters,
    "COMMAND": lambda typed, names: _as("command", COMMANDS),
    "CLIENT": lambda typed, names: _as("client", (form.word for form in FORMS.values())),
    "OPTION": lambda typed, names: _as("option", OPTIONS),
    "--author NAME": _readers,
    "FILE": lambda typed, names: _as("file", names.files(typed.fragment, (".py",))),
    "PATH": lambda typed, names: _as("file", names.files(typed.fragment, SOURCE_ENDINGS)),
    "GATE=VALUE": lambda typed, names: () if typed.is_after_equals else _as("gate", (f"{gate}=" for gate in GATES)),
    "--to FILE": lambda typed, names: _as("file", names.files(typed.fragment, (".html", ".md", ".json"))),
    "--save DIR": lambda typed, names: _as("folder", names.files(typed.fragment, ())),
}
"""What is offered for each part of a command, by how `usage.PARTS` writes it; before it the command, if it differs."""


def _matching(text: str, fragment: str, offered: Sequence[Completion]) -> Completions:
    """Return what begins as was typed; of a name with blanks, several words may be typed already."""
    for begun in (*_last_words(text), fragment):
        found = [one for one in offered if _begins(one.text, begun) and (begun == fragment or " " in one.text)]
        if found:
            unique = {one.text: one for one in reversed(found)}
            return Completions(begun, tuple(one for one in found if unique[one.text] is one))
    return Completions(fragment, ())


def _last_words(text: str) -> Iterator[str]:
    """Yield the ends of what was typed that begin with a word, the longest first, but for the last word."""
    starts = [found.start() for found in re.finditer(r"(?<![^\s=,('\"`])\S", text)]
    return (text[start:] for start in starts[-_MOST_WORDS:-1] if " " in text[start:])


def _begins(name: str, begun: str) -> bool:
    return name.casefold().startswith(begun.casefold())
