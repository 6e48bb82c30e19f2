"""A person's module as a distribution: a wheel and a source archive, the same bytes for the same files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from packaging.markers import Marker
from packaging.requirements import Requirement

from jupyter_mcpgen.build.archives import source_archive, wheel
from jupyter_mcpgen.build.subjects import SourceModule
from jupyter_mcpgen.build.templating import filled


@dataclass(frozen=True)
class ModulePackage:
    """The distribution of one module."""

    module: SourceModule

    @property
    def stem(self) -> str:
        """The beginning of the names of the files."""
        return f"{self.module.name.replace('-', '_')}-{self.module.version}"

    def artifacts(self) -> Mapping[str, bytes]:
        """Return the wheel and the source archive by file name."""
        module, metadata = self.module, self._metadata()
        sources = {
            **{f"src/{name}": content for name, content in module.files.items()},
            **module.tests,
            "PKG-INFO": metadata,
            "pyproject.toml": self._project().encode(),
        }
        return {
            f"{self.stem}-py3-none-any.whl": wheel(self.stem, module.files, metadata, dict(module.scripts)),
            f"{self.stem}.tar.gz": source_archive(self.stem, sources),
        }

    def _metadata(self) -> bytes:
        module = self.module
        fields = [
            ("Metadata-Version", "2.1"),
            ("Name", module.name),
            ("Version", module.version),
            *([("Summary", module.summary)] if module.summary else []),
            ("Requires-Python", module.python),
            *(("Requires-Dist", text) for text in module.requirements),
            *(("Provides-Extra", name) for name, _ in module.extras),
            *(("Requires-Dist", _only_with(name, text)) for name, texts in module.extras for text in texts),
        ]
        return "".join(f"{name}: {value}\n" for name, value in fields).encode()

    def _project(self) -> str:
        return filled("module_pyproject.toml.jinja", module=self.module)


def _only_with(extra: str, text: str) -> str:
    """Return a requirement that counts only where its extra is asked for."""
    requirement = Requirement(text)
    wanted = f'extra == "{extra}"'
    requirement.marker = Marker(wanted if requirement.marker is None else f"({requirement.marker}) and {wanted}")
    return str(requirement)
