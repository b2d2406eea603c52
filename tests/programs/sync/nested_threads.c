// check: sc=holds tso=holds pso=holds states=sc:19,tso:17,pso:17
//
// A thread starts a thread; joins order everything that happened below.
#include <assert.h>
#include <pthread.h>

static int depth_reached;

static void *descend(void *argument) {
  int depth = *(int *)argument;
  depth_reached = depth;
  if (depth < 3) {
    pthread_t thread;
    int next = depth + 1;
    pthread_create(&thread, NULL, descend, &next);
    pthread_join(thread, NULL);
  }
  return NULL;
}

int main(void) {
  int start = 0;
  descend(&start);
  assert(depth_reached == 3);
  return 0;
}
