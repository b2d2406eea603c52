// check: --races -DCONDITION sc=holds tso=holds pso=holds states=sc:17,tso:15,pso:15
// check: --races -DCONDITION -DOUTSIDE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=110 related=92 states=sc:16,tso:14,pso:14
// check: --races -DBARRIER sc=holds tso=holds pso=holds states=sc:11,tso:11,pso:11
// check: --races -DBARRIER -DOUTSIDE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:11,tso:10,pso:10
// check: --races -DSEMAPHORE sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
// check: --races -DSEMAPHORE -DOUTSIDE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=110 related=92 states=sc:7,tso:6,pso:6
// check: --races -DTWO_UNITS sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=64 related=64 states=sc:19,tso:14,pso:14
// check: --races -DRWLOCK sc=holds tso=holds pso=holds states=sc:48,tso:40,pso:40
// check: --races -DRWLOCK -DREADERS sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=68 related=68 states=sc:19,tso:14,pso:14
// check: --races -DSPINLOCK sc=holds tso=holds pso=holds states=sc:14,tso:11,pso:11
// check: --races -DONCE sc=holds tso=holds pso=holds states=sc:25,tso:21,pso:21
// check: --races -DONCE -DOUTSIDE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:31,tso:25,pso:25
//
// What the objects of the thread library order: the value is written before the thread hands on, and read behind; with OUTSIDE, written after it.
#include <pthread.h>
#include <semaphore.h>

static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;

static void write_value(void) { value++; }

static void hand_on(void) {
#ifdef CONDITION
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
#elif defined BARRIER
  pthread_barrier_wait(&barrier);
#elif defined SEMAPHORE
  sem_post(&semaphore);
#elif defined ONCE
  pthread_once(&once, write_value);
#endif
}

static void receive(void) {
#ifdef CONDITION
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
#elif defined BARRIER
  pthread_barrier_wait(&barrier);
#elif defined SEMAPHORE
  sem_wait(&semaphore);
#elif defined ONCE
  pthread_once(&once, write_value);
#endif
}

/* The objects that exclude each other, both threads alike. */
static void exclusive(void) {
#ifdef TWO_UNITS
  sem_wait(&semaphore);
  value++;
  sem_post(&semaphore);
#elif defined READERS
  pthread_rwlock_rdlock(&rwlock);
  value++;
  pthread_rwlock_unlock(&rwlock);
#elif defined RWLOCK
  pthread_rwlock_rdlock(&rwlock);
  int seen = value;
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_wrlock(&rwlock);
  value = seen + 1;
  pthread_rwlock_unlock(&rwlock);
#elif defined SPINLOCK
  pthread_spin_lock(&spinlock);
  value++;
  pthread_spin_unlock(&spinlock);
#endif
}

static void *other(void *unused) {
#if defined CONDITION || defined BARRIER || defined SEMAPHORE
#ifndef OUTSIDE
  value = 1;
#endif
#endif
  hand_on();
#ifdef OUTSIDE
  value = 2;
#endif
  exclusive();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
#ifdef TWO_UNITS
  sem_init(&semaphore, 0, 2);
#else
  sem_init(&semaphore, 0, 0);
#endif
  pthread_create(&thread, NULL, other, NULL);
  receive();
#if defined CONDITION || defined BARRIER || defined SEMAPHORE || defined ONCE
  int seen = value;
#else
  int seen = 0;
#endif
  exclusive();
  pthread_join(thread, NULL);
  return seen > 2;
}
