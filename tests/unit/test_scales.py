"""What quality is held against is settings: each is read, and what nothing measures says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SettingsError
from jupyter_mcpgen.runtime import build
from jupyter_mcpgen.scales import Scales
from jupyter_mcpgen.settings import WITHOUT_EFFECT, Settings, load_settings

SEED = """
validation:
  quality_thresholds:
    functional_correctness_min: 0.90
    test_pass_rate_min: 0.95
    code_bleu_min: 0.75
    pass_at_5_min: 0.90
    overall_quality_min: 0.85
  metric_weights: {functional_correctness: 0.40, test_pass_rate: 0.30, code_bleu: 0.20, pass_at_1: 0.10}
  code_bleu_weights: {ngram: 0.25, weighted_ngram: 0.25, ast: 0.25, dataflow: 0.25}
"""


def test_the_values_of_the_specification_are_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text(SEED)

    assert load_settings(tmp_path, {}).values == Settings()


def test_every_scale_that_is_set_reaches_the_gates(tmp_path: Path) -> None:
    overrides = {
        "registry.path": str(tmp_path),
        "validation.quality_thresholds.edge_min": 0.5,
        "validation.quality_tiers.excellent": 0.99,
        "validation.metric_weights.test_pass_rate": 0.7,
        "validation.code_bleu_weights.ast": 1,
        "gap.reuse_from": 0.9,
        "gap.weights.semantic": 0.2,
    }

    scales = build(load_settings(tmp_path, {}, overrides).values).services.scales

    assert (scales.thresholds.edge_min, scales.tiers.excellent) == (0.5, 0.99)
    assert (scales.weights.test_pass_rate, scales.code_bleu.ast) == (0.7, 1)
    assert (scales.gap.reuse_from, scales.gap.weights.semantic) == (0.9, 0.2)
    assert scales.weights.functional_correctness == Scales().weights.functional_correctness


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("quality_thresholds.edge_min", 95, "edge_min"),
        ("quality_thresholds.speed_min", 0.5, "speed_min"),
        ("metric_weights.test_pass_rate", -1, "test_pass_rate"),
        (
            "metric_weights",
            {"functional_correctness": 0, "test_pass_rate": 0, "code_bleu": 0, "pass_at_1": 0},
            "above 0",
        ),
        ("quality_tiers.good", 0.95, "must not rise"),
    ],
)
def test_a_scale_that_cannot_be_is_refused_by_name(tmp_path: Path, key: str, value: object, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load_settings(tmp_path, {}, {f"validation.{key}": value})


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("reuse_from", 1.5, "reuse_from"), ("extend_from", 0.9, "must not be above"), ("weights.words", 1, "words")],
)
def test_a_bound_of_reuse_that_cannot_be_is_refused_by_name(tmp_path: Path, key: str, value: object, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load_settings(tmp_path, {}, {f"gap.{key}": value})


def test_a_target_that_nothing_measures_says_so_when_it_is_set(tmp_path: Path) -> None:
    thresholds = {"validation.quality_thresholds.code_bleu_min": 0.5, "validation.quality_thresholds.edge_min": 0.5}

    loaded = load_settings(tmp_path, {}, thresholds)

    key = "validation.quality_thresholds.code_bleu_min"
    assert loaded.without_effect() == ((key, WITHOUT_EFFECT[key]),)
