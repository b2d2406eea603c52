// check: sc=holds tso=holds pso=holds
//
// Two threads join children of the first one, which creates another thread meanwhile. The new thread may have
// the number of a child that was joined: the order of the joins and the creation decides which number it has.
#include <pthread.h>

static pthread_t children[2], others[2], last;
static int joined;

static void *child(void *unused) { return unused; }

static void *joins(void *which) {
  pthread_join(children[(long)which], NULL);
  joined++;
  return NULL;
}

int main(void) {
  for (int i = 0; i < 2; i++)
    pthread_create(&children[i], NULL, child, NULL);
  for (long i = 0; i < 2; i++)
    pthread_create(&others[i], NULL, joins, (void *)i);
  pthread_create(&last, NULL, child, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], NULL);
}
