// check: --keep-going --cross-check sc=holds tso=holds pso=holds
//
// A thread moves memory to a place that overlaps it, and the process may end meanwhile. Engines that cannot
// tell whether another thread changes the memory give up; that is no difference between them.
#include <pthread.h>
#include <string.h>

static char text[16];

static void *mover(void *unused) {
  memmove(text + 4, text, 12);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, mover, NULL);
  return 0;
}
