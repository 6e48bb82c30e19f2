"""The only place that puts the parts together, and what the faces ask of the result."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec

from platformdirs import user_cache_path

from jupyter_mcpgen.authors.way_on import WayOn
from jupyter_mcpgen.calling import Rates, ToolCalls
from jupyter_mcpgen.client_tools import Bounds, ClientTools
from jupyter_mcpgen.consents import Consents
from jupyter_mcpgen.conversation import Conversation, told_by
from jupyter_mcpgen.data.kept_texts import SaidOfFiles
from jupyter_mcpgen.data.lazy_frames import Most
from jupyter_mcpgen.data.named_files import file_and_table
from jupyter_mcpgen.data.references import frame_ref
from jupyter_mcpgen.data.unpacking.kept import KeptTables
from jupyter_mcpgen.data.workspace import make_workspace
from jupyter_mcpgen.decisions import Decisions, Refined
from jupyter_mcpgen.errors import (
    AskedBack,
    DecisionError,
    NotUnderstood,
    SettingsError,
    TamperedTool,
    UnknownData,
    UnknownTool,
)
from jupyter_mcpgen.folders import OpenFolders
from jupyter_mcpgen.model.answer import RowsBehind, ToolAnswer
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.event import Event, Listener, Progress, RegistryChanged
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.file_preview import FilePreview
from jupyter_mcpgen.model.file_reading import FileReading, reading_of
from jupyter_mcpgen.model.intent import ReadBy
from jupyter_mcpgen.model.offered import ToolLimits
from jupyter_mcpgen.model.overview import Overview
from jupyter_mcpgen.model.parts import PartChoices
from jupyter_mcpgen.model.plain_code import PlainCode
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.request import DataKind, DataRef, Packed, ReadOptions, Request
from jupyter_mcpgen.model.spec import DATA_PARAMETERS
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.model.usage import ToolUse
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.notebook_values import FOLDER as KERNELS
from jupyter_mcpgen.opening import open_configured
from jupyter_mcpgen.person import person
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.again import intent_of_card
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.pipeline.diff import diff_versions
from jupyter_mcpgen.pipeline.draft import Computed, Reused, Staged
from jupyter_mcpgen.pipeline.explain import Explained, explain
from jupyter_mcpgen.pipeline.files import Files, may_be_read_otherwise
from jupyter_mcpgen.pipeline.material import load, load_all, read_rows
from jupyter_mcpgen.pipeline.present import make_candidate, make_card, make_reused_card
from jupyter_mcpgen.pipeline.questions import AskedInstead, OpenQuestions
from jupyter_mcpgen.pipeline.recheck import Rechecked, recheck
from jupyter_mcpgen.pipeline.results import Results
from jupyter_mcpgen.pipeline.second_reading import read_again
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.similarity import MeaningSimilarity, Similarity, WordSimilarity
from jupyter_mcpgen.pipeline.snippet import plain_code
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.pipeline.unpacking import Unpacker
from jupyter_mcpgen.pipeline.verify import Verified, verify_named
from jupyter_mcpgen.pipeline.web_files import WebFiles
from jupyter_mcpgen.pipeline.whole import whole_result
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.readers import Reader, author_for, modelled, policy_of
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.policy import Level, Limits
from jupyter_mcpgen.sandbox.service import BackendKind, Sandbox, layers_named
from jupyter_mcpgen.scales import Scales
from jupyter_mcpgen.settings import LlmSettings, Settings, jupyter_folder, load_settings, state_folder
from jupyter_mcpgen.starter import Starter, starter_library
from jupyter_mcpgen.warming import BEGUN

if TYPE_CHECKING:
    import pandas as pd

    from jupyter_mcpgen.authors.author import Author
    from jupyter_mcpgen.authors.corrected_json import Corrector
    from jupyter_mcpgen.build.builds import Builds
    from jupyter_mcpgen.build.synthesis.synthesis import Synthesis
    from jupyter_mcpgen.coding.analysis import Analyst
    from jupyter_mcpgen.coding.debugging.debugger import Debugger
    from jupyter_mcpgen.llm.connect import Connection
    from jupyter_mcpgen.llm.prompt import Prompt
    from jupyter_mcpgen.nl.why import Why
    from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor
    from jupyter_mcpgen.sandbox.execution.executor import Executor
    from jupyter_mcpgen.sandbox.sessions.sessions import Sessions

_ONE_BUILDER = Lock()
PROOFS = "sandbox"
"""The folder in the state where proofs of the sandbox are kept."""
BUILDS = "builds"
"""The folder in the state where builds are kept."""
SNAPSHOTS = "snapshots"
"""The folder in the workspace where snapshots of variables are."""
UNPACKED, SAID = "unpacked", "said"
"""The folders in the user's cache for unpacked tables, and for what was said of how files are written."""
CONSENTS = "consents"
"""The folder in the state where standing consents are kept."""
RATES = "rates"
"""The folder in the state where the calls of clients' tools within the last minute are counted, by registry."""
P = ParamSpec("P")
MOST_REUSED = 50
MOST_SHOWN = 100
"""How many of the rows behind a figure a page is given."""


