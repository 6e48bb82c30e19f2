"""Advice about exceptions of pandas and numpy that analysts meet: columns, types, shapes, files that do not parse."""

from __future__ import annotations

import re

from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised
from jupyter_mcpgen.sandbox.guidance.rules.words import nearest, texts_of

_IN_QUOTES = re.compile(r"'([^'\n]{1,200})'")
_SAYS_COLUMNS = re.compile(
    r"not in index|are in the \[(?:columns|index)\]|not found in axis|labels are not columns|do not exist"
)
_FIELDS = re.compile(r"Expected (\d{1,9}) fields in line (\d{1,12}), saw (\d{1,9})")
_TYPE_WORDS = re.compile(
    r"with (?:string|str|object) dtype|not supported for dtype|does not support operation"
    r"|could not convert string to float"
    r"|invalid literal for int\(\)|Unable to parse string|agg function failed|Only valid with numeric"
    r"|ufunc .{1,80} (?:did not contain a loop|not supported)|Cannot convert non-finite"
    r"|Can only use \.(?:str|cat) accessor|unsupported operand type.{1,80}'(?:str|float|int)'"
)
_DATE_WORDS = re.compile(
    r"doesn't match format|Unknown datetime string format|day is out of range|Out of bounds nanosecond|\.dt accessor"
)
_SHAPE_WORDS = re.compile(
    r"Length of values|must be of the same length|could not be broadcast|shapes? .{1,60} not aligned|Length mismatch"
)


