"""Several tools as one distribution: a wheel and a source archive with an MCP server that serves them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.build.archives import source_archive, wheel
from jupyter_mcpgen.build.subjects import Approved
from jupyter_mcpgen.build.templating import filled
from jupyter_mcpgen.build.tool_package import PYTHON, ToolPackage


@dataclass(frozen=True)
class ServerPackage:
    """The tools of a bundle, each in the package that it has alone, and a server beside them."""

    name: str
    version: str
    tools: tuple[Approved, ...]

    @property
    def module(self) -> str:
        """What is imported."""
        return f"mcp_server_{self.name}"

    @property
    def distribution(self) -> str:
        """What is installed, and the command."""
        return canonicalize_name(self.module.rstrip("_"))

    @property
    def stem(self) -> str:
        """The beginning of the names of the files."""
        return f"{self.distribution.replace('-', '_')}-{self.version}"

    @cached_property
    def packages(self) -> tuple[ToolPackage, ...]:
        """The packages of the tools, by name."""
        return tuple(ToolPackage(each.tool, each.package) for each in sorted(self.tools, key=lambda one: one.tool.name))

    @cached_property
    def modules(self) -> Mapping[str, bytes]:
        """The files that are installed, by their path."""
        about = {"name": self.name, "version": self.version, "packages": self.packages}
        own = {
            f"{self.module}/__init__.py": filled("bundle_init.py.jinja", **about),
            f"{self.module}/server.py": formatted(filled("bundle_server.py.jinja", **about)),
        }
        files = {name: text.encode() for name, text in own.items()}
        for package in self.packages:
            files |= package.modules
        return files

    def artifacts(self) -> Mapping[str, bytes]:
        """Return the wheel and the source archive by file name."""
        sources = {
            **{f"src/{name}": content for name, content in self.modules.items()},
            "PKG-INFO": self._metadata,
            "README.md": self._readme.encode(),
            "pyproject.toml": self._project.encode(),
        }
        return {
            f"{self.stem}-py3-none-any.whl": wheel(self.stem, self.modules, self._metadata, self._scripts),
            f"{self.stem}.tar.gz": source_archive(self.stem, sources),
        }

    @property
    def _scripts(self) -> Mapping[str, str]:
        return {self.distribution: f"{self.module}.server:main"}

    @property
    def _summary(self) -> str:
        return f"MCP server of {len(self.packages)} tools: {', '.join(each.tool.name for each in self.packages)}"

    @cached_property
    def _requirements(self) -> tuple[str, ...]:
        """What any of the tools needs; where two name the same with other bounds, both bounds hold."""
        named: dict[str, Requirement] = {}
        for text in (text for package in self.packages for text in package.requirements):
            one = Requirement(text)
            known = named.setdefault(canonicalize_name(one.name), one)
            known.specifier &= one.specifier
        return tuple(sorted(map(str, named.values())))

    @property
    def _readme(self) -> str:
        return filled(
            "bundle_README.md.jinja",
            command=self.distribution,
            wheel=f"{self.stem}-py3-none-any.whl",
            packages=self.packages,
        )

    @property
    def _project(self) -> str:
        return filled(
            "bundle_pyproject.toml.jinja",
            distribution=self.distribution,
            version=self.version,
            summary=self._summary,
            python=PYTHON,
            requirements=self._requirements,
            scripts=self._scripts,
        )

    @property
    def _metadata(self) -> bytes:
        fields = [
            ("Metadata-Version", "2.1"),
            ("Name", self.distribution),
            ("Version", self.version),
            ("Summary", self._summary),
            ("Requires-Python", PYTHON),
            *(("Requires-Dist", text) for text in self._requirements),
            ("Description-Content-Type", "text/markdown"),
        ]
        head = "".join(f"{name}: {value}\n" for name, value in fields)
        return f"{head}\n{self._readme}".encode()
