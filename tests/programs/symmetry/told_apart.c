// check: --reduce=symmetry,paths,dead -DHANDLE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=62 states=sc:28,tso:28,pso:28
// check: --reduce=symmetry,paths,dead -DRESULT sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=62 states=sc:16,tso:16,pso:16
// check: --reduce=symmetry,paths,dead -DADDRESS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=62 states=sc:173,tso:173,pso:173
// check: --reduce=symmetry,paths,dead -DBETWEEN sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:14,tso:14,pso:14
// check: --reduce=symmetry,paths,dead -DLIKE_ADDRESS sc=holds tso=holds pso=holds states=sc:15,tso:15,pso:15
// check: --reduce=symmetry,paths,dead -DHOLDER sc=holds tso=holds pso=holds states=sc:53,tso:53,pso:53
//
// What tells threads apart: their own numbers, what one of them returns, the number of an address, what main does when one has ended. If such threads were exchanged, main would be right that the
// second cannot be first. An array of numbers that look like addresses stays what it is, and a thread unlocks only what it holds itself.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_ulong first, turn;
atomic_int late;
int numbers[4] = {5, 600, 7, 900};
pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

void *work(void *unused) {
  (void)unused;
  int place = 0;
  (void)place;
  unsigned long now = turn++;
#ifdef HANDLE
  if (now == 0) first = pthread_self();
#elif defined ADDRESS
  if (now == 0) first = (uintptr_t)&place >> 40;
#elif defined RESULT
  return (void *)(now + 1);
#elif defined BETWEEN
  if (now == 0) while (late == 0);
#elif defined HOLDER
  int held = pthread_mutex_trylock(&mutex) == 0;
  int freed = pthread_mutex_unlock(&mutex) == 0;
  assert(held == freed);
#endif
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
#ifdef RESULT
  void *result;
  pthread_join(one, 0);
  pthread_join(other, &result);
  if (result == (void *)1) first = 3;
#elif defined BETWEEN
  pthread_join(one, 0);
  first = 3;
  late = 1;
  pthread_join(other, 0);
#else
  pthread_join(one, 0);
  pthread_join(other, 0);
#endif
  unsigned long who = first;
  assert(numbers[1] == 600 && numbers[3] == 900);
  assert(who != 3);
}
