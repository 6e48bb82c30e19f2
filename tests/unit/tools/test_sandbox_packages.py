"""Packages are listed by what they are there for."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.tools.sandbox_packages import USES, Importable, importable


def install(folder: Path, distribution: str, *modules: str, needs: tuple[str, ...] = (), classifier: str = "") -> None:
    """Lay out a distribution as an installer does."""
    facts = folder / f"{distribution}-1.0.dist-info"
    facts.mkdir()
    lines = [f"Name: {distribution}", "Version: 1.0", *(f"Requires-Dist: {need}" for need in needs)]
    (facts / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines, *([classifier] if classifier else [])]))
    for module in modules:
        (folder / module).mkdir()
        (folder / module / "__init__.py").touch()
    (facts / "RECORD").write_text("".join(f"{module}/__init__.py,,\n" for module in modules))


def listed(folder: Path) -> dict[str, str]:
    return {one.name: one.distribution for one in importable([folder])}


def test_what_the_product_and_all_its_extras_need_is_left_out_unless_code_is_written_with_it(tmp_path: Path) -> None:
    install(tmp_path, "jupyter-mcpgen", "product", needs=("pandas>=3", "web[server]", 'tester; extra == "test"'))
    install(tmp_path, "pandas", "pandas")
    install(tmp_path, "web", "web", needs=('sockets; extra == "server"', 'own_tool; extra == "other"'))
    install(tmp_path, "sockets", "sockets")
    install(tmp_path, "tester", "tester")
    install(tmp_path, "own_tool", "own_tool")

    assert importable([tmp_path]) == (
        Importable("pandas", "pandas", "1.0", USES["pandas"]),
        Importable("own_tool", "own_tool", "1.0", None),
    )


def test_extensions_of_jupyter_and_installers_are_left_out_with_what_they_need(tmp_path: Path) -> None:
    install(tmp_path, "lab-theme", "lab_theme", needs=("colours",), classifier="Classifier: Framework :: Jupyter")
    install(tmp_path, "colours", "colours")
    install(tmp_path, "pip", "pip")
    install(tmp_path, "PyYAML", "yaml", "_yaml")
    install(tmp_path, "Team.Tools", "team_tools")

    assert listed(tmp_path) == {"yaml": "PyYAML", "team_tools": "Team.Tools"}


def test_what_the_sandbox_cannot_find_is_not_listed(tmp_path: Path) -> None:
    install(tmp_path, "gone", "gone")
    (tmp_path / "gone" / "__init__.py").unlink()
    (tmp_path / "gone").rmdir()

    assert listed(tmp_path) == {}
