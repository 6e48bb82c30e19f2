"""Tables to try things on: a generated crash table with totals that are known, and two small real ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types

CRASH_ROWS = 209_306
_SEED = 2026
_FIRST_DAY = np.datetime64("2016-01-01", "us")
_DAYS = 3_288  # to the end of 2024


class DeviceTotals(NamedTuple):
    """What is planted for one traffic control device: its rows, and people hurt by how badly."""

    rows: int
    total: int
    fatal: int
    incapacitating: int
    non_incapacitating: int


class WeatherTotals(NamedTuple):
    """What is planted for one kind of weather: its rows, crashes with a death, and deaths."""

    rows: int
    fatal_crashes: int
    deaths: int


WEATHER: Mapping[str, WeatherTotals] = MappingProxyType(
    {
        "CLEAR": WeatherTotals(164_700, 290, 322),
        "RAIN": WeatherTotals(21_800, 36, 40),
        "CLOUDY/OVERCAST": WeatherTotals(7_500, 13, 14),
        "SNOW": WeatherTotals(6_900, 3, 3),
        "UNKNOWN": WeatherTotals(6_500, 6, 7),
        "OTHER": WeatherTotals(600, 0, 0),
        "FREEZING RAIN/DRIZZLE": WeatherTotals(500, 1, 1),
        "FOG/SMOKE/HAZE": WeatherTotals(350, 1, 1),
        "SLEET/HAIL": WeatherTotals(300, 0, 0),
        "BLOWING SNOW": WeatherTotals(125, 0, 0),
        "SEVERE CROSS WIND GATE": WeatherTotals(30, 1, 1),
    }
)
"""One row more has no weather and nobody hurt in it."""

DEVICES: Mapping[str, DeviceTotals] = MappingProxyType(
    {
        "TRAFFIC SIGNAL": DeviceTotals(124_000, 48_394, 247, 4_898, 27_950),
        "STOP SIGN/FLASHER": DeviceTotals(49_150, 19_898, 58, 1_768, 11_562),
        "NO CONTROLS": DeviceTotals(29_527, 9_687, 73, 1_046, 5_574),
        "UNKNOWN": DeviceTotals(4_450, 1_086, 4, 120, 655),
        "OTHER": DeviceTotals(670, 300, 3, 42, 160),
        "YIELD": DeviceTotals(470, 190, 1, 26, 104),
        "OTHER REG. SIGN": DeviceTotals(300, 130, 1, 18, 72),
        "LANE USE MARKING": DeviceTotals(180, 90, 1, 12, 50),
        "PEDESTRIAN CROSSING SIGN": DeviceTotals(130, 90, 1, 14, 52),
        "FLASHING CONTROL SIGNAL": DeviceTotals(90, 45, 0, 6, 25),
        "OTHER WARNING SIGN": DeviceTotals(80, 38, 0, 5, 21),
        "POLICE/FLAGMAN": DeviceTotals(70, 32, 0, 4, 18),
        "SCHOOL ZONE": DeviceTotals(66, 62, 0, 9, 33),
        "DELINEATORS": DeviceTotals(40, 19, 0, 2, 10),
        "RAILROAD CROSSING GATE": DeviceTotals(30, 16, 0, 2, 8),
        "OTHER RAILROAD CROSSING": DeviceTotals(20, 11, 0, 1, 5),
        "BICYCLE CROSSING SIGN": DeviceTotals(14, 8, 0, 1, 4),
        "RR CROSSING SIGN": DeviceTotals(12, 6, 0, 1, 3),
        "NO PASSING": DeviceTotals(7, 3, 0, 0, 1),
    }
)

_OTHERS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "lighting_condition": {
            "DAYLIGHT": 0.64, "DARKNESS, LIGHTED ROAD": 0.26, "DARKNESS": 0.04, "DUSK": 0.03, "DAWN": 0.02,
            "UNKNOWN": 0.01,
        },
        "first_crash_type": {
            "TURNING": 0.31, "ANGLE": 0.25, "REAR END": 0.2, "SIDESWIPE SAME DIRECTION": 0.1, "PEDESTRIAN": 0.05,
            "PEDALCYCLIST": 0.03, "HEAD ON": 0.02, "FIXED OBJECT": 0.02, "PARKED MOTOR VEHICLE": 0.02,
        },
        "trafficway_type": {
            "NOT DIVIDED": 0.36, "FOUR WAY": 0.25, "DIVIDED - W/MEDIAN (NOT RAISED)": 0.16, "ONE-WAY": 0.11,
            "T-INTERSECTION": 0.07, "DIVIDED - W/MEDIAN BARRIER": 0.05,
        },
        "alignment": {"STRAIGHT AND LEVEL": 0.98, "STRAIGHT ON GRADE": 0.011, "CURVE, LEVEL": 0.009},
        "road_defect": {"NO DEFECTS": 0.82, "UNKNOWN": 0.16, "WORN SURFACE": 0.01, "RUT, HOLES": 0.01},
        "intersection_related_i": {"Y": 0.95, "N": 0.05},
        "damage": {"OVER $1,500": 0.7, "$501 - $1,500": 0.2, "$500 OR LESS": 0.1},
        "prim_contributory_cause": {
            "UNABLE TO DETERMINE": 0.28, "FAILING TO YIELD RIGHT-OF-WAY": 0.23, "FOLLOWING TOO CLOSELY": 0.11,
            "DISREGARDING TRAFFIC SIGNALS": 0.09, "IMPROPER TURNING/NO SIGNAL": 0.09, "NOT APPLICABLE": 0.08,
            "FAILING TO REDUCE SPEED TO AVOID CRASH": 0.07, "WEATHER": 0.05,
        },
    }
)  # fmt: skip

_COLUMNS = (
    *("crash_date", "traffic_control_device", "weather_condition", "lighting_condition", "first_crash_type"),
    *("trafficway_type", "alignment", "roadway_surface_cond", "road_defect", "crash_type", "intersection_related_i"),
    *("damage", "prim_contributory_cause", "num_units", "most_severe_injury", "injuries_total", "injuries_fatal"),
    *("injuries_incapacitating", "injuries_non_incapacitating", "injuries_reported_not_evident"),
    *("injuries_no_indication", "crash_hour", "crash_day_of_week", "crash_month"),
)
_SEVERITIES = (
    *("FATAL", "INCAPACITATING INJURY", "NONINCAPACITATING INJURY", "REPORTED, NOT EVIDENT"),
    "NO INDICATION OF INJURY",
)
_WET = MappingProxyType({"RAIN": "WET", "FREEZING RAIN/DRIZZLE": "ICE", "SLEET/HAIL": "ICE", "SNOW": "SNOW OR SLUSH"})


def crashes() -> pd.DataFrame:
    """Generate a SYNTHETIC table of traffic crashes: no real crash and no real person is in it.

    It has the 24 columns and 209,306 rows of a published crash file and these planted totals: 389 deaths in 351
    crashes, by weather as in `WEATHER`; people hurt by traffic control device as in `DEVICES`; one row without
    weather. Everything else is drawn at random from made-up shares. Each call returns the same table.
    """
    rng = np.random.default_rng(_SEED)
    weather, device, deaths = _places(rng)
    hurt = _hurt(device, deaths, rng)
    columns: dict[str, Any] = {
        "weather_condition": _text(tuple(WEATHER), weather),
        "traffic_control_device": _text(tuple(DEVICES), device),
        **{name: _text(tuple(shares), _drawn(shares, rng)) for name, shares in _OTHERS.items()},
        "roadway_surface_cond": _surface(weather),
        **_times(rng),
        **_people(hurt, rng),
    }
    return _shuffled(pd.DataFrame(columns)[list(_COLUMNS)], rng)


def seattle_weather() -> pd.DataFrame:
    """Return four years of daily weather in Seattle (NOAA, as published with vega-datasets)."""
    return _published("seattle_weather")


def cars() -> pd.DataFrame:
    """Return 406 car models of 1970 to 1982 (UCI, as published with vega-datasets)."""
    return _published("cars")


def _published(name: str) -> pd.DataFrame:
    try:
        from vega_datasets import local_data  # deferred: an optional dependency
    except ImportError as error:
        raise DataError("Demo tables need `vega-datasets`. Install it: `pip install jupyter-mcpgen[demo]`.") from error
    return load_csv_data_with_types(getattr(local_data, name).filepath)


# ── the planted part ─────────────────────────────────────────────────────────


def _places(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give every row its weather (-1: none), device and deaths; the 351 fatal crashes come first, no weather last."""
    fatal = _fatal_crashes(rng)
    weather_left = np.array([totals.rows for totals in WEATHER.values()])
    device_left = np.array([totals.rows for totals in DEVICES.values()])
    np.subtract.at(weather_left, fatal[:, 0], 1)
    np.subtract.at(device_left, fatal[:, 1], 1)
    weather = np.append(rng.permutation(np.repeat(np.arange(len(WEATHER)), weather_left)), -1)
    device = rng.permutation(np.repeat(np.arange(len(DEVICES)), device_left))
    deaths = np.zeros(CRASH_ROWS, dtype=np.int64)
    deaths[: len(fatal)] = fatal[:, 2]
    return np.concatenate([fatal[:, 0], weather]), np.concatenate([fatal[:, 1], device]), deaths


