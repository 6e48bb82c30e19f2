"""What can go wrong when something is built from a tool."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.errors.root import McpgenError, did_you_mean


class BuildError(McpgenError):
    """A build could not be made; the message says why."""


class UnknownTarget(BuildError):
    """A target that nothing here builds."""

    def __init__(self, target: str, targets: Iterable[str]) -> None:
        forms = tuple(targets)
        named = ", ".join(f"`{form}`" for form in forms)
        near = did_you_mean(target.partition(":")[0], [form.partition(":")[0] for form in forms])
        super().__init__(f"`{target}` cannot be built.{near} Targets: {named}.")


class UnfitOrder(BuildError):
    """A configuration, an option or a version that does not fit the target."""


class NotStandalone(BuildError):
    """A tool that needs what only this product gives."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"`{name}` cannot stand alone: {reason}.")


class UnfitModule(BuildError):
    """A module that cannot be packaged without running something of its project."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"`{path}` cannot be packaged: {reason}.")


class FileInTheWay(BuildError):
    """A file where an artifact should be, which no build made, or which was changed since."""

    def __init__(self, path: object) -> None:
        super().__init__(
            f"`{path}` is there already and was not made by a build, or was changed since. It was left as it is. "
            "Move it away, or choose another folder."
        )


class OwnTestsFailed(BuildError):
    """The tests of a tool fail on the package that was made of it."""


class BuildStopped(BuildError):
    """A build that was cancelled, or took longer than it may."""


class SynthesisError(McpgenError):
    """A component could not be made; the message says why."""


class AnsweredAlready(SynthesisError):
    """A component that is wished for is an approved tool already."""

    def __init__(self, tool: str) -> None:
        super().__init__(
            f"The approved tool `{tool}` answers this already, so nothing new was made. Build files of it: "
            f"`%mcpgen build tool:{tool}`, or over MCP `trigger_build` with the target `tool:{tool}`."
        )


class UnfitSpecification(SynthesisError):
    """A specification that says nothing to make a component of."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"`{name}` specifies no component: {reason}.")


class UnknownTemplate(SynthesisError):
    """There is no template of that name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        names = tuple(known)
        listed = ", ".join(f"`{each}`" for each in names)
        super().__init__(f"Template '{name}' not found.{did_you_mean(name, names)} Templates: {listed}.")


class UnusableTemplate(SynthesisError):
    """A template that gives no file."""

    def __init__(self, name: str, file: str, reason: str) -> None:
        super().__init__(f"The file `{file}` of the template `{name}` cannot be filled: {reason}.")


class UnusableAnswer(SynthesisError):
    """A language model wrote what no component can be made of."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The answer of the model cannot be used: {reason}.")


class BrokenCode(SynthesisError):
    """Code of a component that fails a check, so that it is not written."""

    def __init__(self, file: str, rule: str, message: str) -> None:
        super().__init__(f"`{file}` would fail a check ({rule}): {message.rstrip('.')}. Nothing was written.")
