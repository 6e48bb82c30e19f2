"""What Go's runtime does by itself, many threads and much address space, is bounded and told like anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from tests.security.languages.hostile_programs import MISSING, needs_programs

pytestmark = [
    pytest.mark.every_run(layers=["level 1"]),
    needs_programs,
    pytest.mark.skipif(MISSING["go"] is not None, reason=str(MISSING["go"])),
]

MANY_GOROUTINES = """package main
import ("fmt"; "sync")
func main() {
  var all sync.WaitGroup; var lock sync.Mutex; n := 0
  for i := 0; i < 10000; i++ {
    all.Add(1)
    go func() { defer all.Done(); lock.Lock(); n++; lock.Unlock() }()
  }
  all.Wait(); fmt.Println(n)
}
"""
MANY_THREADS = """package main
import ("fmt"; "runtime"; "time")
func main() {
  for i := 0; i < 5000; i++ { go func() { runtime.LockOSThread(); time.Sleep(time.Hour) }() }
  time.Sleep(3 * time.Second); fmt.Println("all there")
}
"""
MANY_PROCESSES = """package main
import ("fmt"; "os"; "os/exec")
func main() {
  for n := 0; n < 2000; n++ {
    if err := exec.Command(os.Args[0]).Start(); err != nil { fmt.Println("refused"); os.Exit(7) }
  }
  fmt.Println("all there")
}
"""


def test_ten_thousand_goroutines_are_an_ordinary_program(execute: Callable[..., Execution]) -> None:
    run = execute("go", MANY_GOROUTINES, timeout=60)

    assert (run.status, run.stdout) == (Status.SUCCESS, "10000\n")


@pytest.mark.parametrize("code", [MANY_THREADS, MANY_PROCESSES], ids=["threads", "processes"])
def test_threads_and_processes_without_end_are_stopped(execute: Callable[..., Execution], code: str) -> None:
    run = execute("go", code, timeout=60)

    assert run.status is Status.ERROR
    assert run.reason in (Reason.RUNTIME_ERROR, Reason.TASKS_EXCEEDED, Reason.MEMORY_EXCEEDED)
    assert "all there" not in run.stdout


@pytest.mark.one_in(3)
@pytest.mark.parametrize("wait", ["for {}", "select {}", "time.Sleep(time.Hour)"])
def test_a_program_without_an_end_is_stopped(execute: Callable[..., Execution], wait: str) -> None:
    code = f'package main\nimport "time"\nvar _ = time.Hour\nfunc main() {{ go func() {{ for {{}} }}(); {wait} }}'

    assert execute("go", code, timeout=1).reason in (Reason.TIMED_OUT, Reason.CPU_EXCEEDED)


def test_what_has_no_main_is_no_program(execute: Callable[..., Execution]) -> None:
    run = execute("go", "package lib\nfunc F() {}")

    assert (run.status, run.reason) == (Status.ERROR, Reason.COMPILE_ERROR)
    assert run.error_message == "The compiler made no program: there is no `main` to start."


def test_a_package_from_elsewhere_is_refused_without_a_network(execute: Callable[..., Execution]) -> None:
    run = execute("go", 'package main\nimport "example.org/nothing"\nfunc main() { nothing.Do() }')

    assert (run.status, run.reason) == (Status.ERROR, Reason.COMPILE_ERROR)
    assert 'cannot find package "example.org/nothing"' in (run.error_message or "")
