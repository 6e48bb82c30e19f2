"""Writes the golden result: the digests that a later run of the tool is compared with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.fingerprint import fingerprint_rows
from jupyter_mcpgen.data.parquet_tables import Rows, count_of, names_of
from jupyter_mcpgen.data.result_digest import result_digest
from jupyter_mcpgen.model.golden import DataMark, Golden, ResultMark
from jupyter_mcpgen.model.package import GOLDEN, Package, code_hash
from jupyter_mcpgen.model.tool import CHANGES
from jupyter_mcpgen.model.validation import ValidationReport
from jupyter_mcpgen.pipeline.draft import Computed
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.references import reference_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.index import PLAN

if TYPE_CHECKING:
    import pandas as pd

_ALWAYS = ("duckdb", "numpy", "pandas", "pyarrow")


def with_golden(computed: Computed, report: ValidationReport, services: Services) -> Computed:
    """Add the digests of the answer to the package of a tool that passed the gates.

    A tool that may give another result each time has no answer to come back to.
    """
    draft, result = computed.draft, computed.trial.result
    if result is None or not report.passed or CHANGES in draft.contract.capabilities:
        return computed
    golden = Golden(
        data=data_marks(computed.material),
        result=result_mark(result, is_ordered=reference_of(draft, services).is_ordered),
        code_sha256=code_hash(draft.package),
        plan_sha256=plan_digest(draft.package),
        libraries=libraries_of(draft.contract.dependencies),
    )
    package = Package(files={**draft.package.files, GOLDEN: golden.model_dump_json(indent=2) + "\n"})
    return replace(computed, draft=replace(draft, package=package))


def data_marks(material: Material) -> tuple[DataMark, ...]:
    """Return what the tables are told by, in the order in which a tool takes them."""
    own = data_mark(material.rows, material.before)
    return (own,) if material.other is None else (own, *data_marks(material.other))


def data_mark(rows: Rows, file_sha256: str) -> DataMark:
    """Return what a table is told by, with the digest of its file."""
    values = fingerprint_rows(rows)
    return DataMark(rows=count_of(rows), columns=names_of(rows), file_sha256=file_sha256, values_sha256=values)


def result_mark(result: pd.DataFrame, *, is_ordered: bool) -> ResultMark:
    """Return what a result is told by."""
    digest = result_digest(result, is_ordered=is_ordered)
    return ResultMark(rows=len(result), columns=tuple(map(str, result.columns)), is_ordered=is_ordered, sha256=digest)


def plan_digest(package: Package) -> str | None:
    """Return the SHA-256 of the plan that a tool was made from, in hex, or None where there was none."""
    text = package.files.get(PLAN)
    return None if text is None else hashlib.sha256(text.encode()).hexdigest()


def libraries_of(dependencies: Iterable[str]) -> dict[str, str]:
    """Return the versions of the libraries that take part in an answer, and of Python."""
    found = {"python": python_version()}
    for name in sorted({*_ALWAYS, *dependencies}):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue  # a package may be imported under another name than it is installed by
    return found
