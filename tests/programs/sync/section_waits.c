// check: --svcomp -DIN=LOCK sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=LOOP sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=LOOP --engine=dpor sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=LOOP --engine=reads-from sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=JOIN sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=JOIN --engine=dpor sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=JOIN --engine=reads-from sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --svcomp -DIN=JOIN -DENDED sc=violated(join-twice) tso=violated(join-twice) pso=violated(join-twice)
// check: --svcomp -DIN=JOIN -DENDED --engine=dpor sc=violated(join-twice) tso=violated(join-twice) pso=violated(join-twice)
// check: --svcomp -DIN=JOIN -DENDED --engine=reads-from sc=violated(join-twice) tso=violated(join-twice) pso=violated(join-twice)
// check: --svcomp -DIN=ASSUMPTION sc=holds tso=holds pso=holds
// check: --svcomp -DIN=ASSUMPTION --engine=reads-from sc=holds tso=holds pso=holds
// check: --svcomp -DIN=ASSERTION sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp -DIN=ASSERTION --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp -DIN=LONG sc=holds tso=holds pso=holds
// check: --svcomp -DIN=LONG --engine=reads-from sc=holds tso=holds pso=holds
// check: --svcomp -DIN=LONG --engine=dpor --unroll=9 sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: --svcomp -DIN=LONG --engine=reads-from --unroll=9 sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: --svcomp -DIN=LOOP --engine=reads-from --unroll=9 sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: --svcomp -DIN=AGAIN sc=holds tso=holds pso=holds
// check: --svcomp -DIN=AGAIN --engine=dpor sc=holds tso=holds pso=holds
// check: --svcomp -DIN=AGAIN --engine=reads-from sc=refused(ever) tso=refused(ever) pso=refused(ever)
// check: --svcomp -DIN=CHOICE sc=holds tso=holds pso=holds
// check: --svcomp -DIN=CHOICE --engine=dpor sc=holds tso=holds pso=holds
// check: --svcomp -DIN=CHOICE --engine=reads-from sc=holds tso=holds pso=holds
//
// Nobody can end a wait in an atomic section. The other thread has done all that shows before the section begins, but its end: whether that is waited for in vain is seen in no
// other way; nor does a delayed store reach memory while the section lasts. An engine that takes the end for a part of the step before misses the deadlock of JOIN, and one that reverses only races between events that happened finds nothing
// but the deadlock. With CHOICE the section is several steps for some engines. With ENDED the deadlock is an assumption that is false, so that what comes behind it is the violation.
#include <assert.h>
#include <pthread.h>

unsigned rmc_choose(unsigned);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int pthread_tryjoin_np(pthread_t, void **);

static int flag, held, sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void *run(void *unused) {
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
  held = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

#define LOCK pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex)
#define JOIN pthread_join(thread, 0)
#define ASSUMPTION __VERIFIER_assume(held)
#define ASSERTION assert(held)
#define LOOP while (!held)
#define CHOICE int before = held; sum = rmc_choose(2) + held + rmc_choose(2); assert(held == before)
#define AGAIN while (rmc_choose(2))
#define LONG for (int turn = 0; turn < 50000; turn++) sum = turn % 2 + held

int main(void) {
  pthread_create(&thread, 0, run, 0);
  while (!__atomic_load_n(&flag, __ATOMIC_SEQ_CST))
    ;
  __VERIFIER_atomic_begin();
#ifdef ENDED
  __VERIFIER_assume(pthread_tryjoin_np(thread, 0) == 0);
#endif
  IN;
  __VERIFIER_atomic_end();
  return 0;
}
