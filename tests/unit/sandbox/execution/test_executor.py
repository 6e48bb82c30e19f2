"""Running code in any language: every outcome is a record with the same keys, and the record is true."""

from __future__ import annotations

import dataclasses
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import ToolchainMissing
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor, FreeMemory, free_memory
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits, compile_limits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.execution.verdict import complaint
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Language, Toolchain, available
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Ending
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests import levels

MISSING = available()
Execute = Callable[..., Execution]


def needs(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(MISSING[name] is not None, reason=str(MISSING[name]))


each_language = pytest.mark.parametrize("language", [pytest.param(name, marks=needs(name)) for name in LANGUAGES])
needs_sandbox = levels.needs(ProgramSandbox().missing())


@pytest.fixture
def executor(tmp_path: Path) -> Executor:
    return Executor(pages=Pages(tmp_path / "output"))


@pytest.fixture
def execute(executor: Executor) -> Execute:
    return executor.execute


ECHO = {
    "bash": 'read line; echo "got $line"; echo bad >&2; exit 3',
    "c": '#include <stdio.h>\nint main(void) { char b[99]; scanf("%98s", b); printf("got %s\\n", b);'
    ' fprintf(stderr, "bad\\n"); return 3; }',
    "cpp": "#include <iostream>\nint main() { std::string s; std::cin >> s;"
    ' std::cout << "got " << s << std::endl; std::cerr << "bad\\n"; return 3; }',
    "go": 'package main\nimport ("fmt"; "os")\nfunc main() { var s string; fmt.Scan(&s); fmt.Println("got", s);'
    ' fmt.Fprintln(os.Stderr, "bad"); os.Exit(3) }',
    "java": "import java.util.*;\npublic class Echo { public static void main(String[] a) {"
    ' System.out.println("got " + new Scanner(System.in).next()); System.err.println("bad"); System.exit(3); } }',
    "javascript": 'const s = require("fs").readFileSync(0, "utf8").trim(); console.log("got " + s);'
    ' console.error("bad"); process.exitCode = 3;',
    "python": 'import sys; print("got", input()); print("bad", file=sys.stderr); sys.exit(3)',
    "rust": 'fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap();'
    ' println!("got {}", s.trim()); eprintln!("bad"); std::process::exit(3); }',
}  # fmt: skip
BROKEN = {
    "c": "int main(void) { return nowhere; }",
    "cpp": "int main() { return nowhere; }",
    "go": "package main\nfunc main() { nowhere() }",
    "java": "public class A { void f() { nowhere(); } }",
    "rust": "fn main() { nowhere(); }",
}


@pytest.mark.one_in(3)
@needs_sandbox
@each_language
@pytest.mark.parametrize("level", [Level.NAMESPACES, Level.LANDLOCK])
def test_every_language_reads_its_input_and_gives_both_streams_and_its_exit_code(
    tmp_path: Path, language: str, level: Level
) -> None:
    sandbox = ProgramSandbox(layers=WITHOUT_NAMESPACES) if level is Level.LANDLOCK else ProgramSandbox()
    levels.require(None if sandbox.level is level else str(sandbox.weakened), ALL_LAYERS)

    run = Executor(sandbox=sandbox, pages=Pages(tmp_path / "output")).execute(language, ECHO[language], stdin="input\n")

    assert (run.stdout, run.stderr, run.exit_code) == ("got input\n", "bad\n", 3)
    assert (run.status, run.reason) == (Status.ERROR, Reason.RUNTIME_ERROR)
    assert run.error_message == "The program ended with exit code 3: bad"
    assert run.level is level


@needs_sandbox
@pytest.mark.parametrize("language", [pytest.param(name, marks=needs(name)) for name in BROKEN])
def test_what_cannot_be_compiled_is_told_and_never_run(execute: Execute, language: str) -> None:
    run = execute(language, BROKEN[language])

    assert (run.status, run.reason, run.stdout) == (Status.ERROR, Reason.COMPILE_ERROR, "")
    assert "nowhere" in run.stderr
    assert "nowhere" in run.error_message or "cannot find symbol" in run.error_message
    assert run.exit_code > 0


@pytest.mark.parametrize(
    ("language", "step", "stderr", "told"),
    [
        (
            "c",
            "compiler",
            "main.c: In function\nmain.c:1:9: error: first\nmain.c:2:9: error: second\n",
            "main.c:1:9: error: first",
        ),
        (
            "cpp",
            "compiler",
            "ld: undefined reference to `f'\ncollect2: error: ld returned 1\n",
            "ld: undefined reference to `f'",
        ),
        (
            "go",
            "compiler",
            "# command-line-arguments\nx/main.go:2:8: first\nx/main.go:3:1: second\n",
            "x/main.go:2:8: first",
        ),
        ("java", "compiler", "Main.java:1: error: first\ncode\n  ^\n1 error\n", "Main.java:1: error: first"),
        (
            "rust",
            "compiler",
            "error[E1]: first\n --> main.rs:1:1\nerror: aborting\n",
            "error[E1]: first --> main.rs:1:1",
        ),
        ("go", "program", "panic: broken\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: broken"),
        (
            "java",
            "program",
            'Exception in thread "main" X: broken\n\tat Main.main(Main.java:1)\n',
            'Exception in thread "main" X: broken',
        ),
        (
            "rust",
            "program",
            "thread 'main' panicked at m.rs:1:1:\nbroken\nnote: run\n",
            "thread 'main' panicked at m.rs:1:1: broken",
        ),
        ("javascript", "program", "m.js:1\n\nTypeError: broken\n    at x\n\nNode.js v20\n", "TypeError: broken"),
        ("python", "program", "Traceback\n  File\nValueError: broken\n", "ValueError: broken"),
        ("c", "program", "one\ntwo\n\n", "two"),
        ("go", "compiler", "", ""),
    ],
)
def test_the_line_that_says_what_was_wrong_is_told(language: str, step: str, stderr: str, told: str) -> None:
    assert complaint(LANGUAGES[language], stderr, step) == told


def test_a_compiler_that_takes_too_long_is_told_with_its_own_time(tmp_path: Path) -> None:
    ending = Ending(Stop.TIMED_OUT, 9, b"", b"", wall_seconds=60, cpu_seconds=1, peak_memory_bytes=0)

    run = Executor(pages=Pages(tmp_path)).judged(
        LANGUAGES["rust"], ending, compile_limits(LANGUAGES["rust"], ExecutionLimits(time_seconds=2)), "compiler"
    )

    assert run.error_message == "The compiler was stopped because its time was up: 60 seconds."


@needs_sandbox
def test_a_clamped_timeout_is_said(execute: Execute) -> None:
    run = execute("bash", "true", timeout=9999)

    assert run.notes == ("The timeout of 9999 seconds is outside 1 to 300, so 300 was used.",)


@pytest.mark.parametrize(
    ("language", "code", "words"),
    [
        ("Python", "1", "Did you mean `python`?"),
        ("cobol", "1", "Unsupported language: `cobol`"),
        ("", "1", "Unsupported language"),
        ("python", "", "no code"),
        ("python", " \n", "no code"),
        ("python", None, "no code"),
    ],
)
def test_what_cannot_begin_is_a_setup_error(execute: Execute, language: str, code: str | None, words: str) -> None:
    run = execute(language, code)

    assert (run.status, run.exit_code, run.stdout, run.stderr) == (Status.SETUP_ERROR, -1, "", "")
    assert words in (run.error_message or "")


def test_every_record_has_the_same_keys(execute: Execute) -> None:
    wanted = {"stdout", "stderr", "exit_code", "execution_time", "status", "error_message"}

    assert wanted <= dataclasses.asdict(execute("nothing", None)).keys()


@needs_sandbox
def test_a_success_has_no_error_message(execute: Execute) -> None:
    begin = time.monotonic()
    run = execute("bash", "echo fine")

    assert (run.status, run.reason, run.exit_code, run.error_message) == (Status.SUCCESS, Reason.FINISHED, 0, None)
    assert 0 < run.execution_time <= time.monotonic() - begin


def test_a_missing_tool_is_a_setup_error(tmp_path: Path) -> None:
    def nothing(language: Language, _: Cancellation) -> Toolchain:
        raise ToolchainMissing(language.name, "go", "install it")

    run = Executor(pages=Pages(tmp_path), toolchain=nothing).execute("go", "package main")

    assert (run.status, run.exit_code) == (Status.SETUP_ERROR, -1)
    assert run.error_message == "`go` cannot be run here: `go` was not found. To use it, install it."


@pytest.mark.parametrize(
    ("memory", "runs"),
    [
        (FreeMemory(63 * MEGABYTE, 0.1), False),
        (FreeMemory(64 * MEGABYTE, 0.99), True),
        (FreeMemory(None, 0.95), False),
        (FreeMemory(None, 0.94), True),
        (FreeMemory(None, None), True),
    ],
)
def test_too_little_memory_is_told_before_anything_starts(tmp_path: Path, memory: FreeMemory, runs: bool) -> None:
    refusal = Executor(pages=Pages(tmp_path), memory=lambda: memory).refusal("python", "1")

    assert (refusal is None) == (runs and ProgramSandbox().missing() is None)


def test_the_state_of_the_memory_is_known_here() -> None:
    memory = free_memory()

    assert (memory.free_bytes or 0) > 0
    assert 0 < (memory.used_share or 0) < 1


@pytest.mark.soak
@needs_sandbox
def test_a_sleeper_is_stopped_and_what_it_wrote_is_kept(execute: Execute) -> None:
    run = execute("bash", "echo before; sleep 600; echo after", timeout=4)

    assert (run.status, run.exit_code, run.stdout) == (Status.TIMEOUT, 124, "before\n")
    assert run.error_message == "The program was stopped because its time was up: 4 seconds."


@needs_sandbox
def test_processor_time_is_bounded(execute: Execute) -> None:
    run = execute("bash", "while :; do :; done", limits=ExecutionLimits(time_seconds=60, cpu_cores=0.01))

    assert (run.status, run.reason, run.exit_code) == (Status.TIMEOUT, Reason.CPU_EXCEEDED, 124)


@needs_sandbox
def test_a_signal_is_told_by_its_name(execute: Execute) -> None:
    run = execute("bash", "kill -SEGV $$")

    assert (run.status, run.exit_code, run.error_message) == (
        Status.ERROR, 139, "The program was killed by SIGSEGV.",
    )  # fmt: skip


@needs_sandbox
def test_a_flood_of_output_stops_the_program(execute: Execute) -> None:
    run = execute("bash", "yes", timeout=60)

    assert (run.status, run.reason) == (Status.ERROR, Reason.OUTPUT_EXCEEDED)
    assert "[Output truncated" in run.stdout[-500:]


@needs_sandbox
def test_long_output_is_cut_and_kept_in_a_file(execute: Execute) -> None:
    run = execute("bash", "seq 6000")

    place = Path(run.stdout.splitlines()[-1].removesuffix("]").rpartition(" ")[2])
    assert "6000 lines total" in run.stdout
    assert place.read_text(encoding="utf-8").splitlines() == [str(n) for n in range(1, 6001)]


@needs_sandbox
def test_a_repeated_trace_is_told_once(execute: Execute) -> None:
    run = execute("bash", "for n in $(seq 20); do echo again >&2; done; echo last >&2; exit 1")

    assert run.stderr == "again\n  [previous line repeated 19 more times]\nlast\n"


@needs_sandbox
def test_an_exit_code_from_memory_is_told_as_memory(execute: Execute) -> None:
    run = execute("python", "x = bytearray(8 * 2**30)")

    assert (run.status, run.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)
    assert "256 MB" in (run.error_message or "")


@needs_sandbox
def test_invalid_text_in_the_output_is_replaced(execute: Execute) -> None:
    assert execute("bash", r"printf 'a\xffb'").stdout == "a�b"


@needs_sandbox
def test_the_environment_holds_nothing_of_the_hosts(execute: Execute, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_SECRET", "secret")

    run = execute("bash", "env | cut -d= -f1 | sort | tr '\\n' ' '; [ $HOME = $PWD ] && echo home")

    assert run.stdout == "HOME LANG PATH PWD SHLVL TMPDIR _ home\n"


@needs_sandbox
def test_only_the_standard_streams_are_open(execute: Execute) -> None:
    leaked = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leaked, True)
    code = "import os\nfor n in range(256):\n    try: os.fstat(n); print(n, end=' ')\n    except OSError: pass"

    try:
        assert execute("python", code).stdout == "0 1 2 "
    finally:
        os.close(leaked)


@needs_sandbox
def test_the_limits_of_the_host_are_as_before_whatever_happens(execute: Execute) -> None:
    names = (
        resource.RLIMIT_AS,
        resource.RLIMIT_CPU,
        resource.RLIMIT_FSIZE,
        resource.RLIMIT_NOFILE,
        resource.RLIMIT_NPROC,
    )
    before = [resource.getrlimit(name) for name in names]

    execute("bash", "exit 1")

    assert [resource.getrlimit(name) for name in names] == before


@needs_sandbox
def test_nothing_is_left_behind(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    executor = Executor(sandbox=ProgramSandbox(scratch_root=scratch), pages=Pages(tmp_path / "output"))
    executor.execute("bash", "true")
    descriptors, others = sorted(os.listdir("/proc/self/fd")), set(psutil.Process().children())

    for code in ("mkdir -p a/b; touch a/b/c; mkdir -m 000 d", "sleep 100 & echo left", "exit 1", "kill -KILL $$"):
        executor.execute("bash", code)

    assert list(scratch.iterdir()) == []
    assert sorted(os.listdir("/proc/self/fd")) == descriptors
    assert set(psutil.Process().children()) - others == set()


@needs_sandbox
def test_shells_and_their_tools_work_as_people_expect(execute: Execute) -> None:
    code = """
set -euo pipefail
mkdir -p a/b; echo one > a/b/x; cp a/b/x y; mv y z; ls -l z > /dev/null
f=$(mktemp); printf 'b\\na\\n' > "$f"; sort "$f" | tr '\\n' ' '
diff <(echo same) <(echo same) && echo equal
cat <<< here
(exit 0) & wait; kill -0 $$; echo $((6 * 7)); find . -name x | wc -l; grep -c one z; rm -r a
"""

    assert execute("bash", code).stdout == "a b equal\nhere\n42\n1\n1\n"


@needs_sandbox
@needs("javascript")
def test_children_and_pipes_work_in_javascript(execute: Execute) -> None:
    code = """
const { spawn, execSync } = require("child_process");
console.log(execSync("echo sync").toString().trim());
const child = spawn("cat", [], { stdio: ["pipe", "pipe", "inherit"] });
child.stdout.on("data", (data) => console.log(String(data)));
child.stdin.end("through");
"""

    assert execute("javascript", code).stdout == "sync\nthrough\n"
