"""What JavaScript finds around it, in the words of each engine: advice for one makes no sense in the other."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.model.guidance import CodeExample, ErrorType


@dataclass(frozen=True)
class JavaScriptHost:
    """One engine: what it is, how it reads files, and what to do about a value that cannot be taken apart.

    `reads` and `opens` are expressions with `{path}` for a quoted path.
    """

    what_it_is: str
    reads: str
    opens: str
    taken_apart: ErrorType
    arrays: str
    apart: CodeExample
    nothing_there: str
    nothing: CodeExample


QUICKJS = JavaScriptHost(
    what_it_is="This runtime is neither a browser nor Node: it has `console`, and `std` and `os` for files.",
    reads="std.loadFile({path})",
    opens="std.open({path}, 'r')",
    taken_apart=ErrorType.QUICKJS_TUPLE_DESTRUCTURING,
    arrays="functions of `std` and `os` return arrays such as `[result, errorCode]`, or one plain value.",
    apart=CodeExample(
        before="const [text, error] = std.loadFile('data.txt');  // a string or null: one value",
        after="const text = std.loadFile('data.txt');\nconst [names, error] = os.readdir('.');  // an array of two",
        explanation="Square brackets for functions that return an array, a plain name for one value.",
    ),
    nothing_there="`std.open` and `std.loadFile` give null when there is no such file: check the result first.",
    nothing=CodeExample(
        before="const text = std.open('a.txt', 'r').readAsString();",
        after="const file = std.open('a.txt', 'r');\n"
        "if (file === null) throw new Error('no a.txt');\n"
        "const text = file.readAsString();",
        explanation="The missing file is named instead of a property.",
    ),
)
NODE = JavaScriptHost(
    what_it_is="This is Node, not a browser: there is no page; `require('fs')` has the files.",
    reads="require('fs').readFileSync({path}, 'utf8')",
    opens="require('fs').readFileSync({path}, 'utf8')",
    taken_apart=ErrorType.NOT_ITERABLE,
    arrays="take an object apart with braces, `const { name } = f()`.",
    apart=CodeExample(
        before="const [name, price] = { name: 'tea', price: 3 };\nfor (const item of prices) {}  // an object",
        after="const { name, price } = { name: 'tea', price: 3 };\nfor (const [key, one] of Object.entries(prices)) {}",
        explanation="Braces for objects, `Object.entries` to go through one.",
    ),
    nothing_there="A search such as `find` or `match` gives undefined or null when it finds nothing: check the result, "
    "or write `value?.name`.",
    nothing=CodeExample(
        before="const price = items.find((item) => item.name === 'tea').price;",
        after="const price = items.find((item) => item.name === 'tea')?.price ?? 0;",
        explanation="Gives a missing value a default.",
    ),
)
