// check: sc=holds tso=holds pso=holds states=sc:311,tso:262,pso:262
// check: -DIF sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=51 states=sc:202,tso:182,pso:182
// check: -DONE_CONDITION sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=37 states=sc:312,tso:277,pso:277
// check: -DONE_CONDITION -DBROADCAST sc=holds tso=holds pso=holds states=sc:278,tso:233,pso:233
//
// A bounded buffer as a monitor: C. A. R. Hoare, "Monitors: an operating system structuring concept", CACM 17(10), 1974, section 4. POSIX's
// conditions are Mesa's (B. W. Lampson and D. D. Redell, "Experience with processes and monitors in Mesa", CACM 23(2), 1980): a signalled thread
// runs later, and must look again. With -DIF it does not, and another consumer may have been faster. With one condition for both sides a
// signal can go to a thread that waits for something else (-DONE_CONDITION): the consumer that took the first item wakes the other consumer
// instead of the producer. All must be woken then (-DBROADCAST). Everything is done under the mutex: the models agree.
#include <assert.h>
#include <pthread.h>

#define CAPACITY 1
#define CONSUMERS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define not_full not_empty
#else
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#endif
static int items[CAPACITY], count;

static void notify(pthread_cond_t *condition) {
#ifdef BROADCAST
  pthread_cond_broadcast(condition);
#else
  pthread_cond_signal(condition);
#endif
}

static void put(int item) {
  pthread_mutex_lock(&mutex);
  while (count == CAPACITY)
    pthread_cond_wait(&not_full, &mutex);
  items[count++] = item;
  notify(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int get(void) {
  pthread_mutex_lock(&mutex);
#ifdef IF
  if (count == 0)
#else
  while (count == 0)
#endif
    pthread_cond_wait(&not_empty, &mutex);
  assert(count > 0);
  int item = items[--count];
  notify(&not_full);
  pthread_mutex_unlock(&mutex);
  return item;
}

static int received[CONSUMERS];

static void *consumer(void *argument) {
  received[argument != NULL] = get();
  return NULL;
}

int main(void) {
  pthread_t threads[CONSUMERS];
  pthread_create(&threads[0], NULL, consumer, NULL);
  pthread_create(&threads[1], NULL, consumer, &mutex);
  put(1);
  put(2);
  for (int i = 0; i < CONSUMERS; i++)
    pthread_join(threads[i], NULL);
  assert(received[0] + received[1] == 3);
  return 0;
}
