/* Twelve processes fill as many pairs of sockets as they may have, and say how many bytes are in them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char piece[65536];

int main(void) {
  int seconds;
  if (scanf("%d", &seconds) != 1) return 2;
  for (int child = 0; child < 12; child++) {
    if (fork() != 0) continue;
    long total = 0, written;
    int pair[2];
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0)
      for (int end = 0; end < 2; end++)
        while ((written = write(pair[end], piece, sizeof piece)) > 0) total += written;
    printf("%ld\n", total);
    fflush(stdout);
    sleep(seconds);
    return 0;
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
