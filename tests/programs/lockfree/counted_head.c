// check: sc=holds tso=holds pso=holds states=sc:259,tso:242,pso:272
// check: -DHEAD_ONLY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=62 states=sc:194,tso:182,pso:195
//
// Treiber's stack whose head carries a count of the pops, exchanged together with it by one instruction of 16 bytes: the count tells a
// head that came back from one that never left (ABA). With HEAD_ONLY the count is ignored: a pop may then install the
// successor that its entry had before.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct entry {
  struct entry *next;
  int owned;
};

struct head {
  struct entry *first;
  unsigned long pops;
};

static struct head stack __attribute__((aligned(16)));
static struct entry entries[2];

static struct entry *load(struct entry **from) {
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

#ifdef HEAD_ONLY
static bool replace(struct head *seen, struct head next) {
  return __atomic_compare_exchange_n(&stack.first, &seen->first, next.first, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#else
static bool replace(struct head *seen, struct head next) {
  bool done;
  __asm__ volatile("lock; cmpxchg16b %0; sete %3"
                   : "+m"(stack), "+a"(seen->first), "+d"(seen->pops), "=q"(done)
                   : "b"(next.first), "c"(next.pops)
                   : "memory", "cc");
  return done;
}
#endif

static void push(struct entry *entry) {
  struct head seen = {load(&stack.first), __atomic_load_n(&stack.pops, __ATOMIC_RELAXED)};
  do
    __atomic_store_n(&entry->next, seen.first, __ATOMIC_RELAXED);
  while (!replace(&seen, (struct head){entry, seen.pops}));
}

static struct entry *pop(void) {
  // The count first: a head that is newer than its count makes the exchange fail.
  struct head seen;
  seen.pops = __atomic_load_n(&stack.pops, __ATOMIC_ACQUIRE);
  seen.first = load(&stack.first);
  while (seen.first != NULL && !replace(&seen, (struct head){load(&seen.first->next), seen.pops + 1})) {
  }
  return seen.first;
}

static void own(struct entry *entry) {
  assert(__atomic_fetch_add(&entry->owned, 1, __ATOMIC_RELAXED) == 0);
}

static void *pop_one(void *unused) {
  struct entry *entry = pop();
  if (entry != NULL)
    own(entry);
  return unused;
}

static void *pop_two_push_first(void *unused) {
  struct entry *first = pop();
  struct entry *second = pop();
  if (second != NULL)
    own(second);
  if (first != NULL)
    push(first);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  push(&entries[1]);
  push(&entries[0]);
  pthread_create(&threads[0], NULL, pop_one, NULL);
  pthread_create(&threads[1], NULL, pop_two_push_first, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  // Nothing that a thread owns is on the stack.
  for (struct entry *entry = pop(); entry != NULL; entry = pop())
    own(entry);
  return 0;
}
