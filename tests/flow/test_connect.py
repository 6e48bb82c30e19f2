"""`connect`: a client's own file is shown, changed and changed back, in a terminal and over a real server."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.server import launch, tokens
from jupyter_mcpgen.server.connect import FORMS, NAME, Client, file_of
from jupyter_mcpgen.settings import state_folder
from tests.fakes.folder_shelf import promote
from tests.notebooks.kernels import kernel

PROGRAM = (sys.executable, str(Path(__file__).parents[1] / "fakes" / "folder_server.py"))
TERMINAL = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())"]
SECRET = "an-other-server-s-key"
SETTINGS = (
    '// Fonts first\n{\n  "font": 14,\n  "context_servers": {\n    "other": {"env": {"KEY": "'
    + SECRET
    + '"}} // keep\n  },\n}\n'
)

Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder in which no client was ever configured."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(tmp_path / "registry"))
    return tmp_path


@pytest.fixture
def typed(home: Path, capfd: pytest.CaptureFixture[str]) -> Typed:
    """Return what types a command, and gives the code of its end and all that it says."""

    def command(*words: str) -> tuple[int, str]:
        code = main(["connect", *words])
        told = capfd.readouterr()
        return code, told.out + told.err

    return command


@pytest.fixture
def server(home: Path) -> Iterator[launch.ServerStatus]:
    promote(home / "registry", "double")
    yield launch.start(home / "registry", folder=state_folder() / "server", program=PROGRAM)
    launch.stop(state_folder() / "server")


def placed(home: Path, client: Client, text: str, mode: int = 0o600) -> Path:
    path = home / file_of(client)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def backups(path: Path) -> list[str]:
    return [one.read_text() for one in sorted(path.parent.glob(f"{path.name}.mcpgen-backup-*"))]


def in_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("client", Client)
def test_a_client_without_a_file_gets_one_and_loses_its_entry_again(home: Path, typed: Typed, client: Client) -> None:
    word, path = FORMS[client].word, home / file_of(client)

    shown = typed(word)
    written = typed(word, "--install", "--yes")
    entry = json.loads(path.read_text())[FORMS[client].section][NAME]
    listed = typed()
    removed = typed(word, "--remove", "--yes")

    assert (shown[0], written[0], removed[0]) == (0, 0, 0)
    assert (entry["command"], entry["args"][:4]) == (sys.executable, ["-P", "-m", "jupyter_mcpgen.server", "--stdio"])
    assert json.loads(path.read_text()) == {FORMS[client].section: {}}
    assert path.stat().st_mode & 0o777 == 0o600
    assert sum("connected" in line for line in listed[1].splitlines()) == 1


def test_comments_other_entries_links_and_the_mode_stay_and_the_old_file_is_kept(home: Path, typed: Typed) -> None:
    kept = home / "dotfiles" / "zed.json"
    kept.parent.mkdir()
    kept.write_text(SETTINGS)
    kept.chmod(0o640)
    path = home / file_of(Client.ZED)
    path.parent.mkdir(parents=True)
    path.symlink_to(kept)

    code, _ = typed("zed", "--install", "--yes")
    after = kept.read_text()
    typed("zed", "--remove", "--yes")

    assert (code, path.is_symlink(), kept.stat().st_mode & 0o777) == (0, True, 0o640)
    assert after.startswith(SETTINGS[: SETTINGS.index("} // keep") + 1])
    assert ("}, // keep" in after, NAME in after) == (True, True)
    assert kept.read_text() == SETTINGS
    assert backups(kept) == [SETTINGS, after]


def test_nothing_is_written_before_a_person_agrees_and_the_diff_shows_no_secret_of_others(
    home: Path, typed: Typed
) -> None:
    path = placed(home, Client.ZED, SETTINGS.replace("}} // keep", "}\n    }"))
    before = path.read_text()

    code, told = typed("zed", "--install")

    assert (code, path.read_text(), backups(path)) == (1, before, [])
    assert f'+    "{NAME}": {{' in told
    assert SECRET not in told
    assert "Nothing was changed. Add --yes to do it." in told


@pytest.mark.every_run("y-True")
@pytest.mark.parametrize(("answer", "done"), [("y", True), ("no", False), ("", False)])
def test_a_terminal_asks(home: Path, answer: str, done: bool) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen([*TERMINAL, "connect", "cursor", "--install"], stdin=terminal, stdout=subprocess.PIPE) as ran:
        os.write(controller, f"{answer}\n".encode())
        told = ran.communicate(timeout=60)[0].decode()
    os.close(controller)
    os.close(terminal)

    assert "Write this? [y/N]" in told
    assert (home / file_of(Client.CURSOR)).exists() is done
    assert ran.returncode == (0 if done else 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"mcpServers": {"jupyter-mcpgen": {"command": "x", "env": {"A": "1"}}}}', "has a key of yours: env"),
        ('{"mcpServers": {"jupyter-mcpgen": {"command": "x" /* mine */}}}', "has comments"),
        ("{'mcpServers': {}}", "Line 1 is not valid JSON"),
    ],
)
def test_a_file_that_would_lose_something_is_left_alone_and_the_snippet_is_printed(
    home: Path, typed: Typed, text: str, why: str
) -> None:
    path = placed(home, Client.CURSOR, text)

    code, told = typed("cursor", "--install", "--yes")

    assert (code, path.read_text(), backups(path)) == (1, text, [])
    assert why in in_one_line(told)
    assert '"mcpServers"' in told


@pytest.mark.soak
def test_over_http_the_client_gets_a_token_of_its_own_which_is_revoked_with_its_entry(
    home: Path, typed: Typed, server: launch.ServerStatus
) -> None:
    path = placed(home, Client.CURSOR, '{"mcpServers": {"other": {"url": "http://127.0.0.1:1"}}}\n')

    shown = typed("cursor", "--http")[1]
    code, told = typed("cursor", "--http", "--install", "--yes")
    entry = json.loads(path.read_text())["mcpServers"][NAME]
    bearer = entry["headers"]["Authorization"].removeprefix("Bearer ")
    grants = tokens.read_grants(state_folder() / "server" / tokens.FILE_NAME)
    grant = tokens.match(grants, bearer, grants[0].made_at)
    typed("cursor", "--remove", "--yes")

    assert (code, entry["url"]) == (0, server.url)
    assert grant is not None
    assert (grant.client_id, grant.scopes) == ("connect:cursor", (tokens.CALL,))
    assert "Bearer YOUR_TOKEN" in shown
    assert not any(bearer in text for text in (shown, told, *backups(path)[:1]))
    left = tokens.read_grants(state_folder() / "server" / tokens.FILE_NAME)
    assert grant not in left
    assert list(json.loads(path.read_text())["mcpServers"]) == ["other"]


def test_a_token_is_not_put_where_others_can_read_it(home: Path, typed: Typed, server: launch.ServerStatus) -> None:
    path = placed(home, Client.CURSOR, "{}", mode=0o644)

    code, told = typed("cursor", "--http", "--install", "--yes")

    assert (code, path.read_text()) == (1, "{}")
    assert "Run chmod 600 on it first" in in_one_line(told)
    assert "connect:cursor" not in (state_folder() / "server" / tokens.FILE_NAME).read_text()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["emacs"], 2, "There is no client emacs here. Use one of claude, claude-code, cursor"),
        (["cursor", "--install", "--remove"], 2, "Give only one of --install and --remove."),
        (["cursor", "--remove", "--yes"], 1, "has no entry jupyter-mcpgen, so there is nothing to remove."),
        (["cursor", "--http"], 1, "No server is running. serve starts one"),
    ],
)
def test_a_mistake_is_answered_in_words(home: Path, typed: Typed, words: list[str], code: int, said: str) -> None:
    done, told = typed(*words)

    assert done == code
    assert said in in_one_line(told)


def test_claude_desktop_is_connected_over_stdio_only(home: Path, typed: Typed, server: launch.ServerStatus) -> None:
    code, told = typed("claude", "--http")

    assert code == 1
    assert "starts programs only. Connect it over stdio." in in_one_line(told)


@pytest.mark.soak
def test_a_notebook_shows_the_change_and_makes_it_only_when_that_is_said(home: Path) -> None:
    path = home / file_of(Client.CURSOR)
    with kernel(dict(os.environ), home) as run:
        shown = run("%load_ext jupyter_mcpgen", "%mcpgen connect cursor --install")
        before = path.exists()
        run("%mcpgen connect cursor --install --yes")

    assert (before, path.exists()) == (False, True)
    assert "Nothing was changed. Add `--yes` to do it." in shown
    assert f'+    "{NAME}"' in shown
