"""Hostile programs in every language: each attack succeeds without the sandbox and is refused inside it.

A program that starts programs has more system calls than a tool, so it has its own list, run from native code.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.decoys import Decoys, planted
from jupyter_mcpgen.sandbox.execution import Executor
from jupyter_mcpgen.sandbox.execution_limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution_record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.identity import Identity
from jupyter_mcpgen.sandbox.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.output import Pages
from jupyter_mcpgen.sandbox.program_sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions import Sessions

ROOT = Path(__file__).resolve().parents[2]
NATIVE = (Path(__file__).parent / "programs" / "attacks.c").read_text(encoding="utf-8")
MISSING = available()
ROOMY = ExecutionLimits(time_seconds=60, cpu_cores=4)

pytestmark = pytest.mark.skipif(ProgramSandbox().missing() is not None, reason=str(ProgramSandbox().missing()))

ONE = ProgramSandbox(layers=ALL_LAYERS).missing()
needs_namespaces = pytest.mark.skipif(ONE is not None, reason=str(ONE))

EACH_LANGUAGE = [
    pytest.param(name, marks=pytest.mark.skipif(MISSING[name] is not None, reason=str(MISSING[name])))
    for name in LANGUAGES
]
needs_compiler = pytest.mark.skipif(MISSING["c"] is not None, reason=str(MISSING["c"]))

PLAIN = {
    "bash": """
read secret victim port pid
try() { name=$1; shift; if "$@" 2> /dev/null; then echo "$name done"; else echo "$name refused"; fi; }
reading() { < "$secret"; }
writing() { echo changed >> "$victim"; }
connecting() { exec 3<> "/dev/tcp/127.0.0.1/$port"; }
signalling() { kill -0 "$pid"; }
try read reading; try write writing; (try connect connecting); try signal signalling
""",
    "c": r"""
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
int main(void) {
  char secret[512], victim[512]; int port, pid;
  if (scanf("%511s %511s %d %d", secret, victim, &port, &pid) != 4) return 2;
  printf("read %s\n", fopen(secret, "r") ? "done" : "refused");
  FILE *v = fopen(victim, "a");
  printf("write %s\n", v && fputs("changed", v) > 0 ? "done" : "refused");
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  int s = socket(AF_INET, SOCK_STREAM, 0);
  printf("connect %s\n", s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) == 0 ? "done" : "refused");
  printf("signal %s\n", kill(pid, 0) == 0 ? "done" : "refused");
}
""",
    "cpp": r"""
#include <arpa/inet.h>
#include <csignal>
#include <fstream>
#include <iostream>
#include <sys/socket.h>
int main() {
  std::string secret, victim; int port, pid;
  std::cin >> secret >> victim >> port >> pid;
  auto say = [](const char *name, bool done) { std::cout << name << (done ? " done\n" : " refused\n"); };
  say("read", std::ifstream(secret).good());
  say("write", bool(std::ofstream(victim, std::ios::app) << "changed" << std::flush));
  sockaddr_in to{}; to.sin_family = AF_INET; to.sin_port = htons(port);
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  int s = socket(AF_INET, SOCK_STREAM, 0);
  say("connect", s >= 0 && connect(s, (sockaddr *)&to, sizeof to) == 0);
  say("signal", kill(pid, 0) == 0);
}
""",
    "go": r"""
package main
import ("fmt"; "net"; "os"; "syscall")
func say(name string, err error) { if err == nil { fmt.Println(name, "done") } else { fmt.Println(name, "refused") } }
func main() {
  var secret, victim string; var port, pid int
  fmt.Scan(&secret, &victim, &port, &pid)
  _, err := os.ReadFile(secret); say("read", err)
  f, err := os.OpenFile(victim, os.O_APPEND|os.O_WRONLY, 0); if err == nil { _, err = f.WriteString("changed") }
  say("write", err)
  _, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); say("connect", err)
  say("signal", syscall.Kill(pid, 0))
}
""",
    "java": r"""
import java.net.Socket;
import java.nio.file.*;
import java.util.Scanner;
public class Attack {
  interface Try { void run() throws Throwable; }
  static void say(String name, Try attempt) {
    try { attempt.run(); System.out.println(name + " done"); }
    catch (Throwable t) { System.out.println(name + " refused"); }
  }
  public static void main(String[] a) {
    Scanner in = new Scanner(System.in);
    Path secret = Path.of(in.next()), victim = Path.of(in.next()); int port = in.nextInt(); String pid = in.next();
    say("read", () -> Files.readString(secret));
    say("write", () -> Files.writeString(victim, "changed", StandardOpenOption.APPEND));
    say("connect", () -> new Socket("127.0.0.1", port).close());
    say("signal", () -> {
      int code = new ProcessBuilder("/bin/bash", "-c", "kill -0 " + pid).start().waitFor();
      if (code != 0) throw new RuntimeException();
    });
  }
}
""",
    "javascript": r"""
