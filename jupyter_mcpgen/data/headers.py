"""What a column's name says of its values: that they are names or numbers of things, and in which unit they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PERCENT = "%"
_NUMBER_SIGN = "#"
_TOTALS = frozenset({"total", "totals"})
_BRACKETS = re.compile(r"[(\[]([^)\]]{1,20})[)\]]\s*$")
_PER = re.compile(r"([A-Za-z]+)[ _]per[ _]([A-Za-z]+)$", re.IGNORECASE)

_ID_ENDINGS = frozenset({"id", "ids", "uuid", "guid", "pk", "rowid", "index", "zip", "zipcode", "postcode", "phone"})
_CODE_ENDINGS = frozenset({"code", "sku", "isbn", "ean", "upc", "ssn", "iban", "barcode", "fips", "gtin"})
"""Numbers that are called so are names."""
_COUNTER_ENDINGS = frozenset({"no", "nr", "num", "number"})
_SHORT_IN_GERMAN, _NUMBERS_IN_GERMAN = "nr", "nummer"
"""Numbers that are called so are names, alone or at the end of a compound: `Kundennummer`, `Auftrag-Nr`."""
_NUMBERED_THINGS = frozenset(
    {
        *("order", "invoice", "account", "customer", "client", "phone", "ticket", "serial", "tracking", "receipt"),
        *("document", "contract", "policy", "passport", "part", "item", "product", "vehicle", "license", "case"),
        *("flight", "train", "bus", "booking", "bill", "issue", "request", "shipment", "container", "batch", "lot"),
        *("reference", "article", "telephone", "mobile", "fax", "card", "member", "employee", "patient", "student"),
    }
)
"""Their numbers are names too: an order number tells an order from the others."""
_NUMBERED_PLACES = frozenset(
    {
        *("district", "ward", "precinct", "zone", "sector", "route", "gate", "terminal", "platform", "room", "branch"),
        *("store", "station", "depot", "warehouse", "plot", "block", "tract", "machine", "bay", "aisle", "cluster"),
        *("cohort", "group", "shift", "subject", "participant", "centre", "center", "ctr", "ledger", "status", "lane"),
    }
)
"""Whole numbers that repeat under these names, in the singular, tell one place or one of several from the others."""
_NUMBERED_RUNS = frozenset({"flight", "train", "voyage", "sailing"})
"""Whole numbers under these names are those of a timetable, however many of them there are."""
_NUMBERS_OF_THEIR_OWN = frozenset(
    {
        *("position", "rank", "ranking", "place", "placing", "pos", "seed", "level", "grade", "class", "tier", "order"),
        *("year", "quarter", "month", "week", "weekday", "day", "hour", "minute", "second", "time", "period", "season"),
        *(
            "age",
            "score",
            "rating",
            "price",
            "cost",
            "amount",
            "count",
            "number",
            "total",
            "quantity",
            "size",
            "weight",
        ),
        *("height", "width", "length", "depth", "distance", "speed", "temperature", "dose", "dosage", "generation"),
        *(
            "round",
            "stage",
            "step",
            "lap",
            "floor",
            "lane",
            "epoch",
            "iteration",
            "iter",
            "value",
            "frequency",
            "phase",
        ),
        *("magnitude", "decade", "century", "page", "chapter", "attempt", "set", "version", "degree", "concentration"),
    }
)
"""Numbers under these names mean something by their size also where they count the rows."""
_CALENDAR_ENDINGS = frozenset({"year", "quarter", "month", "week", "weekday", "day", "dow", "hour"})
_SEVERAL = frozenset(
    {"children", "people", "men", "women", "staff", "personnel", "crew", "cattle", "sheep", "livestock", "fish", "mice"}
)
"""Words for several that do not end in an s."""
_WHICH_PERIOD = frozenset(
    {"last", "past", "previous", "prev", "prior", "this", "current", "next", "each", "every", "a", "one", "trailing"}
)
"""Words before a period in which something was counted or measured."""
_UNITS = frozenset(
    {
        *("usd", "eur", "gbp", "chf", "jpy", "dollars", "euros", "pounds"),
        *("kg", "lbs", "lb", "grams", "liters", "litres"),
        *("km", "cm", "mm", "ft", "miles", "meters", "metres", "inches", "feet", "mph", "kmh", "mpg", "ppm", "cc"),
        *("kw", "kwh", "mw", "mwh", "gwh", "twh", "sqm", "sqft", "kb", "mb", "gb", "tb", "ms", "hz", "khz", "mhz"),
        *("km2", "m2", "m3"),
        *("mi", "sqkm", "ha", "mmhg", "ugm3", "mgdl", "mmol", "bpm", "rpm", "kpa", "hpa", "kcal", "kj", "nm"),
        *("ghz", "seconds", "minutes", "hours", "days", "weeks", "months", "years"),
    }
)
_TIMES = frozenset(
    {
        *("time", "times", "delay", "duration", "wait", "waiting", "elapsed", "runtime", "response", "interval"),
        *("handling", "processing", "reply", "resolution", "repair", "setup", "service", "cooking", "prep"),
        *("treatment", "cleaning", "idle", "picking", "packing", "loading", "unloading", "boarding", "queue"),
        *("hold", "call", "talk", "training", "meeting", "assembly", "maintenance", "outage", "playtime"),
        *("surgery", "driving", "walking", "work"),
        *("downtime", "uptime", "travel", "commute", "ride", "trip", "session", "stay", "turnaround", "latency"),
    }
)
_DEGREES = frozenset({"temp", "temperature"})
_LENGTHS = frozenset({"distance", "dist", "length", "height", "depth", "width", "altitude", "elevation", "climb"})
_MASSES = frozenset({"weight", "mass", "load", "payload", "cargo"})
_SHORT_UNITS = {
    "min": (_TIMES, "minutes"),
    "mins": (_TIMES, "minutes"),
    "sec": (_TIMES, "seconds"),
    "secs": (_TIMES, "seconds"),
    "s": (_TIMES, "seconds"),
    "h": (_TIMES, "hours"),
    "c": (_DEGREES, "°C"),
    "f": (_DEGREES, "°F"),
    "m": (_LENGTHS, "m"),
    "g": (_MASSES, "g"),
    "t": (_MASSES, "t"),
    "l": (frozenset({"volume", "fuel", "water", "milk", "consumption"}), "l"),
    "v": (frozenset({"voltage", "volt", "battery", "batt"}), "V"),
}
"""Endings that are units behind some words only: `delay_min` is in minutes, `temp_min` is a minimum."""
_OF_EACH = re.compile(
    r"(?!m/d$)(?:k?m|[mk]?g|t|m?[lL]|k?[Ww]h|k[Jj]|kcal)/(?:h|s|min|d|day|d?[lL]|m[lL]|kg|k?m|m2|m3|ha)|KM/H"
)
"""A unit of each of another, without brackets: "Wind km/h"; `Account G/L` and `Birth m/d` are in no such unit."""
_SIGNS = {"pct": "%", "percent": "%", "percentage": "%", "celsius": "°C", "fahrenheit": "°F"}


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in lower case."""
    return tuple(word.lower() for word in _WORDS.findall(name))


