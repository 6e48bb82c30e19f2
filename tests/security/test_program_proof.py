"""What `doctor` finds when it attacks the sandbox of programs, at both levels and with a wall missing."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.selfcheck.jobs import ProbeResult
from jupyter_mcpgen.sandbox.selfcheck.probes import Expectation
from jupyter_mcpgen.sandbox.selfcheck.programs import ATTACKED, prove_programs

SEEN_AT_LEVEL_2 = {"stat_hidden_file", "learn_host_name"}
# No unconfined process of ours can win these, so that their control is another test.
WITHOUT_CONTROL = {"raise_a_limit", "find_inherited_descriptors"}
UP_TO_THE_MACHINE = {
    "change_attributes", "trace_process", "set_up_io_uring", "open_key_ring", "open_userfaultfd", "measure_with_perf",
    "write_shared_memory", "read_memory_of_another", "read_memory_directly", "make_bpf_map", "resolve_name",
}  # fmt: skip


@pytest.fixture(scope="module")
def found(layers: frozenset[Layer]) -> dict[str, ProbeResult]:
    """Attack a whole sandbox."""
    return {probe.name: probe for probe in prove_programs(ProgramSandbox(layers=layers))}


@pytest.mark.parametrize("name", [probe.name for probe in ATTACKED])
def test_a_program_wins_no_attack_that_its_level_promises_to_refuse(found: dict[str, ProbeResult], name: str) -> None:
    assert found[name].as_promised, found[name]


@pytest.mark.parametrize(
    "name", [probe.name for probe in ATTACKED if probe.name not in WITHOUT_CONTROL | UP_TO_THE_MACHINE]
)
def test_the_same_program_wins_it_without_the_sandbox(found: dict[str, ProbeResult], name: str) -> None:
    assert found[name].control, found[name]


def test_only_level_2_lets_anything_be_seen(found: dict[str, ProbeResult], layers: frozenset[Layer]) -> None:
    seen = {name for name, probe in found.items() if probe.expected is Expectation.LEAKS and not probe.blocked}

    assert seen == (set() if Layer.NAMESPACES in layers else SEEN_AT_LEVEL_2)


@pytest.mark.parametrize("missing", [Layer.LANDLOCK, Layer.SECCOMP])
def test_a_missing_wall_is_found(layers: frozenset[Layer], missing: Layer) -> None:
    found = prove_programs(ProgramSandbox(layers=layers - {missing}))

    assert any(not probe.as_promised for probe in found)


def test_all_attacks_together_leave_what_is_outside_as_it_was(found: dict[str, ProbeResult]) -> None:
    assert found["leave_decoys_untouched"].blocked
