"""`%mcpgen` and `%%mcpgen`: the product in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult
    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mcpgen.answer import Answer
    from jupyter_mcpgen.lab.asking import Questions
    from jupyter_mcpgen.lab.channel import Channel, Clerk
    from jupyter_mcpgen.lab.consent import ConsentChannel, ConsentClerk
    from jupyter_mcpgen.lab.wire import Say
    from jupyter_mcpgen.model.asking import Asking
    from jupyter_mcpgen.model.card import Card
    from jupyter_mcpgen.model.event import Event
    from jupyter_mcpgen.notebook_values import ValueServer
    from jupyter_mcpgen.pipeline.course import Course
    from jupyter_mcpgen.registry.layout import Layout
    from jupyter_mcpgen.runtime import Runtime
    from jupyter_mcpgen.verbs.said import Said

_NAME = "mcpgen"
_OPTION, _RESTART = "mcp_option", "mcp_restart"
_BEFORE_OTHERS = 200
"""IPython asks what completes in the order of these numbers."""
_LOCAL = "It uses its built-in planner and no language model, so your data stays on this machine."
_WITH_A_MODEL = (
    "Its built-in planner reads your questions, and `{model}` those that the planner is not sure of; `%mcpgen model` "
    "says where that is and what it is sent."
)
_GREETING = (
    "jupyter-mcpgen is ready. {readers} Load sample data with `%mcpgen demo`, or ask about your own: "
    "`%mcpgen average price by region in df`."
)


_HIDDEN = (
    "A notebook keeps what it shows, so the token is hidden. It is the value of the command: after "
    "`token = %mcpgen token create NAME`, `token.get_secret_value()` returns it. Or make tokens in a terminal: "
    "`jupyter mcpgen token create NAME`."
)


class Tools(ModuleType):
    """Stands for `jupyter_mcpgen.tools`, which is loaded when a tool is first looked up."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(import_module("jupyter_mcpgen.tools"), name)

    def __dir__(self) -> list[str]:
        return dir(import_module("jupyter_mcpgen.tools"))


NOTHING_KEPT = "Stopped. Nothing was saved; ask again when you want."
_MAYBE_KEPT = "Stopped. `%mcpgen list` shows what is saved."