def column_not_found(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    """Name a column that the table does not have, and the nearest that it may have."""
    missing = _missing_column(raised, ending)
    if missing is None:
        return None
    known = ending.names or texts_of(ending.code, without=missing)
    offer = nearest(missing, known)
    return advice(
        ErrorType.COLUMN_NOT_FOUND,
        f"There is no column {quoted(missing)}{raised.where}.{offer}",
        f"Columns: {', '.join(quoted(name) for name in ending.names[:12])}." if ending.names and not offer else None,
        "Print `list(df.columns)`: spelling, upper and lower case and blanks at the ends all count "
        "(`df.columns = df.columns.str.strip()` removes the blanks).",
        "After `groupby` or `set_index` a column can be in the index: `reset_index()` brings it back.",
        examples=example(
            "df['Weather Condition']",
            "print(list(df.columns))\ndf['weather_condition']",
            "The name exactly as the table has it.",
        ),
    )


def _missing_column(raised: Raised, ending: Ending) -> str | None:
    if raised.short_name == "UndefinedVariableError":
        return next(iter(_IN_QUOTES.findall(raised.message)), None)
    if raised.short_name != "KeyError":
        return None
    listed = _IN_QUOTES.findall(raised.message)
    if _SAYS_COLUMNS.search(raised.message):
        return next((name for name in listed if name not in ("columns", "index")), None)
    return listed[0] if _of_tables(raised, ending) and listed else None


def _of_tables(raised: Raised, ending: Ending) -> bool:
    """Return whether the exception came out of pandas or numpy, as far as the traceback or else the code tells."""
    if raised.files:
        return any(library in file for file in raised.files for library in ("pandas", "numpy"))
    return "pandas" in ending.code


def parse_error(raised: Raised, _: Ending) -> ErrorGuidance | None:
    """Say where a file is not the table that the code takes it for."""
    if raised.short_name not in ("ParserError", "EmptyDataError", "JSONDecodeError"):
        return None
    as_json = raised.short_name == "JSONDecodeError"
    return advice(
        ErrorType.PARSE_ERROR,
        f"The data cannot be parsed{raised.where}: {quoted(raised.message)}.",
        *(_JSON_STEPS if as_json else _table_steps(raised)),
        "Look at the beginning of the file as text before it is parsed.",
        examples=_JSON if as_json else _SEPARATED,
    )


def _table_steps(raised: Raised) -> tuple[str, ...]:
    fields = _FIELDS.search(raised.message)
    if fields is None:
        return ("The file is empty or holds no header line, or it is not the format that the function reads.",)
    return (
        f"Line {fields[2]} has {fields[3]} fields where the lines above have {fields[1]}.",
        "Another separator (`sep=';'`), quotes (`quotechar`) or title lines above it (`skiprows=`) explain that.",
    )


_JSON_STEPS = (
    "Keys and texts need double quotes, and there is no comma before a closing bracket.",
    "A file with one object per line is read by `pd.read_json(path, lines=True)`.",
)
_JSON = example(
    'json.loads("{a: 1}")', "json.loads('{\"a\": 1}')", "Double quotes around keys and texts, as JSON wants them."
)
_SEPARATED = example(
    "df = pd.read_csv('data.csv')",
    "print(open('data.csv').read(300))\ndf = pd.read_csv('data.csv', sep=';', on_bad_lines='warn')",
    "Find the separator, then name it; lines that still do not fit are reported and left out.",
)


def encoding_error(raised: Raised, _: Ending) -> ErrorGuidance | None:
    """Name the encodings that text is in when it is not UTF-8."""
    if raised.short_name != "UnicodeDecodeError":
        return None
    return advice(
        ErrorType.ENCODING_ERROR,
        f"The text is not in the encoding that was assumed{raised.where}: {quoted(raised.message)}.",
        "Name the encoding: `encoding='cp1252'` for most files of Windows programs, else `'utf-16'`.",
        "Check a name with an accent afterwards: a wrong encoding can also succeed and give wrong letters.",
        examples=example(
            "pd.read_csv('data.csv')", "pd.read_csv('data.csv', encoding='cp1252')", "The encoding asked for by name."
        ),
    )


def dtype_error(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    """Convert values of a type that an operation does not take: text for numbers or dates, gaps in integers."""
    about_dates = raised.short_name in _DATE_ERRORS or _DATE_WORDS.search(raised.message) is not None
    if raised.short_name not in (*_TYPE_ERRORS, *_DATE_ERRORS) or not _of_tables(raised, ending):
        return None
    if not about_dates and not _TYPE_WORDS.search(raised.message):
        return None
    return advice(
        ErrorType.DTYPE_ERROR,
        f"A value has another type than the operation takes{raised.where}: {quoted(raised.message)}.",
        *(_DATE_STEPS if about_dates else _conversions(raised)),
        "Print `df.dtypes`, and the values that do not fit, before they are turned into missing ones.",
        examples=_DATES if about_dates else _NUMBERS,
    )


_TYPE_ERRORS = ("TypeError", "ValueError", "AttributeError", "IntCastingNaNError", "DataError")
_DATE_ERRORS = ("DateParseError", "OutOfBoundsDatetime")
_DATE_STEPS = (
    "Convert with `pd.to_datetime(df['day'], format='%d/%m/%Y')`, with the format that the text has; "
    "`errors='coerce'` makes a missing value of what does not fit.",
    "With mixed formats use `format='mixed'` and say `dayfirst=True` where the day comes first.",
)
_DATES = example(
    "pd.to_datetime(df['day'])",
    "days = pd.to_datetime(df['day'], format='%d/%m/%Y', errors='coerce')\nprint(df.loc[days.isna(), 'day'].unique())",
    "The format of the text, and a look at what does not fit it.",
)
_NUMBERS = example(
    "df['price'].mean()",
    "prices = pd.to_numeric(df['price'], errors='coerce')\n"
    "print(df.loc[prices.isna() & df['price'].notna(), 'price'].unique())\nprices.mean()",
    "Text becomes numbers, and what could not be read is shown.",
)


def _conversions(raised: Raised) -> tuple[str, ...]:
    if "non-finite" in raised.message:
        return ("Integers have no missing values: use `astype('Int64')`, or fill or drop the gaps first.",)
    if ".str accessor" in raised.message:
        return ("`.str` is for text: the column holds something else. Convert it first with `.astype('str')`.",)
    return (
        "Convert the column with `pd.to_numeric(df['price'], errors='coerce')`; take out `$`, `%` and `,` first.",
        "Over several columns add `numeric_only=True`, or choose the columns: `df.groupby('city')['price'].mean()`.",
    )


def shape_mismatch(raised: Raised, _: Ending) -> ErrorGuidance | None:
    """Bring lengths together that do not fit each other."""
    if raised.short_name != "ValueError" or not _SHAPE_WORDS.search(raised.message):
        return None
    return advice(
        ErrorType.SHAPE_MISMATCH,
        f"Two things of different lengths were combined{raised.where}: {quoted(raised.message)}.",
        "Print the length of both. Part of a table goes back by its index: assign a Series, not a list.",
        examples=example(
            "df['rank'] = ranks_of_some_rows",
            "df['rank'] = pd.Series(ranks_of_some_rows, index=some_rows.index)",
            "By index: the other rows get a missing value.",
        ),
    )


def merge_error(raised: Raised, _: Ending) -> ErrorGuidance | None:
    """Name the keys of tables that cannot be joined as asked."""
    if raised.short_name != "MergeError" and not raised.message.startswith("You are trying to merge on"):
        return None
    return advice(
        ErrorType.MERGE_ERROR,
        f"The tables cannot be joined{raised.where}: {quoted(raised.message)}.",
        "Name the keys, `on='id'` or `left_on='id', right_on='customer_id'`, and give them one type with `astype`.",
        "Say what is expected, `validate='many_to_one'`, and count the rows before and after.",
        examples=example(
            "orders.merge(customers)",
            "customers = customers.astype({'id': 'int64'})\n"
            "orders.merge(customers, left_on='customer_id', right_on='id', validate='many_to_one')",
            "Keys by name, of one type, and each customer at most once.",
        ),
    )


def duplicate_entries(raised: Raised, _: Ending) -> ErrorGuidance | None:
    """Say how two values for one place become one."""
    if not re.search(r"duplicate entries|cannot reindex on an axis with duplicate labels", raised.message):
        return None
    return advice(
        ErrorType.DUPLICATE_ENTRIES,
        f"Several rows belong to the same cell of the new table{raised.where}: {quoted(raised.message)}.",
        "Say how they are put together with `pivot_table(..., aggfunc='sum')`.",
        "Or look at them with `df[df.duplicated([...], keep=False)]`: they may be a mistake in the data.",
        examples=example(
            "df.pivot(index='day', columns='city', values='sales')",
            "df.pivot_table(index='day', columns='city', values='sales', aggfunc='sum')",
            "Several sales of one city and day become their sum.",
        ),
    )


def ambiguous_truth(raised: Raised, _: Ending) -> ErrorGuidance | None:
    """Turn a whole column into the one yes or no that is needed."""
    if raised.short_name != "ValueError" or not raised.message.startswith("The truth value of a"):
        return None
    return advice(
        ErrorType.AMBIGUOUS_TRUTH,
        f"A whole column was used where one yes or no is needed{raised.where}.",
        "Combine conditions with `&`, `|` and `~` and brackets around each, not with `and`, `or` and `not`.",
        "To check all rows at once, use `.any()`, `.all()` or `.empty`.",
        examples=example(
            "df[df.age > 18 and df.age < 65]",
            "df[(df.age > 18) & (df.age < 65)]",
            "`&` compares row by row.",
        ),
    )
