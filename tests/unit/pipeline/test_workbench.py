"""A tool in the sandbox may do what its capabilities say, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, kept_files, table_in
from jupyter_mcpgen.sandbox.job import Answer, Run
from jupyter_mcpgen.sandbox.policy import Limits

READS = "import pandas as pd\ndef tool(file_path): return str(len(pd.read_csv(file_path)))\n"
WRITES = "import os\ndef tool(file_path): open(os.environ['HOME'] + '/made.txt', 'w').write('made'); return 'done'\n"
IMPORTS = "from scipy import stats\ndef tool(file_path): return str(float(stats.norm.cdf(0)))\n"
GIVES_THREE_ROWS = """import pandas as pd
class Report(str):
    table = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})
def tool(**arguments): return Report("three rows")
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "three.csv"
    path.parent.mkdir()
    path.write_text("a\n1\n2\n3\n", encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    return folder


def called(services: Services, folder: Path, source: str, data: Path, *capabilities: str) -> Run:
    (folder / "tool.py").write_text(source, encoding="utf-8")
    tool = PlacedTool(folder, "tool", capabilities)
    return call_all(services.sandbox, tool, ({"file_path": str(data)},), services.limits)


def only(run: Run) -> Answer:
    (answer,) = run.answers
    return answer


def test_the_data_of_a_call_is_readable_with_the_capability_and_not_without_it(
    services: Services, folder: Path, data: Path
) -> None:
    assert only(called(services, folder, READS, data, "cap:data.read")).text == "3"
    refused = only(called(services, folder, READS, data, "cap:files.write", "a tag"))
    assert refused.error_type in ("PermissionError", "FileNotFoundError")


def test_files_are_kept_of_a_tool_that_may_write_some(services: Services, folder: Path, data: Path) -> None:
    kept = called(services, folder, WRITES, data, "cap:files.write")
    dropped = called(services, folder, WRITES, data)

    assert [(file.path, file.content) for file in kept.artifacts] == [("made.txt", b"made")]
    assert (only(dropped).text, dropped.artifacts) == ("done", ())
    (path,) = map(Path, kept_files(kept, folder))
    assert (path.name, path.read_text(encoding="utf-8")) == ("made.txt", "made")
    assert kept_files(dropped, folder) == ()


def test_a_package_that_was_not_granted_is_not_imported(services: Services, folder: Path, data: Path) -> None:
    assert called(services, folder, IMPORTS, data).reason is not None
    assert only(called(services, folder, IMPORTS, data, "cap:python.scipy")).text == "0.5"


def test_a_call_that_names_no_data_is_offered_none(services: Services, folder: Path) -> None:
    (folder / "tool.py").write_text("def tool(): return 'ready'\n", encoding="utf-8")

    run = call_all(services.sandbox, PlacedTool(folder, "tool", ("cap:data.read",)), ({},), services.limits)

    assert only(run).text == "ready"


@pytest.mark.parametrize(
    ("limits", "told"),
    [(Limits(rows=2), "at most 2 are allowed"), (Limits(columns=1), "2 columns, and at most 1 are allowed")],
)
def test_a_result_beyond_the_configured_size_is_refused(
    services: Services, folder: Path, data: Path, limits: Limits, told: str
) -> None:
    answer = only(called(services, folder, GIVES_THREE_ROWS, data))

    assert len(table_in(answer, services.limits)) == 3
    with pytest.raises(SandboxError, match=told):
        table_in(answer, limits)
