/* Attacks by system call, each in a child of its own: prints its name, and `done`, or the error number of the refusal. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char secret[512], victim[512], folder[512], local_socket[512], abstract_name[128];
static int port, datagram_port, bystander, host;

static int to_port(int type, int number) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(number)};
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  int s = socket(AF_INET, type, 0);
  if (s < 0) return -1;
  return connect(s, (struct sockaddr *)&to, sizeof to);
}

static int to_name(const char *name, size_t length) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  memcpy(to.sun_path, name, length);
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  if (s < 0) return -1;
  return connect(s, (struct sockaddr *)&to, offsetof(struct sockaddr_un, sun_path) + length);
}

static int read_secret(void) { return open(secret, O_RDONLY); }
static int list_folder(void) { return open(folder, O_RDONLY | O_DIRECTORY); }
static int overwrite_victim(void) { return open(victim, O_WRONLY | O_TRUNC); }
static int create_outside(void) {
  char path[600];
  snprintf(path, sizeof path, "%s/new", folder);
  int made = open(path, O_WRONLY | O_CREAT, 0600);
  if (made >= 0) unlink(path);
  return made;
}
static int truncate_victim(void) { return truncate(victim, 0); }
static int change_mode(void) { return chmod(victim, 0600); }
static int change_times(void) { return utimes(victim, NULL); }
static int change_attributes(void) { return setxattr(victim, "user.x", "1", 1, 0); }
static int read_attributes(void) { return listxattr(secret, NULL, 0); }
static int hard_link(void) { unlink("hard"); return link(victim, "hard"); }
static int symbolic_link(void) { unlink("soft"); return symlink(secret, "soft"); }
static int make_pipe(void) { unlink("fifo"); return mkfifo("fifo", 0600); }
static int connect_by_tcp(void) { return to_port(SOCK_STREAM, port); }
static int connect_by_udp(void) { return to_port(SOCK_DGRAM, datagram_port); }
static int connect_by_path(void) { return to_name(local_socket, strlen(local_socket) + 1); }
static int connect_by_abstract_name(void) {
  char name[130] = {0};
  strcpy(name + 1, abstract_name);
  return to_name(name, strlen(abstract_name) + 1);
}
static int open_netlink(void) { return socket(AF_NETLINK, SOCK_RAW, 0); }
static int pair_of_datagram_sockets(void) { int pair[2]; return socketpair(AF_UNIX, SOCK_DGRAM, 0, pair); }
static int signal_bystander(void) { return kill(bystander, 0); }
static int signal_host(void) { return kill(host, 0); }
static int signal_thread(void) { return syscall(SYS_tgkill, bystander, bystander, 0); }
static int signal_by_descriptor(void) {
  int process = syscall(SYS_pidfd_open, bystander, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_send_signal, process, 0, NULL, 0);
}
static int signal_by_ownership(void) {
  int pipes[2];
  return pipe(pipes) < 0 ? -1 : fcntl(pipes[0], F_SETOWN, bystander);
}
static int trace_bystander(void) {
  long traced = ptrace(PTRACE_SEIZE, bystander, 0, 0);
  if (traced == 0) ptrace(PTRACE_DETACH, bystander, 0, 0);
  return traced;
}
static int limit_bystander(void) {
  struct rlimit limit;
  return prlimit(bystander, RLIMIT_NOFILE, NULL, &limit);
}
static int read_environment(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", bystander);
  return open(path, O_RDONLY);
}
static int read_command_line(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/cmdline", host);
  return open(path, O_RDONLY);
}
static int list_processes(void) { return open("/proc", O_RDONLY | O_DIRECTORY); }
static int user_namespace(void) { return unshare(CLONE_NEWUSER); }
static int clone_into_namespace(void) { return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); }
/* Harmless where it is allowed: nothing is there to mount on or to change into. */
static int mount_something(void) { return mount("none", "/nonexistent/mcpgen", "tmpfs", 0, NULL); }
static int change_root(void) { return chroot("/nonexistent/mcpgen"); }
static int become_root(void) { return setuid(0); }
static int become_another(void) { return setuid(12345); }
static int ring(void) { char parameters[256] = {0}; return syscall(SYS_io_uring_setup, 4, parameters); }
static int key_ring(void) { return syscall(SYS_keyctl, 0, -3, 1, 0, 0); }
static int bpf_program(void) { char attributes[128] = {0}; return syscall(SYS_bpf, 0, attributes, sizeof attributes); }
static int user_fault(void) { return syscall(SYS_userfaultfd, 0); }
static int performance_counter(void) {
  int attributes[32] = {1, 128};
  return syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
}
static int memory_file(void) { return memfd_create("x", 0); }
static int type_into_terminal(void) { return ioctl(0, 0x5412, "x"); }
static int raise_memory_limit(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_AS, &limit);
}
static int turn_filter_off(void) { return prctl(PR_SET_SECCOMP, 0, 0, 0, 0); }
static int hand_a_crash_to_the_machine(void) {
  struct rlimit none = {0, 0};
  if (syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, NULL) == 0) return 0;
#ifdef SYS_setrlimit
  if (syscall(SYS_setrlimit, RLIMIT_CORE, &none) == 0) return 0;
