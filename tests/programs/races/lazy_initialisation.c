// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=20 related=35 states=sc:24,tso:19,pso:19
// check: --races -DRELAXED sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=42 related=34,33 states=sc:34,tso:29,pso:29
// check: --races -DACQUIRE sc=holds tso=holds pso=holds states=sc:60,tso:55,pso:55
// check: --races -DLOCK_ALWAYS sc=holds tso=holds pso=holds states=sc:34,tso:31,pso:31
//
// Double-checked locking: the fast path reads a plain pointer, a relaxed one, one with acquire; or there is none.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic instance;

static int *load(void) {
#ifdef ACQUIRE
  return atomic_load_explicit(&instance, memory_order_acquire);
#elif defined RELAXED
  return atomic_load_explicit(&instance, memory_order_relaxed);
#else
  return *(int **)&instance;
#endif
}

static int *get(void) {
#ifndef LOCK_ALWAYS
  int *fast = load();
  if (fast != NULL)
    return fast;
#endif
  pthread_mutex_lock(&mutex);
  int *here = atomic_load_explicit(&instance, memory_order_relaxed);
  if (here == NULL) {
    here = malloc(sizeof *here);
    *here = 7;
    atomic_store_explicit(&instance, here, memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
  return here;
}

static void *user(void *unused) {
  return *get() == 7 ? unused : &mutex;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, user, NULL);
  user(NULL);
  pthread_join(thread, NULL);
  free(instance);
  return 0;
}