def is_identifier(name: str) -> bool:
    """Tell whether a column's name ends as the names of identifiers do, such as `order_id`."""
    return _ending(name) in _ID_ENDINGS


def is_code(name: str) -> bool:
    """Tell whether numbers under a column's name are names, such as `sku` or `order_no`."""
    return _ending(name) in _CODE_ENDINGS or _numbers_things(name)


def numbers_one_thing(name: str) -> bool:
    """Tell whether whole numbers that never repeat are names under a column's name, such as `loan_no`.

    Numbers of several, such as `passengers_no` or `votes_no`, are counts.
    """
    words = (*words_of(name), "no") if name.rstrip().endswith(_NUMBER_SIGN) else words_of(name)
    return len(words) > 1 and words[-1] in _COUNTER_ENDINGS and not _names_several(words[-2])


def _names_several(word: str) -> bool:
    return word.endswith("s") or word in _SEVERAL


def numbers_one_of_several(name: str) -> bool:
    """Tell whether whole numbers that repeat are names under a column's name, such as `table_no`.

    Those of what has an order, such as `round_no`, are figures too.
    """
    return numbers_one_thing(name) and not _NUMBERS_OF_THEIR_OWN & set(words_of(name)[:-1] or words_of(name))


def names_a_thing(name: str) -> bool:
    """Tell whether a column is called by one noun in the singular that is no amount, rank or time, such as `trip`."""
    words = words_of(name)
    return (
        len(words) == 1 and not words[0].endswith("s") and len(words[0]) > 2 and words[0] not in _NUMBERS_OF_THEIR_OWN
    )


