"""The rules of the static gate, one row each: what it is called, how much it weighs, what to say and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.model.validation import Finding, Severity


@dataclass(frozen=True)
class Rule:
    """One rule; `message` and `fix` name the offending code where they hold `{subject}`."""

    id: str
    message: str
    fix: str
    severity: Severity = Severity.ERROR

    def finding(self, subject: str, line: int | None, gate: str = "policy") -> Finding:
        """Return the finding that says this rule was broken by `subject`."""
        return Finding(
            gate=gate,
            rule=self.id,
            severity=self.severity,
            message=self.message.replace("{subject}", subject),
            line=line,
            fix=self.fix.replace("{subject}", subject),
        )


def words(text: str) -> frozenset[str]:
    """Return the words of a text, for tables of names that are easier to read without quotes."""
    return frozenset(text.split())


def each(names: str, rule: Rule) -> dict[str, Rule]:
    """Return a table that gives every name the same rule."""
    return dict.fromkeys(words(names), rule)


SYNTAX = Rule("syntax-error", "The code is not valid Python: {subject}.", "Correct the syntax.")
ENCODING = Rule(
    "encoding-declaration",
    "The file declares the encoding `{subject}`, so Python would run other text than the one that was read.",
    "Remove the declaration; source is UTF-8.",
)

SHELL = Rule("ipython-shell", "`{subject}` runs a shell command.", "Work on the data in Python.")
MAGIC = Rule("ipython-magic", "`{subject}` is an IPython magic that may do anything.", "Write it as plain Python.")
HELP = Rule("ipython-help", "`{subject}` asks IPython for help; it is not Python.", "Remove the line.")
GET_IPYTHON = Rule(
    "get-ipython", "`{subject}` reaches the notebook's shell, which runs any command.", "Work on the data in Python."
)

IMPORT = Rule(
    "import-not-allowed",
    "`{subject}` is not a module that generated code may import.",
    "Use pandas, numpy, scipy or the safe part of the standard library.",
)
RELATIVE_IMPORT = Rule(
    "relative-import", "`{subject}` imports relative to a package.", "Import from `helpers` by its name."
)
STAR_IMPORT = Rule("star-import", "`{subject}` imports names nobody can see.", "Name what is imported.")
IMPORT_IN_CLASS = Rule(
    "import-in-class", "`{subject}` hides a module inside a class.", "Import at the top of the module."
)
MEMBER = Rule(
    "member-not-allowed",
    "`{subject}` is not one of the names that generated code may use from an allowed module.",
    "Use the module's public functions on data.",
)
MODULE_AS_VALUE = Rule(
    "module-as-value",
    "`{subject}` is handed on as a value, so what happens to it cannot be read from the code.",
    "Call its functions where they are needed.",
)
MODULE_CHANGED = Rule(
    "module-changed", "`{subject}` changes a library for everyone.", "Change the data, not the library."
)

BUILTIN = Rule(
    "builtin-not-allowed",
    "`{subject}` can run code, read files or reach any object.",
    "Name the column, attribute or function directly; if `{subject}` is your own name, choose another.",
)
PRINT = Rule(
    "print-to-protocol",
    "`print` writes to the stream that carries the protocol.",
    "Put the text into the report.",
    Severity.WARNING,
)
DUNDER_NAME = Rule("dunder-name", "`{subject}` is part of Python's machinery.", "Leave it out.")
DUNDER = Rule("dunder-attribute", "`{subject}` leads from data to Python's machinery.", "Use the public method.")
DUNDER_METHOD = Rule(
    "dunder-method", "A class here defines `{subject}`, which Python calls behind the reader's back.", "Use a function."
)
PRIVATE = Rule("private-attribute", "`{subject}` is private to its library.", "Use the public method.")
FRAME = Rule("frame-attribute", "`{subject}` leads to running frames and their variables.", "Leave it out.")
EXCEPTION_OBJECT = Rule(
    "exception-object", "`{subject}` gives back the object behind an exception.", "Use the exception's message."
)

PICKLE = Rule(
    "pickle", "`{subject}` may run code that is hidden in data.", "Use CSV, Parquet, Feather or JSON without pickling."
)
FILE_WRITE = Rule(
    "file-write",
    "`{subject}` writes a file, and this tool has no `cap:files.write`.",
    "Return the table in the report, or ask for `cap:files.write`.",
)
FIGURE_STAYS_OPEN = Rule(
    "figure-stays-open",
    "`{subject}` saves or shows a figure itself.",
    "Leave the figure open: it is saved as a PNG beside the result.",
)
WRITE_OUTSIDE = Rule(
    "write-outside-grant",
    "`{subject}` is outside the folder that `cap:files.write` grants.",
    "Use a plain relative path.",
)
FILE_ACCESS = Rule(
    "file-access",
    "`{subject}` opens files on its own.",
    "Load the table with `load_csv_data_with_types(file_path)`; `PurePath` takes paths apart.",
)
FIXED_FILE = Rule(
    "fixed-file", "`{subject}` is one file of one machine.", "Take the path of the table as a parameter of the tool."
)
NETWORK = Rule("network", "`{subject}` reaches for the network, which is never granted.", "Use a local file.")
DATABASE = Rule("database", "`{subject}` talks to a database or another program.", "Load the table from a file.")
PROCESS = Rule("process", "`{subject}` starts or controls another program.", "Work on the data in Python.")
SHELL_TRUE = Rule("shell-true", "`{subject}` hands text to a shell.", "Leave it out.")
PLOT_BACKEND = Rule(
    "import-by-name", "`{subject}` imports a module by a name in a string.", "Return a Vega-Lite chart in the report."
)
FRAMEWORK = Rule("framework-call", "`{subject}` decides how the server listens.", "Call `mcp.run()`.")

CODE_NOT_CONSTANT = Rule(
    "code-string-not-constant",
    "`{subject}` evaluates text as code, and the text is not a constant.",
    'Use a boolean mask such as `df[df["a"] > limit]`.',
)
CODE_STRING = Rule(
    "code-string",
    "The text {subject} does more than compare and calculate with columns.",
    "Use columns, constants, operators and mathematical functions only, or a boolean mask.",
)
CODE_OPTION = Rule(
    "code-string-option", "The option `{subject}` changes what the text may reach.", "Leave the option out."
)
CODE_INDIRECT = Rule(
    "code-string-indirect",
    "`{subject}` is passed on instead of called, so the text it evaluates cannot be read.",
    'Call it directly with a constant; a column of this name is `df["..."]`.',
)
METHOD_BY_NAME = Rule(
    "method-by-name",
    "{subject} calls a method that does more than aggregate, by its name.",
    "Call the method directly.",
)
ATTRIBUTE_BY_NAME = Rule(
    "attribute-by-name",
    "`{subject}` reads attributes that are named by text.",
    "Name each attribute directly; `wraps(function)` takes no more than the function.",
)
CLASS_BY_TEXT = Rule(
    "class-by-text", "`{subject}` makes a class whose members are named by text.", "Write the class with its members."
)
FORMAT_FIELD = Rule("format-field", "The format {subject} reads an attribute of an object.", "Use an f-string.")
FORMAT_NOT_CONSTANT = Rule(
    "format-not-constant",
    "`{subject}` formats with text that is not a constant, and a format can read attributes.",
    "Use an f-string.",
)
TOO_DEEP = Rule("too-deep", "The code is nested too deeply to be read: {subject}.", "Split the expression.")
