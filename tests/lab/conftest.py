"""A real JupyterLab (or Notebook 7) server and a real Chromium for the tests of the card."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from tests.products import know_proof

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "jupyter_mcpgen" / "labextension"
START_SECONDS = 60
SERVER_PART = "jupyter_mcpgen.lab.server_extension"
APPS = {"jupyterlab": "LabApp", "notebook": "JupyterNotebookApp"}

READY = """() => {
  const widget = window.jupyterapp?.shell.currentWidget;
  return widget?.context?.sessionContext?.session?.kernel?.status === 'idle';
}"""
# What stood in the main area goes without its question about saving, and its kernel with it, unless that is kept. It
# goes last: JupyterLab puts a launcher into a main area that is empty, sooner or later, and in front of what has been
# opened by then.
OPEN = """async ([path, sameKernel]) => {
  const app = window.jupyterapp;
  if (!app || document.querySelector('.jp-Dialog')) { return false; }
  const others = [...app.shell.widgets('main')];
  const kernels = others.map(widget => widget.context?.sessionContext?.session?.kernel);
  const kept = sameKernel ? kernels.find(kernel => kernel?.status === 'idle') : undefined;
  const kernel = kept && {id: kept.id, name: kept.name};
  await app.commands.execute('docmanager:open', {path, factory: 'Notebook', kernel});
  for (const widget of others) {
    if (!kernel) { await widget.context?.sessionContext.shutdown(); }
    widget.dispose();
  }
  return true;
}"""
RUN = """async ([index, wait]) => {
  const app = window.jupyterapp;
  app.shell.currentWidget.content.activeCellIndex = index;
  window.lastRun = app.commands.execute('notebook:run-cell');
  if (wait) { await window.lastRun; }
}"""


def find_chrome() -> str | None:
    """Return the browser to drive, or None."""
    return os.environ.get("MCPGEN_CHROME") or shutil.which("chromium") or shutil.which("google-chrome")


@dataclass(frozen=True)
class Server:
    """A running server, its token-free address and its files."""

    url: str
    root: Path
    is_lab: bool
    pid: int

    def notebook(self, name: str, *cells: str) -> str:
        """Write a notebook and return the address that opens it."""
        (self.root / name).write_text(json.dumps(notebook(cells)))
        return f"{self.url}lab/tree/{name}?reset" if self.is_lab else f"{self.url}notebooks/{name}"


def notebook(cells: tuple[str, ...]) -> dict[str, Any]:
    """Make a notebook of code cells, not yet run."""
    return {
        "cells": [
            {"cell_type": "code", "execution_count": None, "id": f"c{n}", "metadata": {}, "outputs": [], "source": text}
            for n, text in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a JupyterLab of its own."""
    yield from serve(tmp_path_factory.mktemp("lab"), "jupyterlab")


@pytest.fixture(scope="session")
def notebook7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a Notebook 7 of its own."""
    yield from serve(tmp_path_factory.mktemp("notebook"), "notebook")


def serve(place: Path, module: str, *, server_part: bool = False, token: str = "") -> Iterator[Server]:
    """Start JupyterLab or Notebook 7 with folders of its own in `place`, and stop it in the end.

    Without `server_part` only kernels speak with the page, as where the Jupyter server is installed apart from them.
    """
    if find_chrome() is None:
        pytest.skip("no Chromium: install `chromium`, or name a browser with MCPGEN_CHROME")
    files, home, share = place / "files", place / "home", place / "share"
    for folder in (files, home, share / "labextensions"):
        folder.mkdir(parents=True)
    know_proof(home / "data")
    # the bundle of this tree, not a copy that some earlier install left in the environment
    (share / "labextensions" / "jupyter-mcpgen").symlink_to(BUNDLE)
    # the question about news would lie over the card
    settings = home / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    enabled = home / "config" / "jupyter_server_config.d" / "jupyter_mcpgen.json"
    enabled.parent.mkdir()
    enabled.write_text(json.dumps({"ServerApp": {"jpserver_extensions": {SERVER_PART: server_part}}}))
    shutil.copy(Path(__file__).with_name("desk.py"), files)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", module, "--no-browser", "--ip=127.0.0.1", f"--port={port}"),
        *(f"--ServerApp.root_dir={files}", f"--IdentityProvider.token={token}", "--ServerApp.port_retries=0"),
        f"--{APPS[module]}.expose_app_in_browser=True",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    environment = {
        **os.environ,
        "HOME": str(home),
        "JUPYTER_PATH": str(share),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        # else what an installation enables would count more than what a test does
        "JUPYTER_PREFER_ENV_PATH": "0",
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(ROOT),
        "MCPGEN_REGISTRY__PATH": str(place / "registry"),
    }
    with (place / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, cwd=files, stdout=log, stderr=subprocess.STDOUT)
        try:
            url = f"http://127.0.0.1:{port}/"
            _wait_for(url, process, place / "server.log")
            yield Server(url, files, is_lab=module == "jupyterlab", pid=process.pid)
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:  # on a busy machine it takes longer to end well than anybody needs
                process.kill()
                process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}api", timeout=5):  # noqa: S310  our own server
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"the server did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Start a headless browser; one for all tests of a module."""
    path = find_chrome()
    if path is None:
        pytest.skip("no Chromium: install `chromium`, or name a browser with MCPGEN_CHROME")
    from playwright.sync_api import sync_playwright  # deferred: only needed with a browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browsers(chromium: Any) -> Iterator[tuple[Any, Any]]:
    """Open two browsers that share nothing; each loads JupyterLab's files only once."""
    contexts = [chromium.new_context(viewport={"width": 1200, "height": 1100}) for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(90_000)  # a machine may be busy with other tests
    yield contexts[0], contexts[1]
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def page(browsers: tuple[Any, Any]) -> Iterator[Any]:
    """Open a page in the first browser that stays for all tests of a module: loading JupyterLab takes seconds."""
    page = browsers[0].new_page()
    yield page
    page.close()


@pytest.fixture
def new_page(browsers: tuple[Any, Any]) -> Iterator[Any]:
    """Open a page in the first browser that has loaded nothing yet."""
    page = browsers[0].new_page()
    yield page
    page.close()


@pytest.fixture
def other_page(browsers: tuple[Any, Any]) -> Iterator[Any]:
    """Open a page in the second browser."""
    page = browsers[1].new_page()
    yield page
    page.close()


def open_notebook(page: Any, url: str, *, same_kernel: bool = False) -> None:
    """Open a notebook in place of what the page shows, loading JupyterLab where it is not there; wait for its kernel.

    No test opens the name of another, so the notebook is new, and so is its kernel; with `same_kernel` it is the one
    of the notebook before, where that is idle.
    """
    server, is_lab, name = url.removesuffix("?reset").partition("lab/tree/")
    if not (is_lab and page.url.startswith(server) and page.evaluate(OPEN, [name, same_kernel])):
        page.goto(url)
    page.wait_for_function(READY, timeout=60_000)


def flaws(page: Any, selector: str) -> list[str]:
    """Return what axe finds wrong for people with disabilities in a part of the page."""
    from axe_playwright_python.sync_playwright import Axe  # deferred: only needed with a browser

    found = Axe().run(page, context=selector).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


def run_cell(page: Any, index: int, *, wait: bool = True) -> None:
    """Run one cell through Lab's own command; with `wait=False` it may still run when this returns."""
    page.evaluate(RUN, [index, wait])
