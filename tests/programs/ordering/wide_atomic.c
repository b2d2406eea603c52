// check: sc=holds tso=holds pso=holds states=sc:6,tso:6,pso:6
//
// Atomic members of every width keep to themselves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static struct {
  _Atomic uint8_t a;
  _Atomic uint16_t b;
  _Atomic uint32_t c;
  _Atomic uint64_t d;
} all = {UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX};

static void *add(void *unused) {
  atomic_fetch_add(&all.a, 2);
  atomic_fetch_sub(&all.b, 1);
  atomic_fetch_xor(&all.c, 0xffff);
  atomic_fetch_and(&all.d, 0xff);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  pthread_join(thread, NULL);
  assert(all.a == 1 && all.b == 0xfffe && all.c == 0xffff0000 && all.d == 0xff);
  return 0;
}
