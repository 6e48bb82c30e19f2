"""A contract with ipykernel: the private field that pins replies to a shell still exists."""

from __future__ import annotations

from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel

from jupyter_mcpgen.lab.subshells import answer_while_busy


def test_ipykernel_routes_by_the_hook_that_we_take_away() -> None:
    assert callable(BaseComm._reply_subshell_for)
    assert "_reply_subshell_for" in Kernel.shell_channel_thread_main.__code__.co_consts

    comm = BaseComm(target_name="mcpgen", primary=False)
    answer_while_busy(comm)
    assert comm._reply_subshell_for is None
