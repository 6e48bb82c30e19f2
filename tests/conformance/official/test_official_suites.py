"""The official conformance suites of both protocol versions, run against a server of the product.

What a scenario asks for is approved in a registry (`fixtures.py`) and served like any tool. A scenario counts as passed
where the suite says so *and* the answers that it saw were those of its fixtures: the suite takes many an answer for a
right one, "there is no such tool" included.

Each scenario, or check of one, passes or stands in `LISTED` with the reason; one that is listed and passes is an error.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.conformance.official.fixtures import ASKING, FIXTURES, OFFER, STAND_INS, WORDS, changes
from tests.conformance.official.relay import Relay, relayed
from tests.flow.surface import Served, person, serving
from tests.node import packages
from tests.small_tools import SmallTool

pytestmark = [pytest.mark.soak, pytest.mark.alone, pytest.mark.timeout(1_200)]

GUIDE = Path(__file__).parents[3] / "docs" / "mcp.md"
REVISIONS = ("2025-11-25", "2026-07-28")


@dataclass(frozen=True)
class Use:
    """An answer that a scenario has to see: to what, and the words that only the fixture's own answer has."""

    method: str
    about: str
    marked: str

    def was_seen(self, relay: Relay) -> bool:
        """Tell whether the server gave that answer."""
        return self.marked in relay.answers.get((self.method, self.about), "")


def call(name: str, marked: str) -> Use:
    return Use("tools/call", name, marked)


NOT_THERE = "\0"
"""What no answer has: of a tool that no registry can hold."""
NEEDS: Mapping[str, tuple[Use, ...]] = {
    "tools-list": (Use("tools/list", "", "test_simple_text"),),
    "tools-call-simple-text": (call("test_simple_text", "A plain text."),),
    "tools-call-image": (call("test_image_content", "A figure beside this text."),),
    "tools-call-error": (call("test_error_handling", "This tool always fails."),),
    "tools-call-with-progress": (call("test_tool_with_progress", "A long way."),),
    "json-schema-2020-12": (Use("tools/list", "", "json_schema_2020_12_tool"),),
    "prompts-list": (Use("prompts/list", "", "test_simple_prompt"),),
    "prompts-get-simple": (Use("prompts/get", "test_simple_prompt", "Call the tool `test_simple_prompt`"),),
    "prompts-get-with-args": (Use("prompts/get", "test_prompt_with_arguments", "testValue2"),),
    "completion-complete": (Use("completion/complete", "test_prompt_with_arguments", "testValue1"),),
    "resources-list": (Use("resources/list", "", "mcpgen://tools/static_text/source"),),
    "resources-read-text": (Use("resources/read", "mcpgen://tools/static_text/source", "def static_text("),),
    "resources-templates-read": (Use("resources/read", "mcpgen://tools/template_123/source", "def template_123("),),
    "resources-subscribe": (Use("resources/subscribe", "mcpgen://tools/static_text/card", '"result"'),),
    "resources-unsubscribe": (Use("resources/unsubscribe", "mcpgen://tools/static_text/card", '"result"'),),
    "server-stateless": (
        call("test_logging_tool", "It printed."),
        call("test_trigger_tool_change", "A person changed the tools."),
        call("test_trigger_prompt_change", "A person changed the prompts."),
    ),
    "server-stateless:sep-2575-http-server-no-independent-requests-on-stream": (
        call("test_streaming_elicitation", NOT_THERE),
    ),
    "tools-call-elicitation": (call("test_elicitation", "elicitation/create"),),
    **{
        f"input-required-result-{name}": (call(f"test_input_required_result_{tool}", "elicitation/create"),)
        for name, tool in {
            "basic-elicitation": "elicitation",
            "missing-input-response": "elicitation",
            "result-type": "elicitation",
            "ignore-extra-params": "elicitation",
            "validate-input": "elicitation",
            "request-state": "request_state",
            "tampered-state": "tampered_state",
        }.items()
    },
}

