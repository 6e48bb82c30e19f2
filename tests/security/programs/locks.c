// Ten processes, each of which locks bytes of forty files, so many of each as standard input says, and waits.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int many, by_file;
  if (scanf("%d %d", &many, &by_file) != 2) return 2;
  for (int process = 0; process < 10; process++) {
    if (fork()) continue;
    char name[40];
    int opened[40];
    for (int at = 0; at < 40; at++) {
      sprintf(name, "%d-%d", process, at);
      if ((opened[at] = open(name, O_RDWR | O_CREAT, 0600)) < 0) return 3;
    }
    for (int lock = many; lock > 0; lock--)
      for (int at = 0; at < 40; at++) {
        struct flock one = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * lock, .l_len = 1};
        if (fcntl(opened[at], by_file ? F_OFD_SETLK : F_SETLK, &one)) return 4;
      }
    sleep(many > 10 ? 50 : 2);
    return 0;
  }
  int status, failed = 0;
  while (wait(&status) > 0) failed += status != 0;
  printf("%d failed\n", failed);
}
