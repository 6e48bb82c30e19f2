"""The reference values of `tests/cases/metrics`, made once with other programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REFERENCES: dict[str, Any] = json.loads(
    (Path(__file__).parent / "cases" / "metrics" / "references.json").read_text(encoding="utf-8")
)
PAIRS: dict[str, dict[str, Any]] = {pair["id"].partition("_")[0]: pair for pair in REFERENCES["pairs"]}
"""Pairs of a reference and a candidate, `p1` to `p6`."""
EXACT = 1e-6
