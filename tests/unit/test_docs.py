"""What the documents say is true: links lead somewhere, commands exist, questions are read as printed."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from jupyter_mcpgen.data import demo
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.server.connect import Client, Http, Stdio, snippet
from jupyter_mcpgen.settings import Settings
from jupyter_mcpgen.verbs.commands import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = tuple(sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]))
NOTEBOOKS = tuple(sorted(ROOT.glob("notebooks/*.ipynb")))
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED_VERB = re.compile(r"(?:%mcpgen|jupyter[ -]mcpgen) ([a-z]+)")
KNOWN = set(COMMANDS)
QUESTION_WORDS = {"how", "average", "total", "compare", "which", "top", "customers", "now", "only"}
CARD = re.compile(r"^\*\*(.+)\*\*\n\n!\[(.+)\]\(images/gallery/", re.MULTILINE)
"""A question of the gallery, and the interpretation on its card."""
GALLERY_TABLES = {"autos": "cars", "seattle": "seattle_weather", "crashes": "crashes"}
ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)


def text_of(path: Path) -> str:
    """Return a page, or the texts of a notebook's cells."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])


def cells(row: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


@pytest.mark.parametrize("path", [*PAGES, *NOTEBOOKS], ids=lambda path: path.name)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    targets = [link.partition("#")[0] for link in LINK.findall(text_of(path)) if "://" not in link]
    assert [target for target in targets if target and not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_line_for_a_shell_begins_with_a_command_that_exists(path: Path) -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    begins = [re.compile(rf"make ({'|'.join(targets)})\b"), re.compile(r"(pip|uv|docker|git|jupyter lab)\b")]
    begins.append(re.compile(rf"jupyter mcpgen ({'|'.join(COMMANDS)})\b"))
    blocks = re.findall(r"^```(?:sh|bash)\n(.+?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

    lines = [line for block in blocks for line in block.splitlines() if line.strip() and not line.startswith("#")]

    assert [line for line in lines if not any(known.match(line) for known in begins)] == []


@pytest.mark.parametrize("path", [*PAGES, *NOTEBOOKS], ids=lambda path: path.name)
def test_every_verb_that_is_named_exists(path: Path) -> None:
    named = set(NAMED_VERB.findall(text_of(path)))
    assert named - KNOWN - QUESTION_WORDS - {"eval"} == set()


@pytest.mark.parametrize("path", [*PAGES, *NOTEBOOKS], ids=lambda path: path.name)
def test_no_magic_has_a_comment_behind_it_which_would_be_part_of_it(path: Path) -> None:
    magics = re.findall(r"^(?:\w+ = )?%mcpgen .*$", text_of(path), re.MULTILINE)

    assert [line for line in magics if " #" in line] == []


def test_the_readme_lists_the_commands_as_help_does() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]
    rows = dict(cells(line)[:2] for line in table.splitlines() if line.startswith("| `"))
    assert rows == {f"`{command.usage}`": command.meaning for command in COMMANDS.values()}


@pytest.mark.parametrize(("table", "question", "reading"), ROW.findall(text_of(ROOT / "docs" / "asking.md")))
def test_an_example_question_is_read_as_printed(table: str, question: str, reading: str) -> None:
    understood = read(question, profile_of(table))
    assert isinstance(understood, Answered)
    assert say_plan(understood.winner.plan) == reading


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("question", "reading"), CARD.findall(text_of(ROOT / "docs" / "gallery.md")))
def test_a_question_of_the_gallery_is_read_as_its_card_says(question: str, reading: str) -> None:
    asked, _, table = question.rpartition(" in ")
    understood = read(asked, profile_of(GALLERY_TABLES[table]))
    assert isinstance(understood, Answered)
    said = say_plan(understood.winner.plan)
    assert f"{said[:1].upper()}{said[1:]}" == reading


@cache
def profile_of(table: str) -> Profile:
    tables = {"cars": demo.cars, "seattle_weather": demo.seattle_weather, "crashes": demo.crashes}
    return profile(table, tables[table]())


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "docs" / "mcp.md"], ids=lambda path: path.name)
def test_client_configurations_are_those_that_serve_prints(path: Path) -> None:
    stdio = Stdio(registry=Path("/path/to/registry"), state=Path("/path/to/state"))
    http = Http("http://127.0.0.1:8000/mcp")
    known = [snippet(client, stdio).text for client in Client]
    known += [snippet(client, http).text for client in Client if client is not Client.CLAUDE_DESKTOP]
    command = json.dumps(stdio.command[0])
    expected = [json.loads(text.replace(command, '"/path/to/python"')) for text in known]

    shown = [json.loads(block) for block in re.findall(r"```json\n(.+?)```", text_of(path), re.DOTALL)]

    assert shown != []
    assert all(block in expected for block in shown)


def test_every_setting_that_is_named_exists() -> None:
    page = text_of(ROOT / "docs" / "settings.md")
    sections = "|".join(Settings.model_fields)
    named = set(re.findall(rf"`((?:{sections})\.\w+)`", page))
    known = {f"{section}.{key}" for section, part in Settings() for key in type(part).model_fields}
    assert named <= known
    assert len(named) >= 8


def test_no_page_names_a_path_of_a_machine() -> None:
    private = re.compile(r"/(?:root|home/\w+|work)/")
    assert [path.name for path in (*PAGES, *NOTEBOOKS) if private.search(text_of(path))] == []


def test_the_architecture_page_names_files_that_exist() -> None:
    page = text_of(ROOT / "ARCHITECTURE.md")
    named = set(re.findall(r"`((?:jupyter_mcpgen|tests|labextension|docs|benchmarks|notebooks)/[\w./-]*\w)`", page))
    assert len(named) > 40
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
