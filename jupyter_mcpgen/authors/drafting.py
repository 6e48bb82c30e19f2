"""Makes contract and files of what an author understood: from a plan, or from written code."""

from __future__ import annotations

from collections.abc import Set
from typing import assert_never

from jupyter_mcpgen.authors.author import Contract, PlannedContract, WrittenContract
from jupyter_mcpgen.authors.code import write_package
from jupyter_mcpgen.authors.contract import contract_of
from jupyter_mcpgen.authors.naming import tool_name
from jupyter_mcpgen.authors.written import contract_of_written, write_written
from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.plan.shape import generalise


class Drafting:
    """What every author does alike: contract and files follow from what was understood."""

    def code_instead(
        self, intent: Intent, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood:
        """Return the intent as it is: without somebody who writes code, the evidence says what is wrong with it."""
        return intent

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Return nothing: without somebody who writes code, the evidence says what is wrong with it."""
        return None

    def specify(self, intent: Understood, taken: Set[str], name: str | None = None) -> Contract:
        """Return the contract of an intent; `taken` names belong to other tools, `name` is the person's own choice."""
        match intent:
            case Intent():
                return contract_of(generalise(intent.plan), name or tool_name(intent.plan, taken))
            case WrittenIntent():
                return contract_of_written(intent, name, taken)
            case _:
                assert_never(intent)

    def write(self, contract: Contract) -> Package:
        """Return the files of the tool that a contract promises."""
        match contract:
            case PlannedContract():
                return write_package(contract)
            case WrittenContract():
                return write_written(contract)
            case _:
                assert_never(contract)