_ASKS = "An approved tool runs in the sandbox and asks the client for nothing; only consent is asked for."
_TASKS = "The tasks extension is not served: a call ends with its answer, and tells its progress before."
LISTED: Mapping[str, str] = {
    "tools-call-audio": "Tools give text, values, tables and figures; nothing here makes sound.",
    "tools-call-embedded-resource": "A tool's answer holds all that it gives; its files are named by their paths.",
    "tools-call-mixed-content": "It asks for a resource inside the answer beside text and image, see above.",
    "tools-call-with-logging": "What a tool prints stays in the sandbox. The newer revision deprecates logging.",
    "tools-call-sampling": _ASKS,
    "elicitation-sep1034-defaults": _ASKS,
    "elicitation-sep1330-enums": _ASKS,
    "resources-read-binary": "Resources are sources, cards, charts and guides, all of them text.",
    "prompts-get-embedded-resource": "A prompt asks for one call of a tool, in words.",
    "prompts-get-with-image": "A prompt asks for one call of a tool, in words.",
    "server-sse-polling": "Not scored, and gone in the newer revision: streams are not resumed, a call is sent again.",
    "http-custom-header-server-validation": "Not scored: parameters are never sent as headers, which are logged.",
    "server-stateless:sep-2575-server-rejects-undeclared-capability": _ASKS,
    "server-stateless:sep-2575-missing-capability-http-400": _ASKS,
    "server-stateless:sep-2575-http-server-no-independent-requests-on-stream": (
        "The suite waits 0.6 s for a tool that asks; a question here comes only after the offered code was tried."
    ),
    "input-required-result-ignore-extra-params": (
        "It answers a question that was not put: an answer counts only with the state that is sealed into the question."
    ),
    "input-required-result-capability-check": "It wants a model of the client, which nothing here uses.",
    **{
        f"input-required-result-{name}": _ASKS
        for name in (
            "basic-sampling", "basic-list-roots", "multiple-input-requests", "multi-round", "non-tool-request",
        )
    },
    **{
        f"tasks-{name}": f"Not scored. {_TASKS}"
        for name in (
            "lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input",
            "request-headers", "dispatch-and-envelope", "status-notifications", "required-task-error",
            "mrtr-composition",
        )
    },
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """How each check of each scenario of a revision ended: passed or not."""

    checks: Mapping[str, Mapping[str, bool]]

    def passed(self, name: str) -> bool:
        """Tell whether a scenario, or one check of it, passed."""
        scenario, _, check = name.partition(":")
        checks = self.checks[scenario]
        return checks[check] if check else all(checks.values())

    def failed(self, scenario: str) -> tuple[str, ...]:
        """Return the checks of a scenario that did not pass and are not listed."""
        return tuple(
            check
            for check, passed in self.checks[scenario].items()
            if not passed and not {scenario, f"{scenario}:{check}"} & LISTED.keys()
        )

    def has(self, name: str) -> bool:
        """Tell whether the revision has a scenario, or a check of one."""
        scenario, _, check = name.partition(":")
        return scenario in self.checks and (not check or check in self.checks[scenario])


Run = Callable[[str, bool], Outcome]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Return what runs the suite of a revision, with the fixtures in the registry or with none; each once."""
    packages.install()

    @cache
    def once(revision: str, has_fixtures: bool) -> Outcome:
        return _outcome(tmp_path_factory.mktemp("official"), revision, FIXTURES if has_fixtures else ())

    yield once
    once.cache_clear()


def _outcome(home: Path, revision: str, fixtures: Sequence[SmallTool]) -> Outcome:
    with serving(home, fixtures, ASKING if fixtures else {}) as served:
        act = changes(person())
        if fixtures:
            asyncio.run(_offered(served))
        acts = {fixture.name: act for fixture in fixtures if fixture.name.startswith("test_trigger_")}
        with relayed(served.status, WORDS, acts, STAND_INS if fixtures else {}) as relay:
            suite = [packages.program("conformance"), "server", "--url", relay.url, "--requirements", revision]
            ran = packages.run([*suite, "-o", str(home / "results")], seconds=600)
    checks = {name: _checks(folder, name, relay) for name, folder in _results(home / "results")}
    assert checks, ran.stdout + ran.stderr
    return Outcome(checks)


async def _offered(served: Served) -> None:
    """Have a client offer what the scenarios will offer, so that no scenario waits for the sandbox to begin."""
    async with served.client("auto", "http") as client:
        answer = await client.call_tool(OFFER.name, dict(OFFER.arguments))
        assert not answer.is_error, answer


def _results(folder: Path) -> Iterator[tuple[str, Path]]:
    for each in sorted(folder.iterdir()):
        found = re.fullmatch(r"server-(.+?)-\d{4}-\d\d-\d\dT.*", each.name)
        assert found is not None, each.name
        yield found[1], each


def _checks(folder: Path, scenario: str, relay: Relay) -> Mapping[str, bool]:
    """Return which checks passed; of several with one name, all have to."""
    passed: dict[str, bool] = {}
    for check in json.loads((folder / "checks.json").read_text()):
        name = check["id"]
        uses = (*NEEDS.get(scenario, ()), *NEEDS.get(f"{scenario}:{name}", ()))
        is_good = check["status"] in ("SUCCESS", "INFO") and all(use.was_seen(relay) for use in uses)
        passed[name] = passed.get(name, True) and is_good
    return passed


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_scenario_passes_or_is_listed_with_a_reason(run: Run, revision: str) -> None:
    outcome = run(revision, True)

    failed = {scenario: outcome.failed(scenario) for scenario in outcome.checks if outcome.failed(scenario)}
    assert failed == {}


@pytest.mark.parametrize("revision", REVISIONS)
def test_nothing_that_is_listed_passes(run: Run, revision: str) -> None:
    outcome = run(revision, True)

    assert [name for name in LISTED if outcome.has(name) and outcome.passed(name)] == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_no_scenario_passes_without_what_it_asks_for(run: Run, revision: str) -> None:
    outcome = run(revision, False)

    assert [name for name in NEEDS if outcome.has(name) and outcome.passed(name)] == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_guide_says_how_many_scenarios_pass(run: Run, revision: str) -> None:
    outcome, required = run(revision, True), packages.requirements(revision)
    passed = sum(map(outcome.passed, required))

    row = f"| {revision} | {passed} of {len(required)} |"
    assert row in GUIDE.read_text(encoding="utf-8"), row


def test_every_fixture_is_needed_and_every_name_is_of_a_scenario(run: Run) -> None:
    outcomes = [run(revision, True) for revision in REVISIONS]
    named = " ".join(f"{use.about} {use.marked}" for uses in NEEDS.values() for use in uses)

    assert [fixture.name for fixture in FIXTURES if fixture.name not in named] == []
    assert [name for name in {**NEEDS, **LISTED} if not any(each.has(name) for each in outcomes)] == []