class Stopped(KeyboardInterrupt):
    """A person interrupted the cell; it ends as an interrupted one, so that the cells after it do not run."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [str(self)]


class Magics:
    """The line and cell magic of one kernel; everything heavy is imported when it is first used."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._channel: Channel | None = None
        self._values: ValueServer | None = None
        self._consents: ConsentChannel | None = None
        self._warming: Thread | None = None
        self._questions: Questions | None = None

    def line_or_cell(self, line: str, cell: str | None = None) -> Any:
        """Ask a question about a table, or run a command.

        Ask:       %mcpgen total amount by region in df
        Keep it:   answer = %mcpgen total amount by region in df
                   then answer.df, answer.chart, answer.code, answer.approve()
        Approve:   %mcpgen approve      (saves the latest answer as a tool)
        Commands:  %mcpgen help

        In a cell, `%%mcpgen --data df` takes the question from the lines below it, `%%mcpgen sql` the SELECT, and
        `%%mcpgen edit ID` the changed code.
        """
        if cell is None:
            return self._carry_out(line)
        return self._carry_out(line, cell)

    def option(self, line: str) -> Any:
        """List what can be switched on and off for AI clients, or switch one: `%mcp_option auto_correct_json`."""
        return self._carry_out(f"option {line}")

    def restart(self, line: str) -> Any:
        """Start the MCP server again, with the settings as they are now: `%mcp_restart`."""
        return self._carry_out("restart")

    @property
    def _is_in_page(self) -> bool:
        """Tell whether a notebook shows what is displayed; a terminal has no kernel around its shell."""
        return getattr(self._shell, "kernel", None) is not None

    def open_channel(self) -> None:
        """Listen to the cards on the page, if there is a kernel around us; nothing is built before a page speaks."""
        if self._is_in_page and self._channel is None:
            from jupyter_mcpgen.lab.channel import Channel  # deferred: a terminal has no page
            from jupyter_mcpgen.lab.comms import CommWire
            from jupyter_mcpgen.lab.consent import ConsentChannel

            self._channel = Channel(self._clerk, self._heard_of_question, lambda: self._layout().pulse)
            self._consents = ConsentChannel(self._consent_clerk, lambda: self._layout().staging_metadata, CommWire)

    def serve_values(self) -> None:
        """Give copies of this kernel's variables to tools of AI clients that a person allowed to read them."""
        if self._is_in_page and self._values is None:
            from jupyter_core.paths import jupyter_data_dir  # deferred: a kernel has it already

            from jupyter_mcpgen.notebook_values import FOLDER, ValueServer

            # the state folder of the settings, which take longer to load than the extension may
            self._values = ValueServer(Path(jupyter_data_dir()) / "mcpgen" / FOLDER, lambda: self._shell.user_ns)
            self._shell.events.register("post_run_cell", self._used_now)

    def serve_no_values(self) -> None:
        """Give nothing any more."""
        if self._values is not None:
            self._shell.events.unregister("post_run_cell", self._used_now)
            self._values.close()
            self._values = None

    def _used_now(self, *_: object) -> None:
        if self._values is not None:
            self._values.used_now()

    def close_channel(self) -> None:
        """Stop listening; the pages hear it and open the next channel by themselves."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._consents is not None:
            self._consents.close()
            self._consents = None

    def warm_after_this_cell(self) -> None:
        """Begin the sandbox once the cell that loads us is over, beside the cells that follow; none waits for it."""
        self._shell.events.register("post_run_cell", self._warm)

    def stop_warming(self) -> None:
        """Begin nothing any more."""
        with suppress(ValueError):  # it has begun
            self._shell.events.unregister("post_run_cell", self._warm)

    def _warm(self, *_: object) -> None:
        self.stop_warming()
        self._warming = Thread(target=_begin, name="mcpgen-warming", daemon=True)
        self._warming.start()

    def _warmed(self) -> None:
        """Wait until nothing of ours is imported in another thread: two that import a circle might see half of it."""
        if self._warming is not None:
            self._warming.join()

    def complete(self, context: CompletionContext) -> SimpleMatcherResult:
        """Return what may come next after `%mcpgen`; any other text costs nothing."""
        if _NAME not in context.full_text:
            return {"completions": []}
        self._warmed()
        from jupyter_mcpgen.completer import matched  # deferred: loads pydantic and the commands

        return matched(context, self._shell.user_ns)

    def _clerk(self) -> Clerk:
        self._warmed()
        from jupyter_mcpgen.lab.asking import Questions
        from jupyter_mcpgen.lab.clerk import DeskClerk  # deferred: loads pydantic, then pandas and the planner
        from jupyter_mcpgen.runtime import current
        from jupyter_mcpgen.verbs.serving import what_clients_see

        self._questions = self._questions or Questions()
        return DeskClerk(
            self._open_desk, lambda: what_clients_see(current().registry), self._shell.user_ns, self._questions
        )

    def _consent_clerk(self) -> ConsentClerk:
        self._warmed()
        from jupyter_mcpgen.lab.consent_clerk import ConsentsClerk, RuntimeDesk  # deferred: as heavy as the other
        from jupyter_mcpgen.model.feedback import Face

        return ConsentsClerk(lambda: RuntimeDesk(self._open_desk(), Face.NOTEBOOK))

    def _open_desk(self) -> Runtime:
        """Return the product of this process, and follow every change of its registry."""
        from jupyter_mcpgen.runtime import current  # deferred: loads pandas and the planner

        runtime = current()
        if self._hear not in runtime.listeners:
            runtime.listeners.append(self._hear)
        return runtime

    def _layout(self) -> Layout:
        self._warmed()
        from jupyter_mcpgen.registry.layout import Layout  # deferred: loads the errors, then pydantic
        from jupyter_mcpgen.settings import load_settings

        return Layout(load_settings().values.registry_path)

    def _hear(self, event: Event) -> None:
        if event.kind == "registry_changed" and self._channel is not None:
            self._channel.refresh()

    def _carry_out(self, line: str, cell: str | None = None) -> Any:
        self._warmed()
        from jupyter_mcpgen.errors import McpgenError
        from jupyter_mcpgen.verbs.commands import takes_text, words_of
        from jupyter_mcpgen.verbs.usage import asks_for_help

        if cell is not None:
            line = f"{line}\n{cell}" if takes_text(line) else f"ask {line} {cell}"
        words = words_of(line)
        try:
            if words[:1] == ["demo"] and not asks_for_help(words):
                return self._demo()
            return self._perform(words)
        except McpgenError as error:
            _show_text(f"**Not done.** {error}")
            return None
        except KeyboardInterrupt as interrupt:
            raise (interrupt if isinstance(interrupt, Stopped) else Stopped(_MAYBE_KEPT)) from None

    def _perform(self, words: list[str]) -> Any:
        from jupyter_mcpgen.verbs.commands import question_of

        question = question_of(words)
        if question is None:
            return self._command(words)
        return self._ask(words, question) if self._is_in_page else self._ask_in_terminal(words, question)

    def _command(self, words: list[str]) -> Any:
        """Carry out a command; one that is interrupted goes on to its end, so that nothing of it is left half done."""
        from jupyter_mcpgen.attending import attend  # deferred, as all below: loads pydantic
        from jupyter_mcpgen.errors import QuestionStopped
        from jupyter_mcpgen.sandbox.cancellation import Cancellation

        try:
            return self._show(attend(lambda course: self._said(words, course), _unheard, Cancellation()))
        except QuestionStopped:
            raise Stopped(_MAYBE_KEPT) from None

    def _ask(self, words: list[str], question: str) -> Any:
        """Answer a question, and show in one place of the page how far it is, its answer, and what can be decided."""
        from jupyter_mcpgen.attending import attend
        from jupyter_mcpgen.errors import McpgenError, QuestionStopped
        from jupyter_mcpgen.lab.asking import AskingDisplay, Questions

        display = AskingDisplay(question, self._tell)
        self._questions = self._questions or Questions()
        with self._questions.at(display):
            display.show()
            try:
                said = attend(lambda course: self._said(words, course), display.hear, display.stop)
                answer = said.answer
                if answer is not None and answer.needs_staging and answer.card is not None:
                    display.test(answer.card)
                    answer.stage_while(lambda work: attend(work, display.hear, display.stop))
            except (QuestionStopped, KeyboardInterrupt) as stopped:
                display.stopped()
                raise _as_stopped(stopped) from None
            except McpgenError as error:
                display.fail(error)
                return None
            if answer is None:
                display.settle({"text/plain": ""})
                return self._show(said)
            answer.display_id, answer.shown_in = display.display_id, display.shown_in
            display.settle(answer.mime_bundle(), answer.card)
        self._show_when_read(answer)
        return self._show(said)

    def _ask_in_terminal(self, words: list[str], question: str) -> Any:
        from jupyter_mcpgen.asking_lines import AskingLines
        from jupyter_mcpgen.errors import QuestionStopped

        lines = AskingLines(question)
        try:
            said = lines.attend(lambda course: self._said(words, course))
            if said.answer is not None and said.answer.needs_staging:
                said.answer.stage_while(lines.attend)
        except (QuestionStopped, KeyboardInterrupt) as stopped:
            raise _as_stopped(stopped) from None
        return self._show(said)

    def _said(self, words: list[str], course: Course) -> Said:
        """Carry out what was typed, in a thread of its own."""
        from jupyter_mcpgen.lab.progress import progress_line
        from jupyter_mcpgen.model.feedback import Face
        from jupyter_mcpgen.runtime import current
        from jupyter_mcpgen.verbs.commands import question_of
        from jupyter_mcpgen.verbs.perform import perform

        runtime = current()
        if not self._is_in_page:
            return perform(words, runtime, self._shell.user_ns, Face.TERMINAL, course)
        with progress_line(runtime.listeners) if question_of(words) is None else nullcontext():
            return perform(words, runtime, self._shell.user_ns, Face.NOTEBOOK, course)

    def _heard_of_question(self, data: object, reply: Say) -> bool:
        """Carry out at once what a page says of a question that is going on."""
        return self._questions is not None and self._questions.heard(data, reply)

    def _tell(self, asking: Asking) -> None:
        if self._channel is not None:
            self._channel.tell(asking)

    def _show(self, said: Said) -> Any:
        if said.card is not None:
            from IPython.display import display

            from jupyter_mcpgen.lab.mime import bundle

            display(bundle(said.card), raw=True)  # type: ignore[no-untyped-call]
        if said.changed is not None:
            self._paint(said.changed)
        if said.overview is not None:
            from IPython.display import display

            from jupyter_mcpgen.lab.mime import overview_bundle

            display(overview_bundle(said.overview), raw=True)  # type: ignore[no-untyped-call]
        elif said.text:
            _show_text(said.text)
        if said.edits:
            self._shell.set_next_input(f"%%mcpgen edit {said.edits}\n{said.code.rstrip()}")
        elif said.code:
            _show_text(f"```python\n{said.code.rstrip()}\n```")
        if said.proposal is not None:
            from jupyter_mcpgen.verbs.said import NOT_AGREED

            _show_text(NOT_AGREED)
        if said.secret is not None:
            _show_text(_HIDDEN)
            return said.secret
        return said.frame if said.answer is None else self._answer(said.answer)

    def _paint(self, card: Card) -> None:
        if self._channel is not None:
            self._channel.paint(card)

    def _answer(self, answer: Answer) -> Answer:
        """Show an answer, unless the running cell shows it already; its code is tested first where it was not."""
        from jupyter_mcpgen.lab.showing import show  # deferred: loads the card

        show(answer.stage())
        return answer

    def _show_when_read(self, answer: Answer) -> None:
        """Have an answer read a second time where that is set up, and show what changed."""
        from jupyter_mcpgen.lab.showing import show_when_read

        read = answer.second_reading()
        if read is not None:
            show_when_read(answer, read, self._paint)

    def _demo(self) -> None:
        from jupyter_mcpgen.data.demo import crashes  # deferred: loads pandas

        self._shell.user_ns["crashes"] = crashes()
        _show_text(
            "`crashes` is a DataFrame with 209,306 rows and 24 columns. "
            "The data is **synthetic**: no real crash is in it. "
            "Try: `%mcpgen how do fatal injuries vary by weather in crashes`"
        )


def _as_stopped(error: BaseException) -> Stopped:
    """Return how the cell ends; after a second interrupt nobody waited to see what was kept."""
    return Stopped(_MAYBE_KEPT if isinstance(error, KeyboardInterrupt) else NOTHING_KEPT)


def _unheard(events: Sequence[Event]) -> None:
    """Show nothing of a command's events; its progress has a line of its own."""