const fs = require("fs"), net = require("net");
const [secret, victim, port, pid] = fs.readFileSync(0, "utf8").trim().split(/\s+/);
const tell = (name, done) => console.log(name, done ? "done" : "refused");
const say = (name, attempt) => { try { attempt(); tell(name, true); } catch { tell(name, false); } };
say("read", () => fs.readFileSync(secret));
say("write", () => fs.appendFileSync(victim, "changed"));
say("signal", () => process.kill(Number(pid), 0));
const client = net.connect(Number(port), "127.0.0.1", () => { tell("connect", true); client.destroy(); });
client.on("error", () => tell("connect", false));
""",
    "python": r"""
import os, socket
secret, victim, port, pid = input().split()
def say(name, attempt):
    try: attempt(); print(name, "done")
    except OSError: print(name, "refused")
say("read", lambda: open(secret).close())
say("write", lambda: open(victim, "a").write("changed"))
say("connect", lambda: socket.create_connection(("127.0.0.1", int(port))).close())
say("signal", lambda: os.kill(int(pid), 0))
""",
    "rust": r"""
use std::io::Write;
fn say<T, E>(name: &str, result: Result<T, E>) {
    println!("{} {}", name, if result.is_ok() { "done" } else { "refused" });
}
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    say("read", std::fs::read(words[0]));
    say("write", std::fs::OpenOptions::new().append(true).open(words[1]).and_then(|mut f| f.write_all(b"changed")));
    say("connect", std::net::TcpStream::connect(format!("127.0.0.1:{}", words[2])));
    let code = std::process::Command::new("/bin/bash").args(["-c", &format!("kill -0 {}", words[3])])
        .stderr(std::process::Stdio::null()).status().unwrap();
    say("signal", if code.success() { Ok(()) } else { Err(()) });
}
""",
}  # fmt: skip


class SameUser(ProgramSandbox):
    """Keeps the user of the host, as it is for everybody but root: then nothing is refused by ownership."""

    def identity(self, needed: tuple[Path, ...]) -> Identity:
        """Return the host's own user."""
        return Identity(None, "the host's own user")


def executor(folder: Path, layers: frozenset[Layer], kind: type[ProgramSandbox] = SameUser) -> Executor:
    return Executor(sandbox=kind(layers=layers), pages=Pages(folder / "output"))


@pytest.fixture
def execute(tmp_path: Path, layers: frozenset[Layer]) -> Callable[..., Execution]:
    return executor(tmp_path, layers, kind=ProgramSandbox).execute


@pytest.fixture
def decoys() -> Iterator[Decoys]:
    with planted() as targets:
        yield targets


def attempts(run: Execution) -> dict[str, str]:
    assert run.status is Status.SUCCESS, run
    return dict(line.split(" ", 1) for line in run.stdout.splitlines())


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_program_reaches_nothing_outside_and_without_the_sandbox_everything(
    tmp_path: Path, decoys: Decoys, layers: frozenset[Layer], language: str
) -> None:
    target = decoys.target
    words = " ".join(str(target[name]) for name in ("secret", "victim", "tcp", "pid")) + "\n"

    confined = executor(tmp_path, layers).execute(language, PLAIN[language], stdin=words, limits=ROOMY)
    damage = decoys.damage()
    control = executor(tmp_path, frozenset()).execute(language, PLAIN[language], stdin=words, limits=ROOMY)

    names = ("read", "write", "connect", "signal")
    assert attempts(confined) == dict.fromkeys(names, "refused")
    assert attempts(control) == dict.fromkeys(names, "done")
    assert damage == ()


# What each attack must be answered with. Landlock refuses with EACCES, and links and moves across with EXDEV;
# everything that is not on the list of system calls is EPERM.
REFUSED_BY_PATH = ("read_secret", "list_folder", "overwrite_victim", "create_outside", "read_environment",
                   "read_command_line", "list_processes", "shared_memory", "execute_from_outside")  # fmt: skip
