"""A tool as the context of a container image: its wheel and a Dockerfile, for `docker build - < FILE`."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.build.archives import source_archive
from jupyter_mcpgen.build.templating import filled
from jupyter_mcpgen.build.tool_package import ToolPackage

BASE = "python:3.12-slim"


def container_context(package: ToolPackage) -> Mapping[str, bytes]:
    """Return the archive that an engine builds the image of a tool's MCP server from, by its file name."""
    wheel = package.artifacts()[package.wheel_name]
    dockerfile = filled(
        "Dockerfile.jinja", base=BASE, wheel=package.wheel_name, command=f"{package.distribution}-server"
    )
    return {
        f"{package.stem}-docker.tar.gz": source_archive(
            "", {"Dockerfile": dockerfile.encode(), package.wheel_name: wheel}
        )
    }