def _show_text(text: str) -> None:
    from jupyter_mcpgen.plan.visible import unobeyed, without_pictures  # deferred: the greeting does without

    _display(without_pictures(text), unobeyed(text))


def _display(markdown: str, plain: str) -> None:
    from IPython.display import display

    display({"text/markdown": markdown, "text/plain": plain}, raw=True)  # type: ignore[no-untyped-call]


def _begin() -> None:
    from jupyter_mcpgen.warming import begin  # deferred: loads pydantic

    begin()
    import_module("jupyter_mcpgen.completer")  # JupyterLab waits a second for what the Tab key offers, and no longer


def load(shell: InteractiveShell) -> None:
    """Register the magics and listen to the cards that are already on the page."""
    magics = Magics(shell)
    magics.open_channel()
    magics.serve_values()
    magics.warm_after_this_cell()
    shell.magics_manager.register_function(magics.line_or_cell, "line_cell", _NAME)
    shell.magics_manager.register_function(magics.option, "line", _OPTION)
    shell.magics_manager.register_function(magics.restart, "line", _RESTART)
    _complete_with(magics, shell)
    for name, value in (("jupyter_mcpgen", import_module("jupyter_mcpgen")), ("tools", Tools("jupyter_mcpgen.tools"))):
        shell.user_ns.setdefault(name, value)  # a variable of the person's own is left alone
    said = greeting()
    _display(said, said)