REFUSED_BY_LIST = (
    "truncate_victim", "change_attributes", "hard_link", "symbolic_link", "connect_by_tcp", "connect_by_udp",
    "connect_by_path", "connect_by_abstract_name", "open_netlink", "pair_of_datagram_sockets", "signal_bystander",
    "signal_host", "signal_thread", "signal_by_descriptor", "signal_by_ownership", "trace_bystander", "limit_bystander",
    "user_namespace", "clone_into_namespace", "mount_something", "change_root", "become_root", "become_another",
    "ring", "key_ring", "bpf_program", "user_fault", "performance_counter", "memory_file", "type_into_terminal",
    "raise_memory_limit", "turn_filter_off", "other_user_by_program", "change_mode", "change_times",
    "signal_first_process", "change_device", "change_program", "send_descriptor",
)  # fmt: skip
EXPECTED = {
    **dict.fromkeys(REFUSED_BY_PATH, str(errno.EACCES)),
    **dict.fromkeys(REFUSED_BY_LIST, str(errno.EPERM)),
    "read_first_environment": str(errno.EACCES),
    "leave_by_first_root": str(errno.EACCES),
    "read_kernel_setting": str(errno.EACCES),
    "make_pipe": str(errno.EPERM),
    "read_attributes": str(errno.ENOTSUP),
    "x32_call": f"signal {int(signal.SIGSYS)}",
}
# In a root and a process namespace of its own, a program does not find what level 2 refuses it, or lets it see.
NOT_THERE = [name for name in REFUSED_BY_PATH if name != "list_processes"]
EXPECTED_INSIDE = {
    **EXPECTED,
    **dict.fromkeys((*NOT_THERE, "look_at_secret", "look_at_process"), str(errno.ENOENT)),
    **dict.fromkeys(("signal_bystander", "signal_host", "signal_thread"), str(errno.ESRCH)),
}
SEEN_AT_LEVEL_2 = ("look_at_secret", "look_at_process")
ALLOWED = ("fork_child", "execute_system_program", "signal_own_child", "pair_of_stream_sockets", "write_scratch")
# What this machine, its kernel or an unprivileged user is refused anyway, so that a control says nothing.
UP_TO_THE_MACHINE = {
    "change_attributes", "read_attributes", "trace_bystander", "user_namespace", "clone_into_namespace", "ring",
    "mount_something", "change_root", "become_root", "become_another", "key_ring", "bpf_program", "user_fault",
    "performance_counter", "type_into_terminal", "raise_memory_limit", "turn_filter_off", "other_user_by_program",
    "shared_memory", "hard_link", "x32_call", "read_first_environment", "leave_by_first_root",
}  # fmt: skip
UP_TO_THE_USER = set() if os.geteuid() == 0 else {"signal_first_process", "change_device", "change_program"}


