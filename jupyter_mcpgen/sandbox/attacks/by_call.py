"""Attacks on the network, on processes and on the walls themselves, by calls; and honest work of that kind."""

from __future__ import annotations

import _ctypes
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import shutil
import socket
import struct
import threading
from collections.abc import Mapping
from typing import Any

Target = Mapping[str, Any]

_ARM = os.uname().machine == "aarch64"
_TGKILL, _PTRACE, _KEYCTL, _UNSHARE, _USERFAULTFD, _PERF, _BPF, _READ_MEMORY = (
    (131, 117, 219, 97, 282, 241, 280, 270) if _ARM else (234, 101, 250, 272, 323, 298, 321, 310)
)
_IO_URING_SETUP = 425
_RENAME, _HERE, _LEAVE_A_DEVICE = 276 if _ARM else 316, -100, 4
_X32_GETPID = 0x40000000 + 39
_PTRACE_SEIZE = 0x4206
_CLONE_NEWUSER = 0x10000000
_F_SETOWN = 8
_JOB_ENVIRONMENT = {"HOME", "TMPDIR", "LANG", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "JE_ARROW_MALLOC_CONF"}
_OWN_DESCRIPTORS = 4
_OWN_MEMORY = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS  # shared memory is refused whatever may be done with it
# mov eax, 20 (getpid); int 0x80; ret
_CALL_AS_32_BIT = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"


def learn_host_name(target: Target) -> object:
    """Learn the name of this machine."""
    if os.uname().nodename != target["name"]:
        raise PermissionError("the name is another one")
    return target["name"]


def leave_a_device(target: Target) -> None:
    """Leave a device in scratch in the place of what is moved away."""
    os.close(os.open("moved-away", os.O_CREAT | os.O_WRONLY))
    names = [ctypes.create_string_buffer(name) for name in (b"moved-away", b"arrived")]
    _call(_RENAME, _HERE, ctypes.addressof(names[0]), _HERE, ctypes.addressof(names[1]), _LEAVE_A_DEVICE)


def connect_by_tcp(target: Target) -> object:
    """Connect to a live server on this machine."""
    with socket.create_connection(("127.0.0.1", target["tcp"]), timeout=5) as connection:
        return connection.getpeername()


def send_by_udp(target: Target) -> object:
    """Send a datagram to a live receiver."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"leak", ("127.0.0.1", target["udp"]))


def resolve_name(target: Target) -> object:
    """Ask for the address of a name."""
    return socket.getaddrinfo("localhost", 80)


def connect_by_path(target: Target) -> None:
    """Connect to a Unix socket in the file system, as the Docker daemon's is."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(target["unix"])


def connect_by_abstract_name(target: Target) -> None:
    """Connect to a Unix socket without a file, as the session bus's is."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + target["abstract"])


def open_netlink(target: Target) -> object:
    """Talk to the kernel about the network."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as connection:
        return connection.fileno()


def execute(target: Target) -> object:
    """Become another program."""
    return os.execv("/bin/sh", ["sh", "-c", "echo executed"])  # noqa: S606  # the attack


