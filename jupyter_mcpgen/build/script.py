"""A tool as one Python file that is called from a command line and needs nothing of this product."""

from __future__ import annotations

import re

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.build.command_line import command_line
from jupyter_mcpgen.build.single_file import single_file
from jupyter_mcpgen.build.templating import BODY, filled, one_line
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.tool import PromotedTool

_OF_A_SERVER = ("fastmcp", "pydantic")


def script_of(tool: PromotedTool, package: Package) -> bytes:
    """Return the file."""
    files = package.files
    main = filled(
        "main.py.jinja",
        name=tool.name,
        program=f"{tool.name}.py",
        description=one_line(tool.spec.description),
        command=command_line(tool.spec),
    )
    code = single_file(tool.name, files["tool.py"], files.get("helpers.py", ""), main)
    text = filled(
        "script.py.jinja",
        spec=tool.spec,
        name=tool.name,
        version=tool.version,
        fingerprint=tool.fingerprint,
        packages=[each for each in tool.dependencies if re.split(r"\W", each)[0] not in _OF_A_SERVER],
        code=code,
        main=main.partition(BODY)[2],
    )
    return formatted(text).encode()
