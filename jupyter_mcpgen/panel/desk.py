"""What the side panel shows and does, by the services that the commands use."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from jupyter_mcpgen import __version__
from jupyter_mcpgen.errors import DecisionError, ServerError, StaleApproval, UnknownCandidate, UnsoundApproval
from jupyter_mcpgen.lab.panel_messages import (
    PanelActivity,
    PanelCard,
    PanelClient,
    PanelClients,
    PanelDiff,
    PanelEntry,
    PanelHealth,
    PanelInbox,
    PanelLibrary,
    PanelLibraryTool,
    PanelOutcome,
    PanelPart,
    PanelSeen,
    PanelSnippet,
    PanelTold,
    PanelTool,
    PanelVerified,
    PanelVersion,
    PanelWaiting,
)
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.feedback import Face, OutputVerdict
from jupyter_mcpgen.pipeline.present import blocking
from jupyter_mcpgen.plan.visible import visible, visible_code
from jupyter_mcpgen.registry.audit import Entry
from jupyter_mcpgen.registry.store import utc_now
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.connect import FORMS, Client, Http, Stdio, file_of, snippet
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.clients import connected
from jupyter_mcpgen.verbs.deciding import known_already
from jupyter_mcpgen.verbs.health import sandbox_line
from jupyter_mcpgen.verbs.listing import find_tools, versions_of
from jupyter_mcpgen.verbs.modelling import model_line
from jupyter_mcpgen.verbs.serving import server_line, tokens_line, what_clients_see
from jupyter_mcpgen.verbs.snippets import calls_of

MOST_ENTRIES = 100
MOST_TOOLS = 50
_LIBRARIES = ("pandas", "duckdb", "pyarrow", "fastmcp", "jupyterlab", "jupyter-server")
_PLAIN_ANSWERS = ("yes", "approve", "reject")
_UNFINISHED = "Its checks are not finished."


@dataclass(frozen=True)
class RuntimePanel:
    """The desk of a configured product."""

    runtime: Runtime

    # Inbox

    def inbox(self) -> PanelInbox:
        """Return the answers that wait for a decision; what AI clients offer is read and decided elsewhere."""
        registry = self.runtime.registry
        cards = []
        for each in registry.staged():
            with suppress(UnknownCandidate):  # a draft whose question was stopped is taken away
                cards.append(registry.card(each.tool_id))
        return PanelInbox(cards=tuple(_waiting(card) for card in cards if not card.offered))

    def card(self, card_id: str) -> PanelCard:
        """Return a card."""
        return PanelCard(card=self.runtime.registry.card(card_id))

    def why_alone(self, card_id: str) -> str:
        """Say why a card is not approved together with others; empty where it can be."""
        card = self.runtime.registry.card(card_id)
        return _why_off(card) or _why_alone(card)

    def approve(self, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        """Approve what a person saw, as the card of a notebook does."""
        card = self._seen(seen)
        if card.status is ToolStatus.DRAFT:
            raise DecisionError(f"{_UNFINISHED} `%mcpgen approve {card.card_id}` finishes them.")
        approved = self.runtime.answer(
            card.card_id, seen.fingerprint, "registration", "approve", notes, seen.confirmed, Face.PANEL
        )
        registry = self.runtime.registry
        same = known_already(approved, registry)
        live = f"`{approved.tool_name}` v{approved.version} is live. MCP: {what_clients_see(registry)}."
        return _done(approved, same or live, can_undo=not same)

    def reject(self, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        """Reject what a person saw."""
        card = self._seen(seen)
        rejected = self.runtime.answer(card.card_id, seen.fingerprint, "registration", "reject", notes, (), Face.PANEL)
        return _done(rejected, f"`{rejected.tool_name}` is rejected and archived.")

    def refine(self, card_id: str) -> str:
        """Ask the question of a rejected card again as its reason says, and say what came of it."""
        refined = self.runtime.refine(card_id)
        if refined.staged is None:
            return refined.sentence
        return f"The new answer is in the inbox: {refined.staged.card.reading}."

    def undo(self, card_id: str) -> PanelTold:
        """Take back the approval of a card."""
        card = self.runtime.undo(card_id)
        return PanelTold(sentence=f"`{card.tool_name}` is no longer active. Its answer is pending again.")

    def _seen(self, seen: PanelSeen) -> Card:
        card = self.runtime.registry.card(seen.card_id)
        if card.offered:
            raise DecisionError(f"An AI client offers `{card.tool_name}`: review the request, and decide there.")
        if card.fingerprint != seen.fingerprint:
            raise StaleApproval(card.tool_name)
        return card

    # Library

    def library(self, query: str) -> PanelLibrary:
        """Return the tools that fit some words; without words those that were used last, then the unpublished ones."""
        registry = self.runtime.registry
        found = find_tools(query, registry, MOST_TOOLS)
        tools = [
            PanelLibraryTool(
                name=tool.name,
                version=tool.version,
                description=visible(tool.spec.description),
                calls=use.calls,
                errors=use.errors,
                last_used=use.last_used,
            )
            for tool, use in found.tools
        ]
        active = {each.name for each in registry.indexed()}
        archived = (name for name in sorted(registry.names() - active) if query.strip().lower() in name)
        tools += (PanelLibraryTool(name=name, version="", description="") for name in archived)
        return PanelLibrary(query=query, tools=tuple(tools), more=found.more, problems=found.problems)

    def tool(self, name: str) -> PanelTool:
        """Return a tool: the active version, or the newest one where none is active."""
        registry = self.runtime.registry
        versions = versions_of(name, registry)
        active = next((each.number for each in versions if each.state == "active"), "")
        approved = registry.versions(name)
        shown = next((each for each in approved if each.version == active), approved[0])
        return PanelTool(
            name=shown.name,
            version=active,
            description=visible(shown.spec.description),
            when_to_use=visible(shown.spec.when_to_use),
            returns=visible(shown.spec.returns),
            parameters=shown.spec.parameters,
            approved=registry.approver(shown) if active else "",
            versions=tuple(
                PanelVersion(
                    version=each.number,
                    state=each.state,
                    approved_at=each.approved_at,
                    description=visible(each.description),
                    card_id=each.card_id,
                )
                for each in versions
            ),
            snippets=tuple(
                PanelSnippet(label=each.label, language=each.language, text=each.text) for each in calls_of(shown)
            )
            if active
            else (),
            code=visible_code(registry.approved_package(shown).code),
        )

    def diff(self, name: str, before: str, after: str) -> PanelDiff:
        """Return what changes between two versions."""
        return PanelDiff(diff=self.runtime.diff(name, before, after))

    def rollback(self, name: str, version: str) -> PanelTold:
        """Make a version active again."""
        tool = self.runtime.rollback(name, version)
        return PanelTold(
            sentence=f"`{tool.name}` v{tool.version} is active. MCP: {what_clients_see(self.runtime.registry)}."
        )

    def unpublish(self, name: str, version: str) -> PanelTold:
        """Put the active version into the archive; raises `DecisionError` where another one is active by now."""
        active = self.runtime.registry.tool(name).version
        if active != version:
            raise DecisionError(f"`{name}` v{active} is active now, not v{version}. Look at it, then decide.")
        gone = self.runtime.unpublish(name)
        return PanelTold(sentence=f"`{name}` v{gone} is no longer active and is kept in the archive.")

    def clients(self) -> PanelClients:
        """Return how AI clients are connected, and what to put into their files."""
        running = launch.status(state_folder() / "server")
        return PanelClients(
            clients=tuple(
                PanelClient(
                    word=FORMS[client].word,
                    name=client.value,
                    file=f"~/{file_of(client)}",
                    connected=connected(client),
                    snippets=tuple(self._ways_to_connect(client, running)),
                )
                for client in Client
            )
        )

    def _ways_to_connect(self, client: Client, running: launch.ServerStatus | None) -> Iterator[PanelSnippet]:
        own = Stdio(self.runtime.registry.root, state_folder() / "server")
        yield PanelSnippet(label="Starts the server itself", language="json", text=snippet(client, own).text)
        if running is not None and FORMS[client].address is not None:
            text = snippet(client, Http(running.url)).text
            yield PanelSnippet(label="Connects to the running server", language="json", text=text)

    # Health and activity

    def health(self) -> PanelHealth:
        """Return how the parts of the product are, but for the sandbox, which may take seconds to prove."""
        told, answers = server_line()
        model, registry = model_line(self.runtime), self.runtime.registry
        signer = registry.signer
        signed = () if signer is None else (f"Your approvals are signed with the key `{signer[:16]}…`.",)
        return PanelHealth(
            parts=(
                _part("MCP server", "bad" if not answers else "good" if _runs() else "off", "status", told),
                self._clients_part(),
                _part("Language model", "good" if self.runtime.connection is not None else "off", "model", model),
                _part("Registry", "good", "list", f"`{registry.root}`", *signed),
            )
        )

    def sandbox(self) -> PanelHealth:
        """Return how the sandbox is; it is attacked once per boot."""
        told, holds = sandbox_line(self.runtime)
        return PanelHealth(parts=(_part("Sandbox", "good" if holds else "bad", "doctor", told),))

    def versions(self) -> PanelHealth:
        """Return which versions run here."""
        ours = f"jupyter-mcpgen {__version__}, Python {platform.python_version()}"
        return PanelHealth(parts=(_part("Versions", "good", "doctor", ours, ", ".join(_versions())),))

    def _clients_part(self) -> PanelPart:
        told = [f"{client.value}: {state}." for client in Client if (state := connected(client))]
        sentences = told or ["No AI client is connected."]
        return _part("AI clients", "good" if told else "off", "connect", *sentences, tokens_line())

    def verify(self) -> PanelVerified:
        """Check the audit log, and that every tool is as approved."""
        registry = self.runtime.registry
        health = registry.doctor()
        problems = (*health.audit, *health.problems, *((health.read_only,) if health.read_only else ()))
        return PanelVerified(
            at=utc_now(),
            entries=len(registry.audit.entries()),
            tools=len(registry.active()),
            problems=problems,
        )

    def activity(self) -> PanelActivity:
        """Return the latest entries of the audit log, the newest first."""
        entries = self.runtime.registry.audit.entries()
        latest = tuple(
            PanelEntry(
                at=entry.at,
                action=entry.action,
                by=visible(entry.by),
                tool_name=visible(entry.tool_name),
                version=entry.version,
                notes=visible(_note(entry)),
            )
            for entry in reversed(entries[-MOST_ENTRIES:])
        )
        return PanelActivity(entries=latest, total=len(entries))


def _waiting(card: Card) -> PanelWaiting:
    off = _why_off(card)
    return PanelWaiting(
        card_id=card.card_id,
        fingerprint=card.fingerprint,
        tool_name=card.tool_name,
        version=card.version,
        question=visible(card.question),
        reading=visible(card.reading),
        data_name=visible(card.data_name),
        evidence_sentence=visible(card.evidence_sentence),
        created_at=card.created_at,
        is_next_version=card.diff is not None,
        confirmations=card.confirmations,
        alone="" if off else _why_alone(card),
        off=off,
    )


def _why_off(card: Card) -> str:
    """Say why a card cannot be approved here; empty where it can be."""
    if card.status is ToolStatus.DRAFT:
        return _UNFINISHED
    return "" if card.sound else str(UnsoundApproval(card.tool_name, blocking(card)))


def _why_alone(card: Card) -> str:
    if card.confirmations:
        return "It needs a confirmation of its own."
    return "It is the next version of a tool, so look at what changes." if card.diff is not None else ""


def _done(card: Card, sentence: str, *, can_undo: bool = False) -> PanelOutcome:
    return PanelOutcome(card_id=card.card_id, tool_name=card.tool_name, done=True, sentence=sentence, can_undo=can_undo)


def _part(name: str, state: Literal["good", "off", "bad"], command: str, *sentences: str) -> PanelPart:
    return PanelPart(name=name, state=state, sentences=sentences, command=command)


def _note(entry: Entry) -> str:
    """Return what a person said besides their answer; the log has the answer as well."""
    notes = (entry.notes or "").removeprefix(f"{OutputVerdict.ACCEPTED.value}: ")
    return "" if notes in _PLAIN_ANSWERS else notes


def _runs() -> bool:
    try:
        return launch.status(state_folder() / "server") is not None
    except ServerError:  # the line about it says why
        return False


def _versions() -> Iterator[str]:
    for name in _LIBRARIES:
        with suppress(PackageNotFoundError):  # a kernel's environment may have no JupyterLab
            yield f"{name} {version(name)}"