def _complete_with(magics: Magics, shell: InteractiveShell) -> None:
    """Have IPython ask us first what may come next."""
    from IPython.core.completer import context_matcher

    @context_matcher(identifier=_NAME, priority=_BEFORE_OTHERS)  # type: ignore[untyped-decorator]  # IPython's own
    def complete(context: CompletionContext) -> SimpleMatcherResult:
        return magics.complete(context)

    shell.Completer.custom_matchers.append(complete)


def _complete_no_more(shell: InteractiveShell) -> None:
    matchers = shell.Completer.custom_matchers
    matchers[:] = [each for each in matchers if getattr(each, "matcher_identifier", None) != _NAME]


def greeting() -> str:
    """Say what reads questions here; the settings are only read where something may name a model."""
    readers = _LOCAL
    if _may_name_a_model():
        from jupyter_mcpgen.errors import SettingsError
        from jupyter_mcpgen.settings import load_settings  # deferred: pydantic takes longer than loading the extension

        try:
            llm = load_settings().values.llm
        except SettingsError as error:
            return _GREETING.format(readers=str(error))
        named = llm.model or (llm.code_generation_model.model_name if llm.code_generation_model is not None else None)
        readers = _LOCAL if named is None else _WITH_A_MODEL.format(model=named)
    return _GREETING.format(readers=readers)


def _may_name_a_model() -> bool:
    from jupyter_core.paths import jupyter_config_dir  # deferred: a kernel has it already

    config = Path(jupyter_config_dir())
    files = (config / "mcpgen.yaml", config / "mcpgen-model.yaml")
    told = any(name.startswith(("MCPGEN_LLM__", "MCPGEN_CONFIG")) for name in os.environ)
    return told or any(path.is_file() for path in files)


def unload(shell: InteractiveShell) -> None:
    """Take the magics back, so that `%reload_ext` leaves one channel behind and not two."""
    magics = getattr(shell.find_line_magic(_NAME), "__self__", None)  # type: ignore[no-untyped-call]
    if isinstance(magics, Magics):
        magics.close_channel()
        magics.serve_no_values()
        magics.stop_warming()
        _complete_no_more(shell)
        for kind in ("line", "cell"):
            for name in (_NAME, _OPTION, _RESTART):
                shell.magics_manager.magics[kind].pop(name, None)
