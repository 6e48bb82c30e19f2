"""A tool as a distribution of its own: a wheel and a source archive with command, MCP server, helpers and tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.build.archives import source_archive, wheel
from jupyter_mcpgen.build.command_line import command_line
from jupyter_mcpgen.build.packaged import in_package, moved_tests
from jupyter_mcpgen.build.single_file import vendored_parts
from jupyter_mcpgen.build.templating import BODY, filled, one_line
from jupyter_mcpgen.errors import NotStandalone
from jupyter_mcpgen.model.package import TESTS, Package
from jupyter_mcpgen.model.spec import STATUS, ToolSpec
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.toolkit.vendor import helpers_source

PYTHON = ">=3.11"
_OWN = ("fastmcp>=4.1.2,<5", "jsonschema>=4.20", "pandas>=3", "pyarrow>=20")
"""What the server and the command need, with the versions that they were written for."""


@dataclass(frozen=True)
class ToolPackage:
    """One version of a tool as a distribution; names begin so that they shadow no other module or command."""

    tool: PromotedTool
    package: Package

    @property
    def module(self) -> str:
        """What is imported."""
        return f"mcp_tool_{self.tool.name}"

    @property
    def distribution(self) -> str:
        """What is installed, and the command."""
        return canonicalize_name(self.module.rstrip("_"))

    @property
    def stem(self) -> str:
        """The beginning of the names of the files."""
        return f"{self.distribution.replace('-', '_')}-{self.tool.version}"

    @property
    def wheel_name(self) -> str:
        """The file name of the wheel."""
        return f"{self.stem}-py3-none-any.whl"

    @property
    def has_tests(self) -> bool:
        """Whether tests were approved with the tool."""
        return TESTS in self.package.files

    def artifacts(self) -> Mapping[str, bytes]:
        """Return the wheel and the source archive by file name."""
        sources = {
            **{f"src/{name}": content for name, content in self.modules.items()},
            "PKG-INFO": self.metadata,
            "README.md": self.readme.encode(),
            "pyproject.toml": self.project.encode(),
        }
        return {
            self.wheel_name: wheel(self.stem, self.modules, self.metadata, self.scripts),
            f"{self.stem}.tar.gz": source_archive(self.stem, sources),
        }

    @cached_property
    def modules(self) -> Mapping[str, bytes]:
        """The files that are installed, by their path."""
        files = self.package.files
        about = {"name": self.tool.name, "package": self.module}
        texts = {
            "__init__.py": filled("init.py.jinja", spec=self.tool.spec, version=self.tool.version, **about),
            "tool.py": in_package(files["tool.py"], self.module),
            "answers.py": self._answers(),
            "command.py": self._command(),
            "server.py": formatted(filled("server.py.jinja", **about)),
            "served.json": self._served(),
        }
        if "helpers.py" in files:
            texts["helpers.py"] = in_package(files["helpers.py"], self.module)
        if self.has_tests:
            texts["tests/__init__.py"] = f'"""Tests of `{self.tool.name}`."""\n'
            texts["tests/test_tool.py"] = formatted(moved_tests(files[TESTS], self.module))
        return {f"{self.module}/{name}": text.encode() for name, text in sorted(texts.items())}

    @property
    def scripts(self) -> Mapping[str, str]:
        """The console scripts with what they call."""
        return {
            self.distribution: f"{self.module}.command:call_from_command_line",
            f"{self.distribution}-server": f"{self.module}.server:main",
        }

    @cached_property
    def requirements(self) -> tuple[str, ...]:
        """What is installed with it: what was approved, and what the server and the command need."""
        approved = (self._requirement(text) for text in self.tool.dependencies)
        own = {canonicalize_name(Requirement(text).name): text for text in _OWN}
        rest = {canonicalize_name(each.name): str(each) for each in approved}
        return tuple(sorted({**rest, **own}.values()))

    @cached_property
    def readme(self) -> str:
        """The page that describes it."""
        return filled(
            "README.md.jinja",
            spec=self.tool.spec,
            name=self.tool.name,
            package=self.module,
            command=self.distribution,
            wheel=self.wheel_name,
            version=self.tool.version,
            fingerprint=self.tool.fingerprint,
            has_tests=self.has_tests,
            option=command_line(self.tool.spec).written_as.replace("_", "-"),
            capabilities=", ".join(self.tool.capabilities) or "none",
        )

    @property
    def project(self) -> str:
        """The `pyproject.toml` of the source archive."""
        return filled(
            "pyproject.toml.jinja",
            distribution=self.distribution,
            version=self.tool.version,
            summary=self.tool.spec.description,
            python=PYTHON,
            requirements=self.requirements,
            scripts=self.scripts,
            package=self.module,
        )

    @property
    def metadata(self) -> bytes:
        """The core metadata (version 2.1), the same in both files; its body is the page."""
        fields = [
            ("Metadata-Version", "2.1"),
            ("Name", self.distribution),
            ("Version", self.tool.version),
            ("Summary", one_line(self.tool.spec.description)),
            ("Requires-Python", PYTHON),
            *(("Requires-Dist", text) for text in self.requirements),
            ("Provides-Extra", "test"),
            ("Requires-Dist", 'pytest>=8; extra == "test"'),
            ("Description-Content-Type", "text/markdown"),
        ]
        head = "".join(f"{name}: {value}\n" for name, value in fields)
        return f"{head}\n{self.readme}".encode()

    def _answers(self) -> str:
        """Return how results become answers to clients; values of tables are written as our toolkit writes them."""
        (value,) = (part.text for part in vendored_parts(helpers_source(), ["json_value"]))
        promised = self.tool.spec.output_schema.get("properties", {})
        return formatted(filled("answers.py.jinja", json_value=value, says_status=STATUS in promised))

    def _command(self) -> str:
        main = filled(
            "main.py.jinja",
            name=self.tool.name,
            program=self.distribution,
            description=one_line(self.tool.spec.description),
            command=command_line(self.tool.spec),
        )
        code = main.partition(BODY)[2]
        return formatted(filled("command.py.jinja", name=self.tool.name, package=self.module, main=code))

    def _served(self) -> str:
        """Return what clients are told of the tool, as the registry's own server tells it."""
        spec, hints = self.tool.spec, self.tool.annotations
        served = {
            "name": self.tool.name,
            "description": _described(spec),
            "parameters": spec.input_schema,
            "output_schema": spec.output_schema,
            "annotations": hints.model_dump(),
        }
        return json.dumps(served, indent=2, ensure_ascii=False) + "\n"

    def _requirement(self, text: str) -> Requirement:
        try:
            return Requirement(text)
        except InvalidRequirement as error:
            raise NotStandalone(self.tool.name, f"`{one_line(text)}` is nothing that can be installed") from error


def _described(spec: ToolSpec) -> str:
    sections = {
        "WHEN TO USE": spec.when_to_use,
        "WHAT IT DOES": spec.what_it_does,
        "RETURNS": spec.returns,
        "PREREQUISITES": spec.prerequisites,
    }
    return "\n\n".join([spec.description, *(f"{title}:\n{text}" for title, text in sections.items() if text)])