def native(
    folder: Path, decoys: Decoys, layers: frozenset[Layer], kind: type[ProgramSandbox] = SameUser
) -> Mapping[str, str]:
    target = decoys.target
    order = ("secret", "victim", "outside", "unix", "abstract", "tcp", "udp", "pid", "host")
    words = " ".join(str(target[name]) for name in order) + "\n"
    return attempts(executor(folder, layers, kind).execute("c", NATIVE, stdin=words, limits=ROOMY))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, layers: frozenset[Layer]) -> Mapping[str, str]:
    """Every native attack with what came of it inside, where nothing outside may change."""
    with planted() as targets:
        _add_program(targets)
        before = targets.damage()
        confined = native(tmp_path_factory.mktemp("native"), targets, layers)
        assert [line for line in targets.damage() if line not in before] == []
    return confined


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Every native attack with what came of it without the sandbox."""
    with planted() as targets:
        _add_program(targets)
        return native(tmp_path_factory.mktemp("control"), targets, frozenset())


def _add_program(targets: Decoys) -> None:
    program = targets.folder / "program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)


@needs_compiler
@pytest.mark.parametrize("name", [*EXPECTED])
def test_a_native_attack_is_refused_for_the_right_reason(
    results: Mapping[str, str], layers: frozenset[Layer], name: str
) -> None:
    expected = EXPECTED_INSIDE if Layer.NAMESPACES in layers else EXPECTED
    assert results[name] == expected[name]


@needs_compiler
@pytest.mark.parametrize("name", SEEN_AT_LEVEL_2)
def test_what_lies_elsewhere_is_seen_at_level_2_only(
    results: Mapping[str, str], layers: frozenset[Layer], name: str
) -> None:
    assert results[name] == (EXPECTED_INSIDE[name] if Layer.NAMESPACES in layers else "done")


@needs_compiler
@pytest.mark.parametrize("name", sorted(EXPECTED_INSIDE.keys() - UP_TO_THE_MACHINE - UP_TO_THE_USER))
def test_the_same_native_attack_succeeds_without_the_sandbox(control: Mapping[str, str], name: str) -> None:
    assert control.get(name, "done") == "done"  # whoever was replaced by another program says no more


@needs_compiler
@pytest.mark.parametrize("name", ALLOWED)
def test_honest_native_work_is_not_refused(results: Mapping[str, str], control: Mapping[str, str], name: str) -> None:
    assert (results[name], control[name]) == ("done", "done")


@needs_compiler
def test_each_native_attack_has_an_expectation(results: Mapping[str, str]) -> None:
    assert set(results) == {*EXPECTED_INSIDE, *ALLOWED}


@needs_compiler
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has an id to give up")
def test_under_a_user_of_its_own_a_program_reaches_no_more(
    tmp_path: Path, decoys: Decoys, layers: frozenset[Layer]
) -> None:
    found = native(tmp_path, decoys, layers, kind=ProgramSandbox)

    seen = set() if Layer.NAMESPACES in layers else set(SEEN_AT_LEVEL_2)
    assert {name for name, answer in found.items() if answer == "done"} - seen == {*ALLOWED}


@needs_compiler
def test_without_landlock_files_are_open_that_are_there(
    tmp_path: Path, decoys: Decoys, layers: frozenset[Layer]
) -> None:
    found = native(tmp_path, decoys, layers - {Layer.LANDLOCK})

    inside = Layer.NAMESPACES in layers
    listing = ("list_processes", "read_kernel_setting")
    outside = ("read_secret", "list_folder", "overwrite_victim", "create_outside")
    assert [found[name] for name in listing] == ["done", "done"]
    assert {found[name] for name in outside} == {str(errno.ENOENT) if inside else "done"}
    assert found["connect_by_tcp"] == str(errno.EPERM)


@needs_compiler
def test_without_seccomp_other_sockets_are_open(tmp_path: Path, decoys: Decoys, layers: frozenset[Layer]) -> None:
    found = native(tmp_path, decoys, layers - {Layer.SECCOMP})

    inside = Layer.NAMESPACES in layers
    assert (found["open_netlink"], found["memory_file"], found["send_descriptor"]) == ("done", "done", "done")
    assert found["connect_by_udp"] == (str(errno.ENETUNREACH) if inside else "done")
    assert found["read_secret"] == str(errno.ENOENT if inside else errno.EACCES)


@needs_compiler
@needs_namespaces
def test_namespaces_alone_hide_files_processes_and_sockets_of_the_host(tmp_path: Path, decoys: Decoys) -> None:
    found = native(tmp_path, decoys, frozenset({Layer.NAMESPACES}))

    assert {name: found[name] for name in ("look_at_secret", "look_at_process", "connect_by_path")} == dict.fromkeys(
        ("look_at_secret", "look_at_process", "connect_by_path"), str(errno.ENOENT)
    )
    assert found["signal_host"] == found["signal_bystander"] == str(errno.ESRCH)
    assert found["connect_by_abstract_name"] == str(errno.ECONNREFUSED)
    assert found["connect_by_tcp"] == str(errno.ENETUNREACH)


def test_a_program_has_no_capability_and_can_gain_none(execute: Callable[..., Execution]) -> None:
    code = (
        "while read -r key value; do case $key in CapInh:|CapPrm:|CapEff:|CapAmb:|NoNewPrivs:|Seccomp:) "
        "echo $key $value;; esac; done < /proc/$$/status"
    )

    assert execute("bash", code).stdout.splitlines() == [
        "CapInh: 0000000000000000", "CapPrm: 0000000000000000", "CapEff: 0000000000000000",
        "CapAmb: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2",
    ]  # fmt: skip


def survivors(mark: str) -> list[psutil.Process]:
    """Return the live processes that have a mark as one of their arguments."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if process.info["status"] != psutil.STATUS_ZOMBIE and mark in words:
            found.append(process)
    return found


# A daemon: forked twice, in a session of its own, deaf to polite signals, with its streams closed.
DAEMONS = {
    "bash": """
( setsid bash -c 'trap "" TERM HUP INT; exec < /dev/null > /dev/null 2>&1; (sleep {mark} & ); exec sleep {mark}' & )
""",
    "python": """
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in range(3): os.close(n)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.execv("/bin/sleep", ["sleep", "{mark}"])
    os._exit(0)
""",
}


