"""Error guidance: from how an execution ended to what to do about it; rules only, the surest witness first.

The runtime's trap and the supervisor's outcome come before anything the program said, because a program can print what
it likes. A run that succeeded gets no guidance, whatever stands on its standard error.
"""

from __future__ import annotations

from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.rules import javascript, python
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.compiled import COMPILED, uncompiled
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.limits import crashed, from_limits
from jupyter_mcpgen.sandbox.guidance.rules.processes import too_many
from jupyter_mcpgen.sandbox.guidance.rules.stderr import LONGEST_MESSAGE, Raised, raised_in

_RULES = {"python": python.RULES, "javascript": javascript.RULES}


def guide(ending: Ending) -> ErrorGuidance | None:
    """Return guidance for an execution that failed, or nothing: for a success, and where no rule knows the failure."""
    if ending.succeeded:
        return None
    from_limit = too_many(ending.language) if ending.has_too_many_tasks else from_limits(ending)
    if from_limit is not None:
        return from_limit
    if ending.is_uncompiled and ending.language in COMPILED:
        return uncompiled(ending)
    raised = _raised(ending)
    if raised is None:
        return crashed(ending) if ending.trap else None
    rules = _RULES.get(ending.language, ())
    return next(
        (found for rule in rules if (found := rule(raised, ending)) is not None), _uncaught(raised, ending.language)
    )


def _raised(ending: Ending) -> Raised | None:
    """Return the program's exception, from the structured channel where there is one; standard error adds its place."""
    found = raised_in(ending.stderr, ending.language)
    if not ending.error_type:
        return found
    message = ending.error_message[:LONGEST_MESSAGE].encode("utf-8", "replace").decode()
    name = ending.error_type[:200].encode("utf-8", "replace").decode()
    if found is None or found.short_name != name.rpartition(".")[2]:
        return Raised(name, message)
    return Raised(found.name, message, found.files, found.line, found.source)


def _uncaught(raised: Raised, language: str) -> ErrorGuidance:
    said = f": {quoted(raised.message)}" if raised.message.strip() else ""
    return advice(
        ErrorType.UNCAUGHT_EXCEPTION,
        f"The program ended with {quoted(raised.name)}{raised.where}{said}.",
        f"The line is {quoted(raised.source)}." if raised.source else None,
        "Fix the cause, or catch the exception where the program can go on without it.",
        examples=_CAUGHT.get(language, _CAUGHT["python"]),
    )


_CAUGHT = {
    "python": example(
        "result = compute(value)",
        "try:\n    result = compute(value)\nexcept LookupError as error:\n    print('left out:', error)",
        "Catches only the expected exception and reports it.",
    ),
    "javascript": example(
        "const result = compute(value);",
        "try {\n  result = compute(value);\n} catch (error) {\n  console.log('left out:', error.message);\n}",
        "Reports what cannot be computed and goes on.",
    ),
    "java": example(
        "int number = Integer.parseInt(text);",
        "try { number = Integer.parseInt(text); }\n"
        'catch (NumberFormatException error) { System.err.println("left out: " + text); }',
        "Catches only the expected exception and reports it.",
    ),
    "go": example(
        "fmt.Println(values[at])",
        'if at < len(values) {\n\tfmt.Println(values[at])\n} else {\n\tfmt.Println("there is no value", at)\n}',
        "Checks first for what would panic.",
    ),
    "rust": example(
        "let number: i64 = text.parse().unwrap();",
        "match text.parse::<i64>() {\n    Ok(number) => total += number,\n"
        '    Err(error) => eprintln!("left out: {error}"),\n}',
        "Handles both outcomes, so that nothing panics.",
    ),
}
"""How each language goes on where something may fail."""
