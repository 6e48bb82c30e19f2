/* So many processes, each of which maps a page of memory, or of one deleted file with a long path, in so many pieces. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int deleted_file(int folders) {
  char name[201] = "";
  memset(name, 'd', 200);
  while (folders-- > 0)
    if (mkdir(name, 0700) != 0 || chdir(name) != 0) return -1;
  int file = open("file", O_RDWR | O_CREAT, 0600);
  return file < 0 || ftruncate(file, 4096) != 0 || unlink("file") != 0 ? -1 : file;
}

int main(void) {
  int processes, pieces, folders, seconds;
  if (scanf("%d %d %d %d", &processes, &pieces, &folders, &seconds) != 4) return 2;
  int file = folders < 0 ? -1 : deleted_file(folders);
  int kind = folders < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
  for (int process = 0; process < processes; process++) {
    if (fork() != 0) continue;
    for (int piece = 0; piece < pieces; piece++) /* neighbours of one kind would be one piece */
      if (mmap(NULL, 4096, piece & 1 ? PROT_READ : PROT_READ | PROT_WRITE, kind, file, 0) == MAP_FAILED) return 3;
    sleep(seconds);
    return 0;
  }
  int status, whole = 0;
  while (wait(&status) > 0) whole += status == 0;
  printf("%d mapped\n", whole);
  return 0;
}
