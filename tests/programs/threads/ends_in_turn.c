// check: sc=holds tso=holds pso=holds states=sc:64,tso:64,pso:64
// check: -DDETACH sc=holds tso=holds pso=holds states=sc:188,tso:188,pso:188
// check: -DUNJOINED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:63,tso:63,pso:63
//
// Ends of threads that matter to different threads: one is joined by main, one by another thread, which is joined after it has made a third one that takes the first one's number.
// With DETACH that one detaches itself before it ends, so its number is free again at once. With UNJOINED main expects what the one that nobody waits for has not done yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int count;
static pthread_t first;

static void *add(void *amount) {
#ifdef DETACH
  if ((intptr_t)amount == 4)
    pthread_detach(pthread_self());
#endif
  atomic_fetch_add_explicit(&count, (int)(intptr_t)amount, memory_order_relaxed);
  return amount;
}

static void *join_and_create(void *unused) {
  void *amount;
  pthread_join(first, &amount);
  assert((intptr_t)amount == 1 && atomic_load_explicit(&count, memory_order_relaxed) % 2 == 1);
  pthread_t third;
  pthread_create(&third, NULL, add, (void *)(intptr_t)4);
#ifndef DETACH
#ifndef UNJOINED
  pthread_join(third, NULL);
#endif
#endif
  return unused;
}

int main(void) {
  pthread_t second, other;
  pthread_create(&first, NULL, add, (void *)(intptr_t)1);
  pthread_create(&second, NULL, join_and_create, NULL);
  pthread_create(&other, NULL, add, (void *)(intptr_t)2);
  pthread_join(other, NULL);
  pthread_join(second, NULL);
#ifdef DETACH
  assert(atomic_load_explicit(&count, memory_order_relaxed) % 4 == 3);
#else
  assert(atomic_load_explicit(&count, memory_order_relaxed) == 7);
#endif
  return 0;
}