# Without Landlock there is no domain to kill in one step: the tree is frozen and killed process by process.
@pytest.mark.parametrize(
    "walls",
    [
        pytest.param(ALL_LAYERS, marks=needs_namespaces, id="with the first process"),
        pytest.param(WITHOUT_NAMESPACES, id="in a domain"),
        pytest.param(WITHOUT_NAMESPACES - {Layer.LANDLOCK}, id="one by one"),
    ],
)
@pytest.mark.parametrize("language", sorted(DAEMONS))
@pytest.mark.parametrize("ends", ["by itself", "by its time"])
def test_no_daemon_survives_the_end_of_its_program(
    tmp_path: Path, language: str, ends: str, walls: frozenset[Layer]
) -> None:
    mark = f"{600 + os.getpid() % 100}.{abs(hash((language, ends, len(walls)))) % 10**9}"
    stay = {"bash": "sleep 600", "python": "import time; time.sleep(600)"}[language]
    code = DAEMONS[language].format(mark=mark)
    begun = {"bash": "sleep 0.3", "python": "import time; time.sleep(0.3)"}[language]

    run = executor(tmp_path, walls).execute(
        language, f"{code}\n{begun}\n{stay if ends == 'by its time' else ''}", timeout=1
    )

    assert run.status is (Status.TIMEOUT if ends == "by its time" else Status.SUCCESS)
    assert survivors(mark) == []


def test_the_same_daemon_survives_without_a_supervisor() -> None:
    mark = f"603.{os.getpid()}"
    subprocess.run(["bash", "-c", DAEMONS["bash"].format(mark=mark) + "sleep 0.3"], check=True)

    alive = survivors(mark)
    for process in alive:
        process.kill()

    assert alive


@pytest.mark.parametrize("victim", ["host", "supervisor"])
def test_no_daemon_outlives_a_killed_host_or_supervisor(tmp_path: Path, victim: str, layers: frozenset[Layer]) -> None:
    mark = f"604.{os.getpid()}{'01'[victim == 'host']}{len(layers)}"
    code = DAEMONS["bash"].format(mark=mark) + "sleep 600"
    script = f"""
from pathlib import Path
from jupyter_mcpgen.sandbox.execution import Executor
from jupyter_mcpgen.sandbox.output import Pages
from jupyter_mcpgen.sandbox.program_sandbox import ProgramSandbox
sandbox = ProgramSandbox(layers=frozenset({sorted(map(str, layers))!r}))
run = Executor(sandbox=sandbox, pages=Pages(Path({str(tmp_path)!r}))).execute("bash", {code!r})
print(run.error_message)
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE) as host:
        while len(survivors(mark)) < 2:
            assert host.poll() is None
            host_process = psutil.Process(host.pid)
        (supervisor,) = [child for child in host_process.children() if child.ppid() == host.pid]
        daemons = [*survivors(mark), supervisor, *supervisor.children(recursive=True)]

        os.kill(host.pid if victim == "host" else supervisor.pid, signal.SIGKILL)

        _, alive = psutil.wait_procs(daemons, timeout=20)
        assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
        told, _ = host.communicate(timeout=60)
        assert (b"supervisor of a program was killed" in told) == (victim == "supervisor")


# Each carries a mark as an argument: other programs, of other tests, may run beside it.
FORK_BOMBS = {
    "bash": "exec bash -c 'bomb() {{ bomb | bomb & }}; bomb 2> /dev/null; sleep 600' {mark}",
    "python": """
