// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:109,tso:12,pso:12
// check: -DSTORE=RELEASE --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:109,tso:12,pso:12
// check: -DLOAD=ACQUIRE --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:109,tso:12,pso:12
// check: -DSTORE=RELEASE -DLOAD=ACQUIRE --races sc=holds tso=holds pso=holds states=sc:134,tso:59,pso:59
// check: -DSTORE=SEQ_CST -DLOAD=SEQ_CST --races sc=holds tso=holds pso=holds states=sc:134,tso:107,pso:107
// check: -DSTORE=RELEASE -DLOAD=ACQUIRE -DSEQUENCE --races sc=holds tso=holds pso=holds states=sc:891,tso:589,pso:589
// check: -DSTORE=RELEASE -DLOAD=ACQUIRE -DSEQUENCE -DEXCHANGE --races sc=holds tso=holds pso=holds states=sc:920,tso:620,pso:620
// check: -DSTORE=RELEASE -DLOAD=ACQUIRE -DSEQUENCE --cross-check sc=holds tso=holds pso=holds states=sc:891,tso:589,pso:589
//
// Atomic objects of 24 bytes, which libatomic copies under a lock: what orders threads is the order that the
// program asks for, not the lock. A read-modify-write goes on with the release sequence of what it read
// (SEQUENCE).
#include <pthread.h>

#ifndef STORE
#define STORE RELAXED
#endif
#ifndef LOAD
#define LOAD RELAXED
#endif
#define ORDER(name) ORDER_(name)
#define ORDER_(name) __ATOMIC_##name

struct large {
  long number, more, last;
};

static struct large shared;
int data;

static void *writes(void *unused) {
  struct large value = {1, 2, 3};
  data = 1;
  __atomic_store(&shared, &value, ORDER(STORE));
  return unused;
}

#ifdef SEQUENCE
static void *updates(void *unused) {
  struct large expected = {1, 2, 3}, next = {1, 4, 5};
#ifdef EXCHANGE
  struct large old;
  __atomic_load(&shared, &old, __ATOMIC_RELAXED);
  if (old.number)
    __atomic_exchange(&shared, &next, &expected, __ATOMIC_RELAXED);
#else
  __atomic_compare_exchange(&shared, &expected, &next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
  struct large seen;
  pthread_create(&thread, NULL, writes, NULL);
#ifdef SEQUENCE
  pthread_t second;
  pthread_create(&second, NULL, updates, NULL);
#endif
  __atomic_load(&shared, &seen, ORDER(LOAD));
  if (seen.number)
    data = 2;
  pthread_join(thread, NULL);
#ifdef SEQUENCE
  pthread_join(second, NULL);
#endif
  return 0;
}