def _fatal_crashes(rng: np.random.Generator) -> np.ndarray:
    """Return one row of weather, device and deaths per fatal crash, exact in both directions."""
    crashed = [
        (place, deaths)
        for place, totals in enumerate(WEATHER.values())
        for deaths in _spread(totals.deaths, totals.fatal_crashes)
    ]
    # Many deaths first: the single ones at the end fill every device exactly.
    order = sorted(rng.permutation(len(crashed)), key=lambda i: -crashed[i][1])
    left = np.array([totals.fatal for totals in DEVICES.values()])
    rows = []
    for place, deaths in (crashed[i] for i in order):
        chosen = int(np.argmax(left))
        left[chosen] -= deaths
        rows.append((place, chosen, deaths))
    return np.array(rows)


def _spread(deaths: int, fatal_crashes: int) -> list[int]:
    """Split deaths over crashes: one each, some two, and three in two crashes where there are many."""
    extra = deaths - fatal_crashes
    threes = 2 if extra >= 10 else 0
    twos = extra - 2 * threes
    return [3] * threes + [2] * twos + [1] * (fatal_crashes - threes - twos)


def _hurt(device: np.ndarray, deaths: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Spread each device's injured people over its rows; the row without weather stays without any."""
    hurt = {
        "injuries_fatal": deaths,
        "injuries_incapacitating": np.zeros(CRASH_ROWS, dtype=np.int64),
        "injuries_non_incapacitating": np.zeros(CRASH_ROWS, dtype=np.int64),
        "injuries_reported_not_evident": np.zeros(CRASH_ROWS, dtype=np.int64),
    }
    for place, totals in enumerate(DEVICES.values()):
        rows = np.flatnonzero(device[:-1] == place)
        some = rows[rng.random(len(rows)) < 0.5] if len(rows) > 1_000 else rows
        evident = totals.fatal + totals.incapacitating + totals.non_incapacitating
        for name, people in (
            ("injuries_incapacitating", totals.incapacitating),
            ("injuries_non_incapacitating", totals.non_incapacitating),
            ("injuries_reported_not_evident", totals.total - evident),
        ):
            hurt[name] += np.bincount(rng.choice(some, size=people), minlength=CRASH_ROWS)
    return hurt


# ── the rest ─────────────────────────────────────────────────────────────────


def _people(hurt: Mapping[str, np.ndarray], rng: np.random.Generator) -> dict[str, Any]:
    total = sum(hurt.values(), start=np.zeros(CRASH_ROWS, dtype=np.int64))
    severity = np.select([people > 0 for people in hurt.values()], np.arange(len(hurt)), default=len(hurt))
    units = 2 + rng.poisson(0.06, CRASH_ROWS) - (rng.random(CRASH_ROWS) < 0.05)
    towed = (total > 0) | (rng.random(CRASH_ROWS) < 0.2)
    kinds = ("INJURY AND / OR TOW DUE TO CRASH", "NO INJURY / DRIVE AWAY")
    return {
        "num_units": units,
        **hurt,
        "injuries_total": total,
        "injuries_no_indication": np.maximum(units + rng.poisson(0.5, CRASH_ROWS) - total, 0),
        "most_severe_injury": _text(_SEVERITIES, severity),
        "crash_type": _text(kinds, np.where(towed, 0, 1)),
    }


def _times(rng: np.random.Generator) -> dict[str, Any]:
    days = rng.integers(0, _DAYS, CRASH_ROWS)
    by_hour = 1 + np.array([1, 1, 1, 1, 1, 2, 4, 7, 8, 6, 6, 7, 8, 8, 9, 11, 12, 12, 10, 8, 6, 5, 4, 2])
    hours = rng.choice(24, CRASH_ROWS, p=by_hour / by_hour.sum())
    minutes = rng.integers(0, 60, CRASH_ROWS)
    date = pd.Series(_FIRST_DAY + days * np.timedelta64(1, "D") + (hours * 60 + minutes) * np.timedelta64(1, "m"))
    return {
        "crash_date": date,
        "crash_hour": hours,
        "crash_day_of_week": ((date.dt.day_of_week + 1) % 7 + 1).astype(
            "int64"
        ),  # 1 is Sunday, as in the published file
        "crash_month": date.dt.month.astype("int64"),
    }


def _surface(weather: np.ndarray) -> pd.Series:
    return _text((*(_WET.get(name, "DRY") for name in WEATHER), "DRY"), np.where(weather < 0, len(WEATHER), weather))


def _drawn(shares: Mapping[str, float], rng: np.random.Generator) -> np.ndarray:
    return rng.choice(len(shares), CRASH_ROWS, p=np.array(list(shares.values())))


def _text(words: tuple[str, ...], places: np.ndarray) -> pd.Series:
    """Return the word at each place; a place of -1 is missing."""
    taken = pa.array(words).take(pa.array(places, mask=places < 0))
    return pd.Series(taken.to_pandas(), dtype="str")


def _shuffled(frame: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    return frame.take(rng.permutation(len(frame))).reset_index(drop=True)