import os, sys
bomb = "import os\\nwhile True:\\n    try: os.fork()\\n    except OSError: pass"
os.execv(sys.executable, [sys.executable, "-c", bomb, "{mark}"])
""",
}


@pytest.mark.parametrize("language", sorted(FORK_BOMBS))
def test_a_fork_bomb_is_bounded_and_cleared_away(execute: Callable[..., Execution], language: str) -> None:
    mark = f"bomb-{os.getpid()}-{language}"
    with ThreadPoolExecutor(max_workers=1) as threads:
        running = threads.submit(execute, language, FORK_BOMBS[language].format(mark=mark), timeout=5)
        seen = 0
        while seen < 2 and not running.done():
            seen = len(survivors(mark))
        run = running.result()

    assert seen >= 2 or run.reason is Reason.TASKS_EXCEEDED, "no bomb went off"
    assert run.status in {Status.TIMEOUT, Status.ERROR}
    assert run.reason in {Reason.TIMED_OUT, Reason.TASKS_EXCEEDED, Reason.MEMORY_EXCEEDED, Reason.CPU_EXCEEDED}
    assert survivors(mark) == []


MEMORY_BOMBS = {
    "bash": "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done",
    "c": "#include <stdlib.h>\n#include <string.h>\n"
    "int main(void) { for (;;) { char *p = malloc(1 << 24); if (!p) abort(); memset(p, 1, 1 << 24); } }",
    "cpp": "#include <vector>\nint main() { std::vector<std::vector<char>> v; for (;;) v.emplace_back(1 << 24, 'x'); }",
    "go": "package main\nfunc main() { var v [][]byte; for { b := make([]byte, 1<<24); for i := range b { b[i] = 1 };"
    " v = append(v, b) } }",
    "java": "import java.util.*; public class Bomb { public static void main(String[] a) {"
    " List<byte[]> v = new ArrayList<>(); while (true) v.add(new byte[1 << 20]); } }",
    "javascript": "const v = []; for (;;) v.push(new Array(1 << 16).fill(0.5));",
    "python": "v = []\nwhile True: v.append(b'x' * 2**24)",
    "rust": "fn main() { let mut v: Vec<Vec<u8>> = vec![]; loop { v.push(vec![1; 1 << 24]); } }",
}


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_memory_is_bounded_in_every_language(execute: Callable[..., Execution], language: str) -> None:
    run = execute(language, MEMORY_BOMBS[language], limits=ROOMY)

    assert (run.status, run.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)
    assert run.peak_memory_bytes < 2 * 1024**3


@needs_compiler
def test_memory_is_bounded_over_all_processes_together(execute: Callable[..., Execution]) -> None:
    code = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  for (int n = 0; n < 16; n++) if (fork() == 0) {
    volatile char *p = malloc(100 << 20);
    for (int at = 0; at < 100 << 20; at += 4096) p[at] = 1;
    for (;;) pause();
  }
  for (;;) pause();
}
"""

    run = execute("c", code, timeout=30)

    assert (run.status, run.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)
    assert run.error_message == "The program was stopped: it held more than its 256 MB of memory."


@pytest.mark.parametrize(
    ("code", "reasons"),
    [
        ("dd if=/dev/urandom of=big bs=1M count=400", {Reason.RUNTIME_ERROR, Reason.SCRATCH_EXCEEDED}),
        ("for n in $(seq 40); do dd if=/dev/urandom of=f$n bs=1M count=16; done; sleep 600", {Reason.SCRATCH_EXCEEDED}),
    ],
)  # fmt: skip
def test_the_disk_is_bounded(execute: Callable[..., Execution], code: str, reasons: set[Reason]) -> None:
    assert execute("bash", code, limits=ROOMY).reason in reasons


def test_a_program_cannot_end_its_supervisor_or_guard(
    execute: Callable[..., Execution], layers: frozenset[Layer]
) -> None:
    # Inside, the parent is the first process, and the next one the program itself.
    others = "kill -INT 1; kill -STOP 1" if Layer.NAMESPACES in layers else "kill -9 $((PPID + 1))"
    run = execute("bash", f"kill -9 $PPID; kill -9 -1; {others}; echo alive")

    assert (run.status, run.stdout) == (Status.SUCCESS, "alive\n")


def test_no_session_reads_or_writes_the_workspace_of_another(tmp_path: Path, layers: frozenset[Layer]) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    sandbox = ProgramSandbox(layers=layers, scratch_root=scratch)
    sessions = Sessions(Executor(sandbox=sandbox, pages=Pages(tmp_path / "output")))
    mine, other = (sessions.create("me", language).session_id for language in ("python", "python"))
    sessions.write_file("me", mine, "secret", b"mine")
    (place,) = scratch.glob("*/secret")

    for code in (
        f"open({str(place)!r})",
        f"open({str(place)!r}, 'w')",
        f"import os; os.listdir({str(place.parent)!r})",
        f"import os; os.chdir({str(place.parent)!r}); open('secret')",
        "open('../" + place.parent.name + "/secret')",
        f"import os; os.rename({str(place)!r}, 'got'); open('got')",
        f"import os; os.symlink({str(place)!r}, 'got')",
        f"import os; os.link({str(place)!r}, 'got')",
    ):
        run = sessions.execute("me", other, code)
        assert run.status is Status.ERROR
        assert run.error_message is not None
        assert any(word in run.error_message for word in ("Errno 13", "Errno 1]", "Errno 18", "Errno 2]"))

    assert sessions.read_file("me", mine, "secret") == b"mine"
    sessions.close()
