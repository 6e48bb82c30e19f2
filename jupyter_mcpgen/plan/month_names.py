"""Names of months in German, as the English ones that both engines read; put in their places one after the other."""

_NAMES = (
    ("Januar", "January"),
    ("Jänner", "January"),
    ("Februar", "February"),
    ("März", "March"),
    ("Mai", "May"),
    ("Juni", "June"),
    ("Juli", "July"),
    ("Oktober", "October"),
    ("Dezember", "December"),
)
_SHORT = (
    ("Jän", "Jan"),
    ("März", "Mar"),
    ("Mär", "Mar"),
    ("Mrz", "Mar"),
    ("Mai", "May"),
    ("Juni", "Jun"),
    ("Juli", "Jul"),
    ("Sept", "Sep"),
    ("Okt", "Oct"),
    ("Dez", "Dec"),
    *((f"{name}.", name) for name in ("Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")),
)
GERMAN_MONTHS = {"%B": dict(_NAMES), "%b": dict(_SHORT)}
"""The names by the part of a date's format that they stand for."""
