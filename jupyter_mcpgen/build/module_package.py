"""A person's module as a distribution: a wheel and a source archive, the same bytes for the same files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
        fields = [
            ("Metadata-Version", "2.1"),
            ("Name", self.module.name),
            ("Version", self.module.version),
            *([("Summary", self.module.summary)] if self.module.summary else []),
            ("Requires-Python", self.module.python),
            *(("Requires-Dist", text) for text in self.module.requirements),
        ]
        return "".join(f"{name}: {value}\n" for name, value in fields).encode()

    def _project(self) -> str:
        return filled("module_pyproject.toml.jinja", module=self.module)
