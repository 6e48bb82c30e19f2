"""What generated code may import: careful loading, checks with clear messages, reports and charts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jupyter_mcpgen.toolkit.charts import vega_lite_chart
    from jupyter_mcpgen.toolkit.layouts import Reading
    from jupyter_mcpgen.toolkit.pairs import (
        allow_missing,
        validate_columns_of_both,
        validate_keys,
        validate_new_columns,
        validate_sums_of_both,
    )
    from jupyter_mcpgen.toolkit.report import Report
    from jupyter_mcpgen.toolkit.tables import (
        detect_column_types,
        load_csv_data_with_types,
        read_as,
        validate_file_and_columns,
        validate_numbers,
        validate_sums,
        validate_texts,
    )
    from jupyter_mcpgen.toolkit.vendor import helpers_source

_HOMES = {
    "Reading": "layouts",
    "Report": "report",
    "allow_missing": "pairs",
    "detect_column_types": "tables",
    "helpers_source": "vendor",
    "load_csv_data_with_types": "tables",
    "read_as": "tables",
    "validate_columns_of_both": "pairs",
    "validate_file_and_columns": "tables",
    "validate_keys": "pairs",
    "validate_new_columns": "pairs",
    "validate_numbers": "tables",
    "validate_sums": "tables",
    "validate_sums_of_both": "pairs",
    "validate_texts": "tables",
    "vega_lite_chart": "charts",
}

__all__ = [
    "Reading",
    "Report",
    "allow_missing",
    "detect_column_types",
    "helpers_source",
    "load_csv_data_with_types",
    "read_as",
    "validate_columns_of_both",
    "validate_file_and_columns",
    "validate_keys",
    "validate_new_columns",
    "validate_numbers",
    "validate_sums",
    "validate_sums_of_both",
    "validate_texts",
    "vega_lite_chart",
]


def __getattr__(name: str) -> Any:
    """Import a name's module when it is first used: pandas takes most of a second."""
    if name not in _HOMES:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
