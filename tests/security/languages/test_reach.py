"""In every language a program reaches nothing outside its sandbox, and without the sandbox everything."""

from __future__ import annotations

import resource
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Status
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.selfcheck.decoys import Decoys, planted
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.security.languages.hostile_programs import EACH_LANGUAGE, ROOMY, attempts, executor, needs_programs

pytestmark = needs_programs
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


def attacked(folder: Path, decoys: Decoys, layers: frozenset[Layer], language: str) -> dict[str, str]:
    """Return what came of the attempts of a language's program on decoys, behind some walls or none."""
    words = " ".join(str(decoys.target[name]) for name in ("secret", "victim", "tcp", "pid")) + "\n"
    return attempts(executor(folder, layers).execute(language, PLAIN[language], stdin=words, limits=ROOMY))


@pytest.fixture(scope="module")
def without_walls(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, str]]:
    """Return what tells the attempts of a language's program where there is no wall; each program is run once."""

    @cache
    def control(language: str) -> dict[str, str]:
        with planted() as decoys:
            return attacked(tmp_path_factory.mktemp("control"), decoys, frozenset(), language)

    return control


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_program_reaches_nothing_outside_and_without_the_sandbox_everything(
    tmp_path: Path,
    decoys: Decoys,
    layers: frozenset[Layer],
    language: str,
    without_walls: Callable[[str], dict[str, str]],
) -> None:
    confined = attacked(tmp_path, decoys, layers, language)

    names = ("read", "write", "connect", "signal")
    assert confined == dict.fromkeys(names, "refused")
    assert without_walls(language) == dict.fromkeys(names, "done")
    assert decoys.damage() == ()


def test_a_program_has_no_capability_and_can_gain_none(execute: Callable[..., Execution]) -> None:
    code = (
        "while read -r key value; do case $key in CapInh:|CapPrm:|CapEff:|CapAmb:|NoNewPrivs:|Seccomp:) "
        "echo $key $value;; esac; done < /proc/$$/status"
    )

    assert execute("bash", code).stdout.splitlines() == [
        "CapInh: 0000000000000000", "CapPrm: 0000000000000000", "CapEff: 0000000000000000",
        "CapAmb: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2",
    ]  # fmt: skip


def test_a_crash_of_a_program_is_handed_to_no_program_of_the_machine(execute: Callable[..., Execution]) -> None:
    """The kernel starts that one, as root, for every limit on cores but of one byte, and no program may set another."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    most = 1 if hard == resource.RLIM_INFINITY else min(1, hard)

    run = execute("python", "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))")
    lower = execute("bash", "ulimit -c 0")

    assert (run.stdout, lower.status) == (f"{(most, most)}\n", Status.ERROR)


NETWORK = """
import os

def told(what):
    try: return what()
    except (PermissionError, FileNotFoundError): return []

def rows(name): return open(name).read().splitlines()[1:]
def interfaces(name): return {line.partition(":")[0].strip() for line in rows(name)[1:]} - {"lo"}

for folder in ("/proc/self/net", f"/proc/self/task/{os.getpid()}/net"):
    for name in ("route", "arp", "tcp", "udp", "unix"):
        if told(lambda: rows(f"{folder}/{name}")): print(name)
    if told(lambda: interfaces(f"{folder}/dev")): print("dev")
    if set(told(lambda: os.listdir(f"{folder}/dev_snmp6"))) - {"lo"}: print("dev_snmp6")
"""


def test_a_program_is_told_nothing_of_the_network_of_its_machine_and_without_walls_all(
    execute: Callable[..., Execution], tmp_path: Path, decoys: Decoys
) -> None:
    """Addresses, neighbours, connections, names: in a network of its own it finds tables of them that are empty."""
    machine = {"tcp", "unix"}  # the decoys listen
    if {path.name for path in Path("/proc/self/net/dev_snmp6").glob("*")} - {"lo"}:
        machine |= {"dev", "dev_snmp6"}

    confined = execute("python", NETWORK)
    control = executor(tmp_path / "control", frozenset()).execute("python", NETWORK)

    assert (confined.status, confined.stdout) == (Status.SUCCESS, "")
    assert machine <= set(control.stdout.split())
    assert control.stdout.split().count("tcp") == 2


def test_a_program_reads_what_there_is_to_know_of_itself(
    execute: Callable[..., Execution], layers: frozenset[Layer]
) -> None:
    code = """
import os
for name in ("maps", "status", "stat", "statm", "cgroup", "cmdline", "limits", "auxv", "mountinfo", "comm", "smaps"):
    assert open(f"/proc/self/{name}", "rb").read(), name
assert {"0", "1", "2"} <= set(os.listdir("/proc/self/fd"))
assert {"0", "1", "2"} <= set(os.listdir("/proc/self/fdinfo"))
print(os.path.basename(os.readlink("/proc/self/exe"))[:6])
"""
    own_threads = "import os; assert os.listdir('/proc/self/task') == [str(os.getpid())]"

    assert execute("python", code).stdout == "python\n"
    # Without a network of its own: who may list the threads may list what is told of the network for each of them.
    assert (execute("python", own_threads).status is Status.SUCCESS) == (Layer.NAMESPACES in layers)


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
