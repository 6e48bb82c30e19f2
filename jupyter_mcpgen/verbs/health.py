"""`doctor`: what is true of this machine."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.pipeline.recheck import under_other_libraries
from jupyter_mcpgen.pipeline.upkeep import UNUSED_DAYS, near_duplicates, unused
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.runtime import PROOFS, Runtime, now
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.runtimes import RuntimeInfo, runtimes
from jupyter_mcpgen.sandbox.selfcheck.jobs import ProbeResult, Report
from jupyter_mcpgen.sandbox.selfcheck.probes import Expectation
from jupyter_mcpgen.sandbox.selfcheck.programs import prove_programs
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.serving import server_line


def doctor(runtime: Runtime) -> Said:
    """Attack the sandbox, look through the registry, and report."""
    sandbox, sound = _sandbox(runtime)
    programs, held = _programs(runtime)
    server, answers = server_line()
    health = runtime.registry.doctor()
    lines = [f"Cannot be written: {health.read_only}"] if health.read_only else []
    lines += [f"Audit log: {problem}" for problem in health.audit]
    lines += [f"Not loaded: {problem}" for problem in health.problems]
    registry = (
        "\n".join(f"- {line}" for line in lines) or "Writable. The audit log is intact and every tool is as approved."
    )
    return Said(
        text=f"**Sandbox.** {sandbox}\n\n**Code that clients send.** {programs} {runtimes_table(runtime)}\n\n"
        f"**MCP server.** {server}\n\n"
        f"**Registry** `{runtime.registry.root}`. {registry}{_signed(runtime)}{_outdated(runtime)}{_to_tidy(runtime)}",
        ok=sound and held and answers and health.ok,
    )


def _signed(runtime: Runtime) -> str:
    signer = runtime.registry.signer
    return "" if signer is None else f"\n\nYour approvals are signed with the key `{signer}`."


def _outdated(runtime: Runtime) -> str:
    names = under_other_libraries(runtime.services)
    told = (
        "was approved with other versions of its" if len(names) == 1 else "were approved with other versions of their"
    )
    return f"\n\n{_listed(names)} {told} libraries. `%mcpgen recheck` checks the answers again." if names else ""


def _to_tidy(runtime: Runtime) -> str:
    alike = near_duplicates(runtime.registry.families())
    metrics = Monitor(Layout(runtime.registry.root), now).read()
    left = unused(runtime.active(), metrics, now())
    lines = [f"- These tools calculate nearly the same: {_listed(names)}." for names in alike]
    lines += [f"- Not called for {UNUSED_DAYS} days: {_listed(left)}."] if left else []
    how = "`%mcpgen unpublish NAME` takes a tool out of use; `rollback` brings it back."
    return "\n\n" + "\n".join([*lines, "", how]) if lines else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def runtimes_table(runtime: Runtime) -> str:
    """Say in which languages code can be run, by what, and what is missing; a missing one is no fault."""
    families = ", ".join(f"`{family}`" for family in runtime.settings.server.families) or "none"
    rows = "\n".join(_row(list(several)) for _, several in groupby(runtimes(runtime.containers), _together))
    return f"Families offered: {families}.\n\n| runtime | confined by | here |\n|---|---|---|\n{rows}"


def _programs(runtime: Runtime) -> tuple[str, bool]:
    """Say at which level programs and sessions run here, proved by attacks, and why it is no better one."""
    sandbox = runtime.executor.sandbox
    lack = sandbox.missing()
    if lack is not None:
        return f"Programs and sessions are refused: {lack}.", True
    if sandbox.level is Level.UNCONFINED:
        return "Programs and sessions run at level 0, without a sandbox.", True
    weakened = f", not 1 {sandbox.weakened}" if sandbox.weakened else ""
    try:
        probes = prove_programs(sandbox)
    except McpgenError as error:
        return str(error), False
    broken = ", ".join(f"{probe.name} ({probe.meaning})" for probe in probes if not probe.as_promised)
    leaks = ", ".join(probe.name for probe in probes if probe.expected is Expectation.LEAKS and not probe.blocked)
    proved = f"Programs and sessions run at level {sandbox.level}{weakened}, proved by {len(probes)} attacks."
    told = f"{proved} Not prevented at this level: {leaks}." if leaks else proved
    return (f"{told} NOT BLOCKED: {broken}." if broken else told), not broken


def _together(one: RuntimeInfo) -> str:
    # One reason why no container can be run is enough to read.
    return f"{one.kind} {one.reason}" if one.kind is RuntimeKind.CONTAINER else one.name


def _row(several: list[RuntimeInfo]) -> str:
    one = several[0]
    version = f" ({one.version})" if one.version else ""
    name = f"{one.name}{version}" if len(several) == 1 else f"docker, {len(several)} languages"
    return f"| {name} | {one.kind.value} | {one.reason or 'ready'} |"


def sandbox_line(runtime: Runtime) -> tuple[str, bool]:
    """Say which level of the sandbox was proved, and whether it holds; it is attacked once per boot."""
    try:
        return _proved(runtime.sandbox.prove(state_folder() / PROOFS)), True
    except McpgenError as error:
        return str(error), False


def _proved(report: Report) -> str:
    proved = f"Level {report.level.value} proved by {len(report.probes)} attacks on `{report.backend}`."
    return f"{proved}{_leaks(report)}"


def _sandbox(runtime: Runtime) -> tuple[str, bool]:
    try:
        report = runtime.sandbox.prove(state_folder() / PROOFS)
    except McpgenError as error:
        return str(error), False
    wanted = runtime.settings.sandbox
    facts = "\n".join(f"- {name}: {fact}" for name, fact in report.facts.items())
    rows = "\n".join(f"| {probe.name} | {_verdict(probe)} | {_control(probe)} |" for probe in report.probes)
    return (
        f"{_proved(report)}\n"
        f"Asked for: backend `{wanted.backend}`, level {wanted.minimum_level} or stronger.\n\n"
        f"{facts}\n\n| attack | here | without the sandbox |\n|---|---|---|\n{rows}",
        True,
    )


def _verdict(probe: ProbeResult) -> str:
    if probe.expected is Expectation.WORKS:
        return "works, as it must" if not probe.blocked else "BROKEN: should work"
    if probe.blocked:
        return "blocked"
    return "possible (known limit of this level)" if probe.expected is Expectation.LEAKS else "NOT BLOCKED"


def _control(probe: ProbeResult) -> str:
    return "succeeds" if probe.control else "fails here anyway"


def _leaks(report: Report) -> str:
    names = ", ".join(f"{probe.name} ({probe.meaning})" for probe in report.leaks)
    return f" Not prevented at this level: {names}." if names else ""
