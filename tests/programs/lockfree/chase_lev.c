// check: sc=holds tso=holds pso=holds states=sc:251,tso:217,pso:217
// check: -DNO_TAKE_FENCE sc=holds tso=violated(assertion) pso=violated(assertion) at=88 states=sc:251,tso:310,pso:310
// check: -DNO_STEAL_FENCE sc=holds tso=holds pso=holds states=sc:251,tso:203,pso:203
// check: -DRELAXED_PUSH sc=holds tso=holds pso=violated(assertion) at=88 states=sc:251,tso:217,pso:192
// check: -DNO_LAST_RACE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=88 states=sc:291,tso:277,pso:277
//
// A work-stealing deque: D. Chase and Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005; its fences after N. M. Lê, A. Pop, A.
// Cohen and F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory models", PPoPP 2013, figure 1.
// The owner reserves the bottom task by lowering `bottom` and then looks at `top`; thieves do the reverse. Only for the last task they meet at a
// compare-exchange. If the lowered `bottom` is still in the owner's buffer when it looks, thieves can take the tasks above it, the owner's
// among them: that is the fence of take (-DNO_TAKE_FENCE: wrong under TSO). The thief's fence is between two loads, which TSO and PSO keep in
// order (-DNO_STEAL_FENCE: POWER needs it). PSO must see a task before the new bottom (-DRELAXED_PUSH). The last task is raced for (-DNO_LAST_RACE).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED_PUSH
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
#define TASKS 2
#define NOTHING (-1)

// Large enough that it need not wrap around. Tasks are 1..TASKS; 0 is a place that was never written.
static atomic_int tasks[TASKS];
static atomic_int top, bottom;

static void push(int task) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, PUBLISH);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef NO_TAKE_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  int task = t <= b ? atomic_load_explicit(&tasks[b], memory_order_relaxed) : NOTHING;
  if (t < b)
    return task;
#ifndef NO_LAST_RACE
  if (t == b && !atomic_compare_exchange_strong(&top, &t, t + 1))
    task = NOTHING;
#endif
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return task;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
#ifndef NO_STEAL_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return NOTHING;
  int task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? task : NOTHING;
}

static int done[2][TASKS + 1];  // by owner and thief; how often each task

static void *thief(void *unused) {
  for (int i = 0; i < TASKS; i++) {
    int task = steal();
    if (task != NOTHING)
      done[1][task]++;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, thief, NULL);
  for (int task = 1; task <= TASKS; task++)
    push(task);
  int task = take();
  if (task != NOTHING)
    done[0][task]++;
  pthread_join(thread, NULL);
  while ((task = take()) != NOTHING)
    done[0][task]++;
  for (task = 0; task <= TASKS; task++)
    assert(done[0][task] + done[1][task] == (task > 0));
  return 0;
}