#endif
  return -1;
}
static int shared_memory(void) { return open("/dev/shm/mcpgen-attack", O_WRONLY | O_CREAT, 0600); }
static int execute_from_outside(void) {
  char path[600];
  snprintf(path, sizeof path, "%s/program", folder);
  char *arguments[] = {path, NULL};
  return execve(path, arguments, NULL);
}
static int other_user_by_program(void) {
  /* A set-user-id program starts, and must have no more rights than this one. */
  FILE *stream = popen("/bin/su root -c id 2>&1 < /dev/null", "r");
  char line[256] = "";
  char *got = stream ? fgets(line, sizeof line, stream) : NULL;
  if (stream) pclose(stream);
  if (got && strstr(line, "uid=0")) return 0;
  errno = EPERM;
  return -1;
}
static int fork_child(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child < 0 ? -1 : waitpid(child, NULL, 0) < 0 ? -1 : 0;
}
static int execute_system_program(void) { return system("true") == 0 ? 0 : -1; }
static int signal_own_child(void) {
  pid_t child = fork();
  if (child == 0) { alarm(1); pause(); _exit(0); }
  int sent = kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  return sent;
}
static int pair_of_stream_sockets(void) {
  int pair[2];
  char byte = 'x';
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
  return send(pair[0], &byte, 1, 0) == 1 && recv(pair[1], &byte, 1, 0) == 1 ? 0 : -1;
}
static int look_at_secret(void) { struct stat facts; return stat(secret, &facts); }
static int look_at_process(void) {
  char path[64];
  struct stat facts;
  snprintf(path, sizeof path, "/proc/%d", host);
  return stat(path, &facts);
}
static int signal_first_process(void) { return kill(1, 0); }
static int read_first_environment(void) { return open("/proc/1/environ", O_RDONLY); }
static int leave_by_first_root(void) {
  char path[600];
  snprintf(path, sizeof path, "/proc/1/root%s", secret);
  return open(path, O_RDONLY);
}
static int read_kernel_setting(void) { return open("/proc/sys/kernel/ostype", O_RDONLY); }
/* To what it is already: it is the host's. */
static int change_device(void) { return chmod("/dev/null", 0666); }
static int change_program(void) { return utimes("/bin/true", NULL); }
static int send_descriptor(void) {
  int pair[2];
  char byte = 'x', space[CMSG_SPACE(sizeof(int))] = {0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return -1;
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &pair[1], sizeof(int));
  return sendmsg(pair[0], &message, 0);
}
static int write_scratch(void) { return open("own", O_WRONLY | O_CREAT, 0600); }

#define ATTACK(name) {#name, name}
static const struct { const char *name; int (*run)(void); } attacks[] = {
  ATTACK(read_secret), ATTACK(list_folder), ATTACK(overwrite_victim), ATTACK(create_outside), ATTACK(truncate_victim),
  ATTACK(change_mode), ATTACK(change_times), ATTACK(change_attributes), ATTACK(read_attributes), ATTACK(hard_link),
  ATTACK(symbolic_link), ATTACK(make_pipe), ATTACK(connect_by_tcp), ATTACK(connect_by_udp), ATTACK(connect_by_path),
  ATTACK(connect_by_abstract_name), ATTACK(open_netlink), ATTACK(pair_of_datagram_sockets), ATTACK(signal_bystander),
  ATTACK(signal_host), ATTACK(signal_thread), ATTACK(signal_by_descriptor), ATTACK(signal_by_ownership),
  ATTACK(trace_bystander), ATTACK(limit_bystander), ATTACK(read_environment), ATTACK(read_command_line),
  ATTACK(list_processes), ATTACK(user_namespace), ATTACK(clone_into_namespace), ATTACK(mount_something),
  ATTACK(change_root), ATTACK(become_root), ATTACK(become_another), ATTACK(ring), ATTACK(key_ring), ATTACK(bpf_program),
  ATTACK(user_fault), ATTACK(performance_counter), ATTACK(memory_file), ATTACK(type_into_terminal),
  ATTACK(raise_memory_limit), ATTACK(turn_filter_off), ATTACK(hand_a_crash_to_the_machine), ATTACK(shared_memory), ATTACK(execute_from_outside),
  ATTACK(other_user_by_program), ATTACK(fork_child), ATTACK(execute_system_program), ATTACK(signal_own_child),
  ATTACK(pair_of_stream_sockets), ATTACK(write_scratch), ATTACK(look_at_secret), ATTACK(look_at_process),
  ATTACK(signal_first_process), ATTACK(read_first_environment), ATTACK(leave_by_first_root),
  ATTACK(read_kernel_setting), ATTACK(change_device), ATTACK(change_program), ATTACK(send_descriptor),
};

int main(void) {
  if (scanf("%511s %511s %511s %511s %127s %d %d %d %d", secret, victim, folder, local_socket, abstract_name, &port,
            &datagram_port, &bystander, &host) != 9) return 2;
  for (size_t n = 0; n < sizeof attacks / sizeof *attacks; n++) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return 3;
    if (child == 0) {
      errno = 0;
      int result = attacks[n].run();
      if (result >= 0) printf("%s done\n", attacks[n].name);
      else printf("%s %d\n", attacks[n].name, errno);
      fflush(stdout);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("%s signal %d\n", attacks[n].name, WTERMSIG(status));
  }
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    long answer = syscall(0x40000000 + 39);
    printf("x32_call %s\n", answer > 0 ? "done" : "38");
    fflush(stdout);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) printf("x32_call signal %d\n", WTERMSIG(status));
  return 0;
}
