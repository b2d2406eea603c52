// check: sc=holds tso=holds pso=holds states=sc:1865,tso:1554,pso:1554
// check: -DNO_OWNER_FENCE sc=holds tso=violated(assertion) pso=violated(assertion) at=98 states=sc:1865,tso:2682,pso:2710
// check: -DNO_THIEF_FENCE sc=holds tso=violated(assertion) pso=violated(assertion) at=98 states=sc:1865,tso:1643,pso:1643
// check: -DRELAXED_PUSH sc=holds tso=holds pso=violated(assertion) at=98 states=sc:1865,tso:1554,pso:1052
// check: -DUNLOCKED_THIEF sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=98 states=sc:304,tso:1087,pso:1170
//
// Work stealing in Cilk: M. Frigo, C. E. Leiserson and K. H. Randall, "The implementation of the Cilk-5 multithreaded language", PLDI 1998,
// figure 5 (the T.H.E. protocol, here without E for exceptions).
// Owner and thief each move their end of the deque first and look at the other end afterwards, as in Dekker's algorithm; if they find that they
// may have met, the owner asks again under the lock that thieves hold. Each needs a full fence between its store and its look. The lock is no
// substitute for the thief's: it comes before the store. PSO must see the task before the tail (-DRELAXED_PUSH). Two thieves that do not
// exclude each other move the head by loads and stores that overlap (-DUNLOCKED_THIEF).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED_PUSH
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)
#define TASKS 2
#define THIEVES 2
#define NOTHING (-1)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int tasks[TASKS + 1];  // 1..TASKS; 0 is a place that was never written
static atomic_int head, tail;

static void push(int task) {
  SET(tasks[GET(tail)], task);
  atomic_store_explicit(&tail, GET(tail) + 1, PUBLISH);
}

static void owner_fence(void) {
#ifndef NO_OWNER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static int pop(void) {
  int last = GET(tail) - 1;
  SET(tail, last);
  owner_fence();
  if (GET(head) <= last)
    return GET(tasks[last]);
  SET(tail, last + 1);
  pthread_mutex_lock(&mutex);
  SET(tail, last);
  int task = GET(head) <= last ? GET(tasks[last]) : NOTHING;
  if (task == NOTHING)
    SET(tail, last + 1);
  pthread_mutex_unlock(&mutex);
  return task;
}

static int steal(void) {
#ifndef UNLOCKED_THIEF
  pthread_mutex_lock(&mutex);
#endif
  int first = GET(head);
  SET(head, first + 1);
#ifndef NO_THIEF_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int task = first + 1 <= GET(tail) ? GET(tasks[first]) : NOTHING;
  if (task == NOTHING)
    SET(head, first);
#ifndef UNLOCKED_THIEF
  pthread_mutex_unlock(&mutex);
#endif
  return task;
}

static int done[THIEVES + 1][TASKS + 1];  // by thread, the owner last; how often each task

static void *thief(void *argument) {
  int me = argument != NULL, task = steal();
  if (task != NOTHING)
    done[me][task]++;
  return NULL;
}

int main(void) {
  pthread_t threads[THIEVES];
  pthread_create(&threads[0], NULL, thief, NULL);
  pthread_create(&threads[1], NULL, thief, &mutex);
  for (int task = 1; task <= TASKS; task++)
    push(task);
  int task;
  while ((task = pop()) != NOTHING)
    done[THIEVES][task]++;
  for (int i = 0; i < THIEVES; i++)
    pthread_join(threads[i], NULL);
  for (task = 0; task <= TASKS; task++)
    assert(done[0][task] + done[1][task] + done[2][task] == (task > 0));
  return 0;
}
