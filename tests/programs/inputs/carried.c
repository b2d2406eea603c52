// check: --svcomp sc=holds tso=holds pso=holds states=sc:15,tso:9,pso:9
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:15,tso:9,pso:9
//
// An input goes through store buffers, copies of structs, calls, atomic exchanges and the result of a thread,
// and remains the same value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

struct message {
  int head, body[2];
};
struct message sent, received;
_Atomic int ready, cell;

static int same(int x) { return x; }

static void *sender(void *unused) {
  (void)unused;
  int x = __VERIFIER_nondet_int();
  sent.head = x;
  sent.body[0] = sent.body[1] = same(x);
  atomic_exchange(&cell, x);
  atomic_store(&ready, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  if (atomic_load(&ready)) {
    memcpy(&received, &sent, sizeof sent);
    struct message copy = received;
    assert(copy.head == copy.body[1]);
    assert(cell == copy.body[0]);
#ifdef WRONG
    assert(copy.head != -12345);
#endif
  }
  pthread_join(thread, 0);
  return 0;
}