def fork(target: Target) -> object:
    """Start a process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    return os.waitpid(child, 0)


def unshare_user_namespace(target: Target) -> object:
    """Become root in a user namespace of its own."""
    return _call(_UNSHARE, _CLONE_NEWUSER)


def signal_process(target: Target) -> None:
    """Gain the right to signal another process of the user."""
    os.kill(target["pid"], 0)


def signal_thread(target: Target) -> object:
    """Gain the same right by thread."""
    return _call(_TGKILL, target["pid"], target["pid"], 0)


def signal_through_descriptor(target: Target) -> object:
    """Have the kernel signal another process when a pipe becomes readable."""
    reader, writer = os.pipe()
    try:
        return fcntl.fcntl(reader, _F_SETOWN, target["pid"])
    finally:
        os.close(reader)
        os.close(writer)


def trace_process(target: Target) -> object:
    """Attach to another process of the user as its debugger."""
    return _call(_PTRACE, _PTRACE_SEIZE, target["pid"], 0, 0)


def limit_another_process(target: Target) -> object:
    """Take open files away from another process of the user."""
    return resource.prlimit(target["pid"], resource.RLIMIT_NOFILE, (11, 11))


def read_memory_directly(target: Target) -> object:
    """Gain the right to copy memory of another process of the user."""
    vector = struct.pack("@PN", 0, 1)
    place = ctypes.create_string_buffer(vector, len(vector))
    try:
        return _call(_READ_MEMORY, target["pid"], ctypes.addressof(place), 1, ctypes.addressof(place), 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:
            raise
        return "allowed, and there is nothing at that address"


def raise_a_limit(target: Target) -> None:
    """Lift the bound on memory."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def hand_a_crash_to_the_machine(target: Target) -> None:
    """Lift what keeps a crash from the machine's own program for crashes, which runs as root."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def find_secrets_in_environment(target: Target) -> object:
    """Find a variable that the host had and the job was not given."""
    extra = set(os.environ) - _JOB_ENVIRONMENT
    if not extra:
        raise PermissionError("only the listed variables are there")
    return sorted(extra)


def find_inherited_descriptors(target: Target) -> object:
    """Find an open file that the host left behind."""
    for descriptor in range(_OWN_DESCRIPTORS, 512):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        return descriptor
    raise PermissionError("only standard streams and the result channel are open")


def make_memory_file(target: Target) -> None:
    """Make a file that no limit counts and that could be executed."""
    os.close(os.memfd_create("mcpgen"))


def set_up_io_uring(target: Target) -> object:
    """Open the interface that makes system calls no filter sees."""
    parameters = ctypes.create_string_buffer(256)
    return _call(_IO_URING_SETUP, 1, ctypes.addressof(parameters))


def open_key_ring(target: Target) -> object:
    """Open the kernel's key ring of the session."""
    return _call(_KEYCTL, 0, -3, 1)


def open_userfaultfd(target: Target) -> object:
    """Open the interface that most kernel exploits need to win races."""
    return _call(_USERFAULTFD, 1)


def measure_with_perf(target: Target) -> object:
    """Open a performance counter, a side channel on other programs."""
    attributes = ctypes.create_string_buffer(b"\1\0\0\0\x80\0\0\0" + bytes(120), 128)
    return _call(_PERF, ctypes.addressof(attributes), 0, -1, -1, 0)


def make_bpf_map(target: Target) -> None:
    """Open the interface by which programs are loaded into the kernel."""
    attributes = ctypes.create_string_buffer(struct.pack("@IIII", 2, 4, 4, 1) + bytes(112), 128)
    os.close(_call(_BPF, 0, ctypes.addressof(attributes), 128))


def call_through_i386(target: Target) -> object:
    """Make a system call through the 32-bit entry, where numbers mean other calls."""
    code = mmap.mmap(-1, 4096, _OWN_MEMORY, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(_CALL_AS_32_BIT)
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def call_through_x32(target: Target) -> object:
    """Make a system call through the x32 entry, which a careless filter does not see."""
    return _call(_X32_GETPID)


def run_native_code(target: Target) -> object:
    """Map memory that can be written and executed."""
    mmap.mmap(-1, 4096, _OWN_MEMORY, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()
    return "mapped"


def load_library_from_scratch(target: Target) -> object:
    """Load a library of machine code that it wrote itself."""
    path = os.path.abspath("written.so")
    shutil.copyfile(_ctypes.__file__, path)
    return ctypes.CDLL(path)


def start_thread(target: Target) -> object:
    """Start a thread, as pyarrow does."""
    done: list[int] = []
    thread = threading.Thread(target=done.append, args=(1,))
    thread.start()
    thread.join()
    return done


def import_standard_library(target: Target) -> object:
    """Import modules after the walls went up, one of them native."""
    import decimal  # the import is what is tested
    import sqlite3

    return decimal.Decimal(1), sqlite3.sqlite_version


def _call(number: int, *arguments: int) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result: int = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
