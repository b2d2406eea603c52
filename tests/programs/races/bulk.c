// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=31 related=47 states=sc:5,tso:2,pso:2
// check: --races -DREADS sc=holds tso=holds pso=holds states=sc:7,tso:9,pso:9
// check: --races -DPARTS sc=holds tso=holds pso=holds states=sc:7,tso:4,pso:4
// check: --races -DSTRLEN sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=25 related=45 states=sc:6,tso:3,pso:3
// check: --races -DASSIGN sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=27 related=47 states=sc:5,tso:2,pso:2
// check: --races -DSET sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=29 related=47 states=sc:5,tso:2,pso:2
// optimised: differs a variable that nobody reads is removed, and with it the race
//
// memcpy, memset, strlen and the assignment of a structure access every byte they are given, and no other.
#include <pthread.h>
#include <string.h>

struct block {
  char bytes[24];
};

static struct block shared, copy;

static void *user(void *unused) {
#ifdef READS
  memcpy(&copy, &shared, sizeof copy);
#elif defined PARTS
  memcpy(shared.bytes, "first", 6);
#elif defined STRLEN
  return strlen(shared.bytes) > 0 ? unused : NULL;
#elif defined ASSIGN
  copy = shared;
#elif defined SET
  memset(&shared, 0, sizeof shared);
#else
  memcpy(&shared, &copy, sizeof copy);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  char seen;
  pthread_create(&thread, NULL, user, NULL);
#ifdef READS
  seen = shared.bytes[23];
#elif defined PARTS
  shared.bytes[6] = seen = 1;
#elif defined STRLEN
  shared.bytes[0] = seen = 1;
#else
  shared.bytes[20] = seen = 1;
#endif
  pthread_join(thread, NULL);
  return seen == 2;
}
