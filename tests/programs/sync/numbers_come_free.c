// check: --engine=explicit sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:166,tso:166,pso:166
// check: --engine=explicit -DKEPT sc=holds tso=holds pso=holds states=sc:255,tso:255,pso:255
//
// The identifier of a thread that was joined may be given to a new one. The first creator's child is gone
// when main creates the second creator, which therefore has the child's identifier. The second creator's
// child need not have the identifier of the first creator, because main may not have joined that one yet.
// With KEPT the first creator joins its child when all others were created, and no identifier is reused.
// POSIX leaves the use of the identifier of a joined thread undefined; the stateless engine gives it to no
// child of another thread.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t children[2];
static sem_t created;

static void *child(void *unused) {
  return unused;
}

static void *create_child(void *number) {
  pthread_t *mine = &children[(long)number];
  pthread_create(mine, NULL, child, NULL);
#ifdef KEPT
  sem_post(&created);
  if (number == NULL) {
    sem_wait(&created);
    sem_wait(&created);
  }
#endif
  pthread_join(*mine, NULL);
  return NULL;
}

int main(void) {
  pthread_t creators[2];
  sem_init(&created, 0, 0);
  for (long number = 0; number < 2; number++)
    pthread_create(&creators[number], NULL, create_child, (void *)number);
  for (int number = 0; number < 2; number++)
    pthread_join(creators[number], NULL);
  assert(!pthread_equal(children[0], creators[1]) || pthread_equal(children[1], creators[0]));
}
