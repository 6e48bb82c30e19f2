"""`build` and `export`: approved tools, or a module, become something that runs without this product."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.build.builds import folder_of_person
from jupyter_mcpgen.build.order import FORMS, Kind
from jupyter_mcpgen.build.records import BuildStatus, State
from jupyter_mcpgen.errors import BuildError
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options

_CANCEL = "cancel"
_FLAGS = ("clean", "skip-tests")


def build(words: Sequence[str], runtime: Runtime) -> Said:
    """Build a target and wait for it, or stop a build: `build TARGET`, `build cancel ID`."""
    typed = split_options(words, ("to",), _FLAGS)
    match typed.words:
        case (word, build_id) if word == _CANCEL:
            return _cancelled(runtime.builds.cancel(build_id))
        case (target,) if target != _CANCEL:
            return _built(target, typed, runtime)
    forms = ", ".join(f"`{form}`" for form in FORMS)
    raise UsageError(f"What should be built? `build TARGET`, where TARGET is one of {forms}; or `build cancel ID`.")


def export(words: Sequence[str], runtime: Runtime) -> Said:
    """Build the package of a tool: `export NAME`."""
    typed = split_options(words, ("to",), _FLAGS)
    if len(typed.words) != 1:
        raise UsageError("Which tool? `export NAME`. `list` shows the names.")
    return _built(f"{Kind.TOOL}:{typed.words[0]}", typed, runtime)


def _built(target: str, typed: Typed, runtime: Runtime) -> Said:
    started = runtime.builds.trigger(
        target,
        lambda: folder_of_person(typed.options.get("to")),
        options={"skip_tests": "skip-tests" in typed.options},
        clean="clean" in typed.options,
    )
    if started.status == "failure":
        raise BuildError(started.error_message)
    ended = runtime.builds.wait(started.build_id)
    if ended.status is not State.SUCCESS:
        raise BuildError(f"{ended.message} {ended.error_details}\n\nLog: `{ended.log_file_path}`".strip())
    told = ended.message if started.status == "pending" else started.message
    files = "\n".join(
        f"- `{each.path}` ({each.size:,} bytes, sha256 `{each.sha256[:16]}…`)" for each in ended.artifacts
    )
    return Said(text=f"{told}\n\n{files}\n\nWhat was built runs without a sandbox. Log: `{ended.log_file_path}`")


def _cancelled(found: BuildStatus) -> Said:
    if found.status is State.ERROR:
        raise BuildError(f"There is no build `{found.build_id}`.")
    if found.status.is_over:
        return Said(text=f"`{found.build_id}` is over already: {found.status}.")
    return Said(text=f"`{found.build_id}` stops at its next step.")
