"""What `doctor` says of the code that clients send."""

from __future__ import annotations

from jupyter_mcpgen.runtime import build
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.settings import SandboxSettings, ServerSettings, Settings
from jupyter_mcpgen.verbs.health import runtimes_table


def test_every_language_is_there_with_what_it_lacks_and_containers_are_told_once() -> None:
    sandbox = SandboxSettings(docker_host="unix:///nonexistent/engine.sock")
    runtime = build(Settings(sandbox=sandbox, server=ServerSettings(families=("coding",))))

    said = runtimes_table(runtime)

    rows = {row.split("|")[1].split()[0]: row for row in said.splitlines() if row.startswith("| ")}
    assert said.startswith("Families offered: `coding`.")
    assert set(available()) <= set(rows)
    for language, missing in available().items():
        assert rows[language].endswith(f"| {missing or 'ready'} |")
    assert rows["docker,"].startswith("| docker, 8 languages | container | ")