def names_a_place(name: str) -> bool:
    """Tell whether whole numbers that repeat are names under a column's name, such as `district`."""
    return bool(set(words_of(name)[-1:]) & _NUMBERED_PLACES)


def numbers_runs(name: str) -> bool:
    """Tell whether whole numbers are those of a timetable under a column's name, such as `flight`."""
    return bool(set(words_of(name)) & _NUMBERED_RUNS) and len(words_of(name)) == 1


def is_calendar_part(name: str) -> bool:
    """Tell whether numbers under a name are parts of the calendar, as under `birth_year`.

    `hours_per_week`, `km_week` and `visits_last_month` are figures of such a period, and `last_year` may be one of the
    calendar.
    """
    words = words_of(name)
    if not words or words[-1] not in _CALENDAR_ENDINGS:
        return False
    if len(words) > 1 and (words[-2] == "per" or words[-2] in _UNITS):
        return False
    return not (len(words) > 2 and words[-2] in _WHICH_PERIOD)


def unit_in(name: str) -> str | None:
    """Read a unit from a header: `weight (kg)`, `price_usd`, `Miles_per_Gallon`, `Comm %`."""
    if brackets := _BRACKETS.search(name):
        return brackets[1].strip()
    if name.strip().startswith(_PERCENT) or name.strip().endswith(_PERCENT):
        return _PERCENT
    if ratio := _PER.search(name):
        return f"{ratio[1]} per {ratio[2]}".lower()
    words = list(words_of(name))
    ending, last = _ending(name), re.split(r"[_\s]", name)[-1]
    behind, unit = _SHORT_UNITS.get(ending, (frozenset(), ""))
    if len(words) > 1 and words[-2] in behind:
        return unit
    if len(words) > 1 and _OF_EACH.fullmatch(last):
        return last
    if last.lower() in _UNITS:
        return ending if ending in _UNITS else last
    return ending if ending in _UNITS else _SIGNS.get(ending)


def _numbers_things(name: str) -> bool:
    words = list(words_of(name))
    if len(words) > 1 and words[-1] in _COUNTER_ENDINGS:
        return words[-1] == _SHORT_IN_GERMAN or words[-2] in _NUMBERED_THINGS
    return bool(words) and words[-1].endswith(_NUMBERS_IN_GERMAN)


def _ending(name: str) -> str:
    words = _WORDS.findall(name)
    return words[-1].lower() if words else ""


def counted_beside_shares(names: Sequence[str]) -> frozenset[str]:
    """Return the columns called `… #` that count: each has a share beside it called `… %`, or is their total.

    A `#` numbers things as well, as in `track #`, so it counts only where a `%` of the same says so.
    """
    signed = {name.rstrip(): name for name in names if name.rstrip().endswith(_NUMBER_SIGN)}
    counted = {name for bare, name in signed.items() if f"{bare[:-1]}%" in {one.rstrip() for one in names}}
    totals = {name for name in signed.values() if counted and _TOTALS & set(words_of(name))}
    return frozenset(counted | totals)
