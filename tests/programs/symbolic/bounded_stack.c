// check: sc=holds tso=holds pso=holds
// check: -DUNGUARDED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DUNGUARDED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A stack in an array behind a mutex. A thread that takes an element must look whether there is one in the
// same critical section (-DUNGUARDED: it remembers that there was one).
#include <assert.h>
#include <pthread.h>

#ifndef TURNS
#define TURNS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned elements[TURNS];
static int height;

static void push(unsigned element) {
  assert(height < TURNS);
  elements[height++] = element;
}

static unsigned pop(void) {
  assert(height > 0);
  return elements[--height];
}

static void *producer(void *unused) {
  for (unsigned turn = 0; turn < TURNS; turn++) {
    pthread_mutex_lock(&mutex);
    push(turn + 1);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *consumer(void *unused) {
  for (int turn = 0; turn < TURNS; turn++) {
    pthread_mutex_lock(&mutex);
#ifdef UNGUARDED
    int has_element = height > 0;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
#else
    int has_element = height > 0;
#endif
    if (has_element)
      assert(pop() != 0);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, producer, 0);
  pthread_create(&threads[1], 0, consumer, 0);
  pthread_create(&threads[2], 0, consumer, 0);
  for (int thread = 0; thread < 3; thread++)
    pthread_join(threads[thread], 0);
  return 0;
}
