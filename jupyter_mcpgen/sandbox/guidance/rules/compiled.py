"""Advice about compiled languages: what the compiler refused, and what a program of one ended with."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jupyter_mcpgen.model.guidance import CodeExample, ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.execution.verdict import complaint
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.stderr import read_ends
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES

_FROM_ELSEWHERE = re.compile(
    r"fatal error: .{1,200}: No such file|cannot find package|is not in std|error: package \S{1,200} does not exist"
    r"|unresolved import|can't find crate|use of (?:undeclared|unresolved) (?:crate|module)"
)
_NOT_LINKED = re.compile(r"undefined reference to|multiple definition of")
_UNUSED = re.compile(r"imported and not used|declared and not used")
_LINKED_WITH = {"c": "`-lm -pthread`", "cpp": "`-pthread`"}

_EXAMPLES: Mapping[str, tuple[CodeExample, ...]] = {
    "c": example(
        'int main(void) { printf("%d", total); }',
        '#include <stdio.h>\nint main(void) { int total = 0; printf("%d\\n", total); return 0; }',
        "Declares every name before its use, and includes the headers of the library.",
    ),
    "cpp": example(
        "int main() { vector<int> v; }",
        "#include <vector>\nint main() { std::vector<int> v; }",
        "Includes the header and names the namespace.",
    ),
    "go": example(
        'package main\nimport ("fmt"; "os")\nfunc main() { x := 1; fmt.Println("ready") }',
        'package main\nimport "fmt"\nfunc main() { x := 1; fmt.Println("ready", x) }',
        "Uses every import and every variable.",
    ),
    "java": example(
        "public class Main { void run() { total += 1; } }",
        "public class Main { int total = 0; public static void main(String[] a) { new Main().total += 1; } }",
        "Declares every name and has a `main` to start.",
    ),
    "rust": example(
        "fn main() { let x = 1; x += 1; }",
        'fn main() { let mut x = 1; x += 1; println!("{x}"); }',
        "Declares what changes with `mut`.",
    ),
}
COMPILED = frozenset(_EXAMPLES)
"""The languages that are compiled."""


def uncompiled(ending: Ending) -> ErrorGuidance:
    """Quote what the compiler said first, because the messages after it often follow from it."""
    language = LANGUAGES[ending.language]
    text = "\n".join(reversed(read_ends(ending.stderr)))
    said = complaint(language, text, "compiler")
    libraries = _LINKED_WITH.get(ending.language)
    return advice(
        ErrorType.COMPILE_ERROR,
        f"The compiler made no program, so nothing ran. It said first: {quoted(said)}."
        if said
        else "The compiler made no program, so nothing ran: there is no `main` to start.",
        "Only the language's own library is here, and nothing can be installed: do without other packages."
        if _FROM_ELSEWHERE.search(text)
        else None,
        f"The program is one file, linked with {libraries}: define in it what it calls."
        if libraries and _NOT_LINKED.search(text)
        else None,
        "In Go an import or a variable that is not used is an error: use it, or remove it."
        if _UNUSED.search(text)
        else None,
        "Fix that line and run the whole program again; later messages often follow from the first." if said else None,
        examples=_EXAMPLES[ending.language],
    )
