// check: sc=holds tso=holds pso=holds states=sc:471,tso:499,pso:515
// check: -DPLAIN_COPY sc=violated(assertion) states=sc:46
// check: -DFENCE=memory_order_release sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:29,tso:18,pso:18
// check: -DFENCE=memory_order_seq_cst sc=holds tso=holds pso=holds states=sc:29,tso:26,pso:26
//
// Atomic objects of any size through the functions of libatomic, and those of stdatomic.h that are called as functions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct triple { long a, b, c; };
struct odd { char text[21]; };
struct pair { long a, b; };

static _Atomic struct triple triple;
static _Atomic struct pair pair;
static struct triple plain;
static atomic_flag held = ATOMIC_FLAG_INIT;
static atomic_int x, y, counter;

#ifdef FENCE
static int seen[2];

static void *look(void *argument) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  (atomic_thread_fence)(FENCE);
  seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  (atomic_thread_fence)(FENCE);
  seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, NULL);
  assert(seen[0] || seen[1]);
  return 0;
}
#else
static void *write_all(void *argument) {
#ifdef PLAIN_COPY
  plain = (struct triple){1, 1, 1};
#else
  triple = (struct triple){1, 1, 1};
  pair = (struct pair){2, 2};
#endif
  while ((atomic_flag_test_and_set)(&held)) {
  }
  counter = counter + 1;
  (atomic_flag_clear_explicit)(&held, memory_order_release);
  return argument;
}

int main(void) {
  _Atomic struct odd odd;
  struct odd abc = {"ab"}, other = {"xy"};
  atomic_init(&odd, abc);
  struct odd loaded = atomic_load(&odd);
  assert(loaded.text[1] == 'b');
  assert(!atomic_compare_exchange_strong(&odd, &other, abc) && other.text[0] == 'a');
  assert(atomic_compare_exchange_strong(&odd, &abc, (struct odd){"cd"}));
  loaded = atomic_exchange(&odd, abc);
  assert(loaded.text[1] == 'd');
  _Atomic __int128 wide = 5;
  assert(atomic_fetch_add(&wide, ((__int128)1 << 64) + 2) == 5 && wide == ((__int128)1 << 64) + 7);
  assert(atomic_exchange(&wide, 9) >> 64 == 1 && atomic_load(&wide) == 9);
  assert(atomic_is_lock_free(&x) && !atomic_is_lock_free(&triple));
  pthread_t thread;
  pthread_create(&thread, NULL, write_all, NULL);
#ifdef PLAIN_COPY
  struct triple now = plain;
#else
  struct triple now = triple;
  struct pair both = pair;
  assert(both.a == both.b && (both.a != 2 || now.a == now.b));
#endif
  assert(now.a == now.b && now.b == now.c);
  while ((atomic_flag_test_and_set_explicit)(&held, memory_order_acquire)) {
  }
  counter = counter + 1;
  (atomic_flag_clear)(&held);
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
#endif
