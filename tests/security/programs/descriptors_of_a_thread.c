/* Deleted files of 4 MB each that are open in the second thread only, which has descriptors of its own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static char piece[1 << 20], stack[1 << 16];
static volatile int files, held;

static int hold(void *unused) {
  for (int n = 0; n < files; n++) {
    char name[3] = {'a' + n / 26, 'a' + n % 26, 0};
    int file = open(name, O_CREAT | O_RDWR, 0600);
    unlink(name);
    for (int part = 0; part < 4; part++)
      if (write(file, piece, sizeof piece) < 0) return 1;
    held++;
  }
  for (;;) pause();
}

int main(void) {
  int count, seconds;
  if (scanf("%d %d", &count, &seconds) != 2) return 2;
  files = count;
  if (clone(hold, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL) < 0)
    return 3;
  while (held < files) usleep(1000);
  sleep(seconds);
  printf("%d held\n", held);
  fflush(stdout);
  _exit(0);
}