def _staged(
    compute: Callable[Concatenate[Runtime, P], Computed | Reused],
) -> Callable[Concatenate[Runtime, P], Staged | Reused]:
    """Return what computes an answer and stages it."""

    def ask(self: Runtime, /, *asked: P.args, **options: P.kwargs) -> Staged | Reused:
        """Answer a question; ends with a staged card, or with the answer of a tool that exists."""
        computed = compute(self, *asked, **options)
        return computed if isinstance(computed, Reused) else self.stage(computed)

    return ask


@dataclass(frozen=True)
class Runtime:
    """One configured product: ask, decide, call. Safe to use from several threads."""

    settings: Settings
    registry: Registry
    workspace: Path
    listeners: list[Listener] = field(default_factory=list)
    conversation: Conversation = field(default_factory=lambda: Conversation(now))
    """What was asked of each table; a question may follow up on it."""
    latest_cards: list[str] = field(default_factory=list)
    """The cards that this process made, the latest last: one of them is meant where no id is given."""
    questions: OpenQuestions = field(default_factory=OpenQuestions)
    """The questions that were asked back and wait for a pick."""
    reused: dict[str, tuple[Card, Reused]] = field(default_factory=dict)
    """The latest answers that approved tools gave, by the id of their card: such a card is stored nowhere."""
    chosen_models: list[LlmSettings] = field(default_factory=list)
    """The models that were chosen since the start, the latest last."""
    way_on: WayOn = field(default_factory=WayOn)
    """Whether this process said already how to add a model."""
    begun: Sandbox | None = None
    """The sandbox of another product of this process with the same settings; without it one is begun at first use."""

    @cached_property
    def sandbox(self) -> Sandbox:
        """The sandbox, warming up, proved by attacks once per boot and configuration.

        Raises `SandboxUnavailable` when nothing here enforces the configured level, or an attack gets through.
        """
        sandbox = self.begun or BEGUN.take(self.settings.sandbox)
        if sandbox.level is not Level.UNCONFINED:
            sandbox.prove(state_folder() / PROOFS)
        return sandbox

    @cached_property
    def executor(self) -> Executor:
        """What runs code that clients send: in the strongest sandbox there is, at the demanded level or not at all."""
        from jupyter_mcpgen.sandbox.execution.executor import Executor  # deferred: no question needs it, as below
        from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
        from jupyter_mcpgen.sandbox.programs.server import ProgramServer

        minimum = Level(self.settings.sandbox.minimum_level)
        layers = layers_named(BackendKind(self.settings.sandbox.backend))
        sandbox = ProgramSandbox(layers, minimum=minimum, start_supervisor=ProgramServer())
        if minimum is Level.UNCONFINED and sandbox.missing() is not None:
            sandbox = ProgramSandbox(layers=frozenset())
        data = open_to_code(self.settings.sandbox.data_paths, self.registry.root)
        return Executor(sandbox=sandbox, data=data)

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions of all clients of this process."""
        from jupyter_mcpgen.sandbox.sessions.sessions import Sessions

        wanted = self.settings.server
        return Sessions(
            self.executor, idle_seconds=wanted.session_idle_seconds, most_memory_mb=wanted.session_memory_mb
        )

    @cached_property
    def containers(self) -> DockerExecutor:
        """What runs code in containers; whether there is an engine is found out when one is asked for."""
        from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor, DockerSettings

        wanted = self.settings.sandbox
        return DockerExecutor(DockerSettings(wanted.docker_images, wanted.docker_network, wanted.docker_host))

    @cached_property
    def analyst(self) -> Analyst:
        """What analyzes people's code; what it found before is kept in the user's cache folder."""
        from jupyter_mcpgen.coding.analysis import Analyst
        from jupyter_mcpgen.coding.kept import default_kept

        return Analyst(self.executor.sandbox, default_kept())

    @cached_property
    def builds(self) -> Builds:
        """What makes packages, scripts and notebooks of approved tools."""
        from jupyter_mcpgen.build.builds import Builds
        from jupyter_mcpgen.build.own_tests import PackageTests

        return Builds(self.registry, state_folder() / BUILDS, PackageTests(lambda: self.executor), now)

    @property
    def debugger(self) -> Debugger:
        """What fixes code that failed, with the language model where there is one."""
        from jupyter_mcpgen.coding.debugging.debugger import Debugger

        connection = self.connection
        return Debugger(self.executor, None if connection is None else connection.for_question)

    @property
    def synthesis(self) -> Synthesis:
        """What makes new components; a person's own templates lie beside Jupyter's configuration."""
        from jupyter_mcpgen.build.synthesis.component_templates import Templates
        from jupyter_mcpgen.build.synthesis.synthesis import Synthesis
        from jupyter_mcpgen.planned_components import planned_component

        templates, connection = Templates(jupyter_folder("config") / "mcpgen" / "templates"), self.connection
        planner = partial(planned_component, partial(self.compute, reader=Reader.PLANNER), self.reference)
        if connection is None:
            return Synthesis(templates, planner=planner)
        return Synthesis(templates, connection.for_question, connection.choice.model.name, planner)

    @property
    def source_folders(self) -> OpenFolders:
        """The folders whose code clients may have analyzed and built."""
        return self._opened("server.source_folders", "read as source", self.settings.server.source_folders)

    @property
    def output_folders(self) -> OpenFolders:
        """The folders that clients may have something written into."""
        return self._opened("server.output_folders", "have something written into", self.settings.server.output_folders)

    def _opened(self, setting: str, purpose: str, named: tuple[Path, ...]) -> OpenFolders:
        jupyter = tuple(jupyter_folder(kind) for kind in ("config", "data", "runtime"))
        return OpenFolders(setting, purpose, named, closed=(self.registry.root, state_folder(), *jupyter))

    @cached_property
    def connection(self) -> Connection | None:
        """The language model that the settings name, if they name one; nothing is sent before it is asked."""
        if not self.settings_of_model.names_a_model:
            return None
        from jupyter_mcpgen.connecting import connected  # deferred: without a model nothing of it is needed

        return connected(self.settings_of_model, state_folder(), os.environ)

    @property
    def settings_of_model(self) -> LlmSettings:
        """The settings of the model: those of the start, or those chosen since."""
        return self.chosen_models[-1] if self.chosen_models else self.settings.llm

    def use(self, settings: LlmSettings) -> None:
        """Ask another model from now on, or none."""
        self.chosen_models.append(settings)
        for made in ("connection", "services", "decisions"):
            vars(self).pop(made, None)

    def models_at(self, address: str, key_variable: str | None) -> tuple[str, ...]:
        """Return the models that a server lists; raises a `ModelError` that says why it does not."""
        from jupyter_mcpgen.llm.connect import Choice, Named, connect

        connection = connect(Choice(address, Named(""), key_variable=key_variable), self.workspace)
        try:
            return connection.endpoint().models()
        finally:
            connection.close()

    def prompt_of(self, question: str, data: DataRef, other: DataRef | None = None) -> Prompt:
        """Return what a question would send to the model; nothing is sent."""
        from jupyter_mcpgen.authors.modelled.prompting import Surface, question_prompt

        request = self.conversation.request(question, data, other)
        material = load_all(request, self.services)
        tables = [material.profile, *([material.other.profile] if material.other is not None else [])]
        of_model = self.settings_of_model
        return question_prompt(request, tables, policy_of(of_model), Surface(of_model.surface))

    @cached_property
    def services(self) -> Services:
        """What the transactions work with."""
        return Services(
            registry=self.registry,
            sandbox=self.sandbox,
            author=self._author(Reader.LADDER),
            workspace=self.workspace,
            limits=self.limits,
            clock=now,
            seconds=time.perf_counter,
            new_id=lambda: uuid.uuid4().hex,
            announce=self.announce,
            ask_back=self.questions.keep,
            most_repairs=self.settings.validation.max_repair_iterations,
            scales=self.scales,
            similarity=self._similarity,
        )

    @property
    def corrector(self) -> Corrector | None:
        """What corrects malformed JSON of clients, where the settings want that."""
        if not self.settings.server.auto_correct_json:
            return None
        from jupyter_mcpgen.authors.corrected_json import Corrector  # deferred: few want it

        connection = self.connection
        return Corrector(connection.for_question if connection is not None else None)

    @property
    def _similarity(self) -> Similarity:
        """What compares the words of questions and tools: the embedding model of the settings, or spelling alone."""
        embedder = None if self.connection is None else self.connection.embedder
        return WordSimilarity() if embedder is None else MeaningSimilarity(embedder, self.registry)

    @cached_property
    def decisions(self) -> Decisions:
        """What a person decides about cards and open questions."""
        return Decisions(
            self.services,
            self.conversation,
            self.questions,
            self.reused,
            self.stage,
            self.settings.planner.language,
            partial(self._author, Reader.MODEL) if self.connection is not None else None,
        )

    @property
    def scales(self) -> Scales:
        """What the quality of a tool is weighed by and held against."""
        wanted = self.settings.validation
        return Scales(
            thresholds=wanted.quality_thresholds,
            tiers=wanted.quality_tiers,
            weights=wanted.metric_weights,
            code_bleu=wanted.code_bleu_weights,
            gap=self.settings.gap,
        )

    @property
    def limits(self) -> Limits:
        """The bounds of one run, and of the tables that go into it and come out of it."""
        wanted, seconds = self.settings.sandbox, self.settings.validation.sandbox_timeout_seconds
        return Limits(
            wall_seconds=seconds,
            cpu_seconds=max(1, int(seconds)),
            memory_mb=wanted.memory_mb,
            rows=wanted.max_rows,
            columns=wanted.max_columns,
        )

    def reference(self, name: str, data: object = None, course: Course | None = None) -> DataRef:
        """Refer to a variable's snapshot, or with no variable to the file of that name, unpacked where it is packed.

        `book.xlsx#Costs` is a sheet of a file that has several, and so are members of archives and tables of databases.
        """
        if data is not None:
            most = Most(self.limits.rows, self.limits.table_bytes)
            return frame_ref(name, data, self.workspace / SNAPSHOTS, most, (course or Course()).go_on)
        stop = None if course is None else course.stop
        return self.files.until(stop).reference(*file_and_table(name))

    def references_for(
        self, tool: str, tables: Sequence[tuple[str, object]], arguments: Mapping[str, Any]
    ) -> list[DataRef]:
        """Refer to the tables of a call of an active tool, each by its name and variable, if it is one.

        Files are opened as the tool reads them, with these `arguments`.
        """
        spec = self.registry.tool(tool).spec
        return [
            self.reference(name, variable)
            if variable is not None
            else self.files.reference(*file_and_table(name), reading_of(spec, parameter, arguments))
            for parameter, (name, variable) in zip(DATA_PARAMETERS, tables, strict=False)
        ]

    def tables_for(self, wanted: str, tables: Sequence[tuple[str, object]]) -> list[DataRef]:
        """Refer to the tables that a tool, or the card of that id, is held against; files are read as it reads them."""
        readings = self._readings(wanted)
        return [
            self.reference(name, variable)
            if variable is not None
            else self.files.reference(*file_and_table(name), readings[parameter], kept=True)
            for parameter, (name, variable) in zip(DATA_PARAMETERS, tables, strict=False)
        ]

    def _readings(self, wanted: str) -> dict[str, FileReading]:
        """Return how a tool, or the card of that id, reads its files."""
        try:
            spec = self.registry.tool(wanted).spec
        except UnknownTool:
            spec = self.registry.candidate(wanted).spec
        except TamperedTool:  # which is said where the tool itself is looked at
            return dict.fromkeys(DATA_PARAMETERS, FileReading())
        return {parameter: reading_of(spec, parameter, {}) for parameter in DATA_PARAMETERS}

    @cached_property
    def files(self) -> Files:
        """What opens workbooks, archives and databases; the tables in them are kept in the user's cache folder."""
        cache = user_cache_path("jupyter-mcpgen")
        kept, said = KeptTables(cache / UNPACKED), SaidOfFiles(cache / SAID)
        web = WebFiles(kept, is_allowed=self.settings.data.urls)
        return Files(Unpacker(lambda: self.executor.sandbox, kept), said, self.limits, web)

    def read_so(self, name: str, options: ReadOptions) -> None:
        """Read a text file as a person says, now and whenever it is named again; raises `UnreadableData`."""
        self.files.read_so(file_and_table(name)[0], options)

    def compute(
        self,
        question: str,
        data: DataRef,
        name: str | None = None,
        other: DataRef | None = None,
        *,
        follow: bool = False,
        reader: Reader = Reader.LADDER,
        course: Course | None = None,
    ) -> Computed | Reused:
        """Compute the answer to a question, as `ask` does before it stages anything; later questions may follow it.

        `other` is a second table that the question may need. With `follow` it may be a change of the question before.
        Whoever watches and may stop it gives a `course`. Raises `AskedBack` for a question of several readings, which
        stays open for `pick`.
        """
        if self.connection is not None and reader is not Reader.PLANNER:
            self.connection.warm()  # it loads what a request needs while the table is read
        self.questions.unanswered = request = self.conversation.request(
            question, data, other, follow=follow, tool_name=name
        )
        computed = flow.compute(request, self._read_by(reader, course))
        self.questions.go_on()
        self.conversation.remember(told_by(data), question, computed.intent, other)
        return computed

    ask = _staged(compute)

    def refused(self, refusal: NotUnderstood, request: Request) -> QuestionBack:
        """Return a refused question as a page shows it: with what was not read in it, to be asked in other words."""
        columns = load(request.data, self.services).profile.schema_.names
        return self.questions.refuse(refusal, request, columns).shown

    def ask_again(self, asked_id: str, question: str, course: Course | None = None) -> Card:
        """Ask the question of a card, or one that was asked back or refused, in other words over the same data.

        A card that waits for a decision gives way to the new one. Raises `AskedInstead` where the new words are asked
        back or refused; nothing is changed then.
        """
        return self._in_its_place(asked_id, self.decisions.request_of(asked_id).replace(question=question), course)

    def preview_file(
        self, card_id: str, options: ReadOptions | None = None, sheet: str | None = None, *, is_other: bool = False
    ) -> FilePreview:
        """Return the beginning of a file that a card is about, read in a way that was not settled yet, or as it was."""
        ref = self._file_of(self.decisions.request_of(card_id), is_other)
        packed = ref.packed or Packed(path=ref.path)
        said = packed.read if options is None else options
        return self.files.preview(ref, said, sheet or packed.sheet).replace(is_other=is_other)

    def read_file_so(
        self,
        card_id: str,
        options: ReadOptions,
        sheet: str | None = None,
        course: Course | None = None,
        *,
        is_other: bool = False,
    ) -> Card:
        """Ask the question of a card once more, of a file that is read as a person says, from now on.

        The new card takes the place of the one before, as by `ask_again`; raises `UnreadableData` where it cannot be
        read so.
        """
        request = self.decisions.request_of(card_id)
        stop = None if course is None else course.stop
        ref, card = self._file_of(request, is_other), self.card(card_id)
        with self.files.until(stop).read_otherwise(ref, options, sheet) as read:
            name = card.tool_name if card.is_named else None
            asked = request.replace(tool_name=name, **{"other" if is_other else "data": read})
            return self._in_its_place(card_id, asked, course)

    def _file_of(self, request: Request, is_other: bool) -> DataRef:
        ref = request.other if is_other else request.data
        if ref is None or not may_be_read_otherwise(ref):
            raise DecisionError(f"How `{request.data.name}` is read cannot be said. Ask the question of a text file.")
        return ref

    def _in_its_place(self, asked_id: str, request: Request, course: Course | None) -> Card:
        """Answer a question, on a card in the place of another one or of an open question."""
        try:
            found = self.compute(request.question, request.data, request.tool_name, request.other, course=course)
        except AskedBack as asked:
            raise AskedInstead(self.question(asked.question_id)) from asked
        except NotUnderstood as refusal:
            raise AskedInstead(self.refused(refusal, self.unanswered or request)) from refusal
        card = self.reused_card(found) if isinstance(found, Reused) else self.stage(found, course).card
        if card.card_id != asked_id:
            self.decisions.give_way(asked_id, card)
        return card

    def _read_by(self, reader: Reader, course: Course | None = None) -> Services:
        """Return the services with the author that is to read a question, on the course that somebody watches."""
        services = self.services
        if reader is Reader.PLANNER:  # who asks it alone wants nothing to be sent
            services = replace(services, similarity=WordSimilarity())
        if course is not None:
            return services.on(course, self._author(reader, course))
        return services if reader is Reader.LADDER else replace(services, author=self._author(reader))

    def _author(self, reader: Reader, course: Course | None = None) -> Author:
        def tell(text: str) -> None:
            self.announce(Progress(text=text))
            if course is not None:
                course.tell(Progress(text=text))

        stop = course.stop if course is not None else None
        return author_for(reader, self.settings, self.settings_of_model, self.connection, tell, self.way_on, stop)

    def compute_as(self, request: Request, intent: Understood) -> Computed:
        """Compute the answer in one of the readings of a question that was asked back."""
        return flow.compute_as(request, intent, self.services)

    def rows_of(self, data: DataRef) -> pd.DataFrame:
        """Return the rows of a table as they are; raises a `DataError` that says what to do."""
        return read_rows(data, self.limits)

    def look_up(self, plan: Plan, data: DataRef) -> pd.DataFrame:
        """Return the rows of a plan over a table as the reference computes them: an answer without evidence."""
        return load(data, self.services).engine.table(plan)

    def stage(self, computed: Computed, course: Course | None = None) -> Staged:
        """Run the gates over an answer's code, and keep it as a card that waits for a decision."""
        staged = flow.stage(computed, self._read_by(Reader.LADDER, course))
        self.latest_cards.append(staged.card.card_id)
        return staged

    def look_late(self, card_id: str) -> Card:
        """Run the gates that no decision waits for over a card's code; returns the card after it."""
        return flow.look_late_at(card_id, self.services)

    def second_reading(self, staged: Staged, reader: Reader) -> Callable[[], Card | None] | None:
        """Return what has the model read a planner's answer again, which may take long, or `None` where none is wanted.

        It returns the card that it changed, and `None` where it changed none.
        """
        of_model, connection = self.settings_of_model, self.connection
        is_planned = reader is Reader.LADDER and staged.computed.intent.read_by is ReadBy.PLANNER
        if not of_model.second_reader or connection is None or not is_planned:
            return None
        model = modelled(of_model, connection, lambda _: None)
        return partial(read_again, staged, model, self.services)

    def draft_card(self, computed: Computed) -> Card:
        """Return the card of an answer whose gates are still at work."""
        return make_card(computed, make_candidate(computed, None, self.services), computed.times, self.services)

    def why(self, data: DataRef, question: str | None = None, other: DataRef | None = None) -> Why:
        """Return how a question is understood over a table, or two; without one, how the latest about it was."""
        from jupyter_mcpgen.authors.reshaped import forms_called
        from jupyter_mcpgen.nl.why import why

        last = self.conversation.about(data)
        if question is None:
            if last is None:
                raise UnknownData(data.name)
            question, last = last.question, last.before
        earlier = (last.question, last.plan) if last is not None and not last.plan.reshaping else None
        material = load_all(self.conversation.request(question, data, other), self.services)
        second, language = (
            material.other.profile if material.other is not None else None,
            self.settings.planner.language,
        )
        told = why(question, material.profile, language, earlier, second)
        rows = [] if second is not None else [form.profile for form in forms_called(material.profile, question)]
        others = (why(question, each, language) for each in rows) if told.outcome == "refused" else ()
        return next((other for other in others if other.outcome == "answered"), told)

    def join_that_helps(self, question: str, data: DataRef, other: DataRef) -> str | None:
        """Return how a refused question could be asked over a second table, if it names a column of that one."""
        from jupyter_mcpgen.nl.joining.hints import join_that_helps

        first, second = (load(ref, self.services).profile for ref in (data, other))
        return join_that_helps(question, first, second, self.settings.planner.language)

    @property
    def latest_other_table(self) -> str | None:
        """The second table that the latest answered question was about, if it was about two."""
        return self.conversation.other_table

    @property
    def unanswered(self) -> Request | None:
        """What was asked last, where it was asked back or refused."""
        return self.questions.unanswered

    @property
    def latest_table(self) -> str | None:
        """The variable or the file that the latest answered question was about."""
        return self.conversation.table

    def reused_card(self, reused: Reused) -> Card:
        """Return the card of an answer that an approved tool gave; it can be explained and picked from, not decided."""
        card = make_reused_card(reused, self.services)
        self.reused[card.card_id] = (card, reused)
        for oldest in list(self.reused)[:-MOST_REUSED]:
            del self.reused[oldest]
        return card

    def card(self, card_id: str) -> Card:
        """Return a card as it stands now."""
        return self.reused[card_id][0] if card_id in self.reused else self.registry.card(card_id)

    def answer(
        self,
        card_id: str,
        fingerprint: str,
        step: Literal["output", "registration"],
        answer: str,
        notes: str | None,
        confirmed: Collection[Confirms] = (),
        face: Face = Face.PYTHON,
    ) -> Card:
        """Record a person's answer to one of the two questions, and return the card after it."""
        return self.decisions.answer(card_id, fingerprint, step, answer, notes, confirmed, face)

    def refined(self, card_id: str) -> Card | None:
        """Return the card of the new answer that the reason against a rejected card asks for, if it asks for one."""
        staged = self.refine(card_id).staged
        return staged.card if staged is not None else None

    def refine(self, card_id: str) -> Refined:
        """Ask the question of a rejected card again, as the reason against it says."""
        return self.decisions.refine(card_id)

    def approve(
        self,
        card_id: str,
        name: str | None = None,
        notes: str | None = None,
        confirmed: Collection[Confirms] = (),
        face: Face = Face.PYTHON,
    ) -> Card:
        """Accept a card's output and save its tool, under another name if one is given; returns the card after it."""
        return self.decisions.approve(card_id, name, notes, confirmed, face)

    def reopen(self, card_id: str) -> Card:
        """Let an expired card wait for a decision again."""
        return self.decisions.reopen(card_id)

    def undo(self, card_id: str) -> Card:
        """Take back the promotion of a card's tool."""
        return self.decisions.undo(card_id)

    def diff(self, name: str, before: str | None = None, after: str | None = None) -> Diff:
        """Return what changes between two versions of a tool; without versions, between the latest two."""
        return diff_versions(name, before, after, self.services)

    def rollback(self, name: str, version: str | None = None) -> PromotedTool:
        """Make an archived version of a tool active again: the one before, or the one that is named."""
        tool = self.registry.rollback(name, version, person())
        self.announce(RegistryChanged(tool_name=tool.name, change="promoted"))
        return tool

    def unpublish(self, name: str) -> str:
        """Put a tool into the archive, from where `rollback` brings it back; returns the version that was active."""
        version = self.registry.unpublish(name, person())
        self.announce(RegistryChanged(tool_name=name, change="removed"))
        return version

    def explore(self, data: DataRef, typed: str) -> Overview:
        """Return a first look at a table with questions that can be asked of it; `typed` is what a person calls it."""
        from jupyter_mcpgen.authors.embedded import EmbeddedAuthor  # deferred: loads the planner
        from jupyter_mcpgen.pipeline.overview import explore

        language = self.settings.planner.language
        asked = partial(self.conversation.request, data=data)
        explored = explore(data, typed, asked, EmbeddedAuthor(language), language, self.services)
        self.questions.suggest(explored.questions)
        return explored.overview

    def question(self, question_id: str) -> QuestionBack:
        """Return a question that was asked back and waits for a pick."""
        return self.questions.find(question_id).shown

    def pick(self, card_id: str, chip: str, course: Course | None = None) -> Card:
        """Answer in another reading: of an open question, or of a card, which is archived and replaced."""
        return self._deciding(course).pick(card_id, chip).card

    def pick_reading(self, card_id: str, chip: str) -> Staged:
        """Do what `pick` does, and return the answer beside its card."""
        return self.decisions.pick(card_id, chip)

    def choices(self, card_id: str, key: str) -> PartChoices:
        """Return what may stand in a part of a card's reading."""
        return self.decisions.choices(card_id, key)

    def adjust(self, card_id: str, parts: Mapping[str, Sequence[str]], course: Course | None = None) -> Staged:
        """Answer with other values in parts of a card's reading, on a card in its place."""
        return self._deciding(course).adjust(card_id, parts)

    def _deciding(self, course: Course | None) -> Decisions:
        """Return the decisions whose new answers are on the course that somebody watches."""
        if course is None:
            return self.decisions
        services = self._read_by(Reader.LADDER, course)
        return replace(self.decisions, services=services, stage=lambda computed: self.stage(computed, course))

    def card_named(self, named: str) -> Card:
        """Return a card by its id or the beginning of it, or by the name of an active tool or of one that waits.

        Raises `UnknownCandidate`.
        """
        tools = [tool.tool_id for tool in self.registry.active() if tool.name == named]
        waiting = [each.tool_id for each in self.registry.staged() if each.spec.tool_name == named]
        return self.card(next(iter([*tools, *reversed(waiting)]), named))

    def code(self, card_id: str) -> str:
        """Return the function that computes a card's answer, for a person to change."""
        return self.decisions.code(card_id)

    def edit(self, card_id: str, code: str) -> Staged:
        """Answer by code that a person changed, on a card in the place of the one before."""
        return self.decisions.edit(card_id, code)

    def explain(self, card_id: str, row: int, column: str | None = None) -> Explained:
        """Return the rows of the data behind a row of a card's result, or behind one of its cells."""
        if card_id in self.reused:
            card, reused = self.reused[card_id]
            return explain(card, reused.intent, reused.trial.artifacts, row, column, self.services)
        card, ran = self.registry.card(card_id), self.registry.candidate(card_id).run_artifacts
        return explain(card, intent_of_card(card, self.services), ran, row, column, self.services)

    def rows_behind(self, card_id: str, row: int) -> RowsBehind:
        """Return what a page shows of the rows behind a row of a card's result."""
        found = self.explain(card_id, row)
        return RowsBehind(reading=found.reading, table=table_of(found.rows, MOST_SHOWN))

    @cached_property
    def results(self) -> Results:
        """The whole results of cards."""
        return Results(self._whole)

    def _whole(self, card: Card) -> pd.DataFrame:
        reused = self.reused.get(card.card_id)
        result = reused[1].trial.result if reused is not None else None
        return result if result is not None else whole_result(card, self.services)

    def plain_code(self, card_id: str, variables: Mapping[str, Any]) -> PlainCode:
        """Return how a card's answer is computed in a cell that has these variables."""
        request, intent = self.decisions.asked(card_id)
        tables = {"data": request.data, "other": request.other}
        own = {name: self._as_asked(table) for name, table in tables.items() if table is not None}
        material = load_all(request.model_copy(update=own), self.services)
        return plain_code(intent, material.arranged(intent), variables)

    def _as_asked(self, table: DataRef) -> DataRef:
        """Return a table as it was asked about: the snapshot of a variable stands for the variable."""
        is_snapshot = Path(table.path).parent == (self.workspace / SNAPSHOTS).resolve()
        return table.replace(kind=DataKind.FRAME) if is_snapshot else table

    def verify(self, wanted: str, data: DataRef, other: DataRef | None = None) -> Verified:
        """Tell whether an active tool, or a card, still gives its approved answer on some data; needs no model."""
        tables = (data,) if other is None else (data, other)
        return verify_named(wanted, tables, self.services)

    def recheck(self, names: Sequence[str] = ()) -> Iterator[Rechecked]:
        """Yield whether active tools still give the approved answer: all of them, or the named ones."""
        return recheck(names, self.services)

    def active(self) -> tuple[PromotedTool, ...]:
        """Return the active tools, by name."""
        return self.registry.active()

    @cached_property
    def calls(self) -> ToolCalls:
        """Calls active tools."""
        return ToolCalls(
            self.registry,
            lambda: self.sandbox,
            self.workspace,
            self.limits,
            self.announce,
            Rates(state_folder() / RATES / hashlib.sha256(os.fsencode(self.registry.root)).hexdigest()[:16]),
            lambda ref: load(ref, self.services).profile.schema_,
            mode=self.settings.server.mode,
            kernels=state_folder() / KERNELS,
            unpacked=lambda path, reading, stop: self.files.until(stop).unpacked(*file_and_table(path), reading),
        )

    @cached_property
    def consents(self) -> Consents:
        """What people decide about tools that AI clients offer."""
        return Consents(self.registry, lambda: self.decisions, state_folder() / CONSENTS, now)

    @cached_property
    def starter(self) -> Starter:
        """The tools that come with the product, for a person to install."""
        return Starter(starter_library(), self.registry, lambda: self.services)

    @cached_property
    def client_tools(self) -> ClientTools:
        """The tools that AI clients make."""
        wanted = self.settings.server
        usual = ToolLimits(
            timeout_seconds=wanted.client_call_seconds,
            memory_mb=wanted.client_call_mb,
            rate_limit_per_minute=wanted.client_calls_per_minute,
        )
        bounds = Bounds(tools=wanted.client_tools, bytes=int(wanted.client_tools_mb * 1024 * 1024), usual=usual)
        monitor = Monitor(Layout(self.registry.root), now)
        return ClientTools(
            self.services, self.consents, wanted.mode, bounds, lambda name: monitor.read().tools.get(name, ToolUse())
        )

    def call_tool(
        self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation | None = None
    ) -> ToolAnswer:
        """Call an active tool in the sandbox, after comparing its files with the approval."""
        return self.calls.answer(name, arguments, cancellation)

    def run_tool(
        self, name: str, data: DataRef, arguments: Mapping[str, Any], other: DataRef | None = None
    ) -> pd.DataFrame:
        """Call an active tool on a table, or two, and return its result as a frame; raises `ToolFailed` with why."""
        return self.calls.frame(name, data, arguments, other)

    def value_of_tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call an active tool that takes no table and return the value that it gives; raises `ToolFailed` with why."""
        return self.calls.value(name, arguments)

    def announce(self, event: Event) -> None:
        """Tell every listener of an event."""
        for listener in tuple(self.listeners):
            listener(event)


def open_to_code(named: Iterable[Path], registry: Path) -> tuple[Path, ...]:
    """Return the named files and folders that are there; raises `SettingsError` for one that holds more than data.

    With the temporary folder code would see other sessions, with ours it would see tokens and approvals.
    """
    paths = tuple(path.expanduser().resolve() for path in named)
    ours = (state_folder().resolve(), registry.expanduser().resolve())
    for path in paths:
        closed = [place for place in ours if path.is_relative_to(place)]
        held = [place for place in (*ours, Path(tempfile.gettempdir()).resolve()) if place.is_relative_to(path)]
        if closed or held:
            raise SettingsError(
                f"`sandbox.data_paths` cannot open `{path}` to code that clients send: `{[*closed, *held][0]}` must "
                "stay closed to it. Name a folder that holds data only."
            )
    return tuple(path for path in paths if path.exists())


def build(settings: Settings, begun: Sandbox | None = None) -> Runtime:
    """Put the product together from its settings, and from a sandbox that is shared; opens nothing yet."""
    workspace = Path(tempfile.mkdtemp(dir=_folder_of(os.getpid())))
    registry = open_configured(settings)
    monitor = Monitor(Layout(registry.root), now)
    return Runtime(settings=settings, registry=registry, workspace=workspace, listeners=[monitor.listen], begun=begun)


@lru_cache(maxsize=1)
def _folder_of(process: int) -> Path:
    """Return the folder of this process, for all its products: a product that looks for old ones reads them all."""
    folder = make_workspace()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def current() -> Runtime:
    """Return the runtime of this process, built from its settings on first use."""
    # a cell and the card channel may ask at the same moment
    with _ONE_BUILDER:
        return _built()


@lru_cache(maxsize=1)
def _built() -> Runtime:
    return build(load_settings().values)


def now() -> str:
    """Return the present moment in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
