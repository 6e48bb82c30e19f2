"""What a person waits for on the page: the reading, the answer, a decision, and JupyterLab itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.measure import Row, in_turns
from benchmarks.place import Place
from tests.lab.conftest import Server, find_chrome, open_notebook, run_cell, serve

REPEATS = 10
STARTS = 7
LOAD = "%load_ext jupyter_mcpgen\nimport pandas as pd\ncrashes = pd.read_csv({table!r})"
QUESTIONS = (
    "total injuries_total by weather_condition in crashes",
    "average injuries_total by lighting_condition in crashes",
)
EMPTY = "pass"
# Returns how long it takes from the start of a cell, or a click, until an element of the page says something.
UNTIL = """([index, selector, text, button]) => new Promise(resolve => {
  const app = window.jupyterapp;
  const cell = app.shell.currentWidget.content.widgets[index].node;
  const says = node => node.textContent.includes(text) && !node.disabled;
  const seen = () => [...cell.querySelectorAll(selector)].some(says);
  const begin = performance.now();
  const observer = new MutationObserver(() => {
    if (seen()) { observer.disconnect(); resolve(performance.now() - begin); }
  });
  observer.observe(cell, {subtree: true, childList: true, attributes: true, characterData: true});
  if (button) {
    [...cell.querySelectorAll('button')].find(one => one.textContent === button).click();
  } else {
    app.shell.currentWidget.content.activeCellIndex = index;
    app.commands.execute('notebook:run-cell');
  }
})"""
# Returns how long it takes from the message with the card that can be decided until its button can be pressed.
PAINTED = """index => new Promise(resolve => {
  const app = window.jupyterapp;
  const panel = app.shell.currentWidget;
  const cell = panel.content.widgets[index].node;
  const { kernel } = panel.sessionContext.session;
  let begin = null;
  const heard = (_, message) => {
    if (JSON.stringify(message.content).includes('"status":"STAGED"')) { begin ??= performance.now(); }
  };
  kernel.iopubMessage.connect(heard);
  const observer = new MutationObserver(() => {
    const yes = [...cell.querySelectorAll('button')].find(one => one.textContent === 'Yes');
    if (begin !== null && yes && !yes.disabled && yes.getAttribute('aria-disabled') !== 'true') {
      observer.disconnect();
      kernel.iopubMessage.disconnect(heard);
      resolve(performance.now() - begin);
    }
  });
  observer.observe(cell, {subtree: true, childList: true, attributes: true});
  panel.content.activeCellIndex = index;
  app.commands.execute('notebook:run-cell');
})"""
STARTED = "() => window.jupyterapp.restored.then(() => performance.now())"


def rows(place: Place) -> Iterator[Row]:
    """Measure a real JupyterLab in a browser; without one there is nothing to measure."""
    if find_chrome() is None:
        sys.stderr.write("no Chromium, so the page is not measured\n")
        return
    with _page(place) as (server, page):
        yield from _asked(place, server, page)
        yield from _started(place, server, page)


@contextmanager
def _page(place: Place) -> Iterator[tuple[Server, Any]]:
    from playwright.sync_api import sync_playwright  # deferred: only needed with a browser

    servers = serve(place.new_folder("lab"), "jupyterlab")
    server = next(servers)
    settings = server.root.parent / "home" / "config" / "lab" / "user-settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    # every cell stands on the page from the start, so that none is counted among those in sight
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chrome(), args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            yield server, browser.new_page(viewport={"width": 1200, "height": 1100})
            browser.close()
    finally:
        servers.close()


def _asked(place: Place, server: Server, page: Any) -> Iterator[Row]:
    asked = [f"%mcpgen ask --name measured_{turn} {QUESTIONS[turn % len(QUESTIONS)]}" for turn in range(4 * REPEATS)]
    load = LOAD.format(table=str(place.table))
    open_notebook(page, server.notebook("measured.ipynb", load, *asked[:2], *([EMPTY] * REPEATS), *asked[2:]))
    for index in range(3):
        run_cell(page, index)
    cells = iter(range(3 + REPEATS, 2 + REPEATS + len(asked)))
    empty = iter(range(3, 3 + REPEATS))
    decided: list[int] = []

    def until(selector: str, text: str, button: str = "", index: int | None = None) -> float:
        where = next(cells) if index is None else index
        decided.append(where)
        return float(page.evaluate(UNTIL, [where, selector, text, button]))

    def reading() -> float:
        took = until("h3", "injuries_total")
        page.locator(".jp-Cell").nth(decided[-1]).get_by_role(
            "button", name="Yes", exact=True, disabled=False
        ).wait_for()
        return took

    def answer() -> float:
        took = until("td", "", "")
        page.locator(".jp-Cell").nth(decided[-1]).get_by_role(
            "button", name="Yes", exact=True, disabled=False
        ).wait_for()
        return took

    def stored() -> float:
        cell = page.locator(".jp-Cell").nth(decided[-1])
        cell.get_by_role("button", name="Yes", exact=True, disabled=False).click()
        cell.get_by_role("button", name="Approve", exact=True, disabled=False).wait_for()
        took = until("[role=status]", "is live", "Approve", decided[-1])
        cell.get_by_role("button", name="Undo", exact=True, disabled=False).click()
        cell.get_by_role("button", name="Approve", exact=True, disabled=False).wait_for()
        return took

    def painted() -> float:
        return float(page.evaluate(PAINTED, next(cells)))

    def nothing() -> float:
        return until(".jp-InputPrompt", "]:", "", next(empty))

    read, answered, kept, shown, reference = in_turns((reading, answer, stored, painted, nothing), REPEATS)
    against = "an empty cell on the page"
    yield Row("On the page: question → reading (limit 300 ms)", read, against, reference)
    yield Row("On the page: question → answer", answered, against, reference)
    yield Row("On the page: Approve → stored and shown (limit 150 ms)", kept, against, reference)
    yield Row("On the page: the tested card comes → it can be decided (limit 100 ms)", shown, against, reference)


def _started(place: Place, server: Server, page: Any) -> Iterator[Row]:
    bundle = server.root.parent / "share" / "labextensions" / "jupyter-mcpgen"
    target = bundle.readlink()

    def start() -> float:
        page.goto(f"{server.url}lab?reset")
        return float(page.evaluate(STARTED))

    def with_us() -> float:
        if not bundle.is_symlink():
            bundle.symlink_to(target)
        return start()

    def without() -> float:
        bundle.unlink(missing_ok=True)
        return start()

    with_us()
    without()
    ours, reference = in_turns((with_us, without), STARTS)
    yield Row("JupyterLab starts with the extension (limit 30 ms more)", ours, "JupyterLab without it", reference)
