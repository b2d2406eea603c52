// check: --svcomp sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
// check: --svcomp -O2 sc=holds states=sc:9
// check: --svcomp -O0 sc=holds states=sc:9
// check: --svcomp -DWRONG sc=violated(assertion) pso=violated(assertion) states=sc:7,pso:7
//
// Copies keep every byte of an input what it is: parts of it, bytes beside those of other inputs, and bytes
// beside uninitialised ones. Only what is compared is joined to a number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned long __VERIFIER_nondet_ulong(void);

struct padded {
  unsigned char kind;
  unsigned value;
};

struct three {
  unsigned char bytes[3];
};

__attribute__((noinline)) static unsigned value_of(struct padded record) {
  return record.value;
}

static void *copy_of(const void *from, size_t size) {
  void *to = malloc(size);
  memcpy(to, from, size);
  return to;
}

static void *padding(void *unused) {
  (void)unused;
  struct padded *one = malloc(sizeof *one), *other = malloc(sizeof *other);
  one->kind = __VERIFIER_nondet_uchar();
  one->value = __VERIFIER_nondet_uint();
  *other = *one;
  assert(other->value == one->value && other->kind == one->kind);
  assert(value_of(*other) == one->value);
  unsigned long word;
  memcpy(&word, other, 8);
  assert(word >> 32 == one->value);
  assert((word & 0xff) == one->kind);
  free(one);
  free(other);
  return 0;
}

static void *pieces(void *unused) {
  (void)unused;
  unsigned x = __VERIFIER_nondet_uint(), y = 0;
  struct three part, *copy;
  memcpy(&part, (char *)&x + 1, 3);
  copy = copy_of(&part, 3);
  memcpy(&y, copy, 3);
  assert(y == x >> 8);
  assert(copy->bytes[1] == (unsigned char)(x >> 16));
  memmove(copy->bytes + 1, copy->bytes, 2);
  assert(copy->bytes[2] == (unsigned char)(x >> 16));
  free(copy);
  return 0;
}

static void *joined(void *unused) {
  (void)unused;
  unsigned char *bytes = malloc(16);
  unsigned x = __VERIFIER_nondet_uint(), z;
  unsigned long y = __VERIFIER_nondet_ulong(), w;
  memcpy(bytes + 1, &x, 4);
  memcpy(bytes + 5, &y, 8);
  memcpy(&w, bytes + 1, 8);
  assert((unsigned)w == x);
  assert(w >> 32 == (y & 0xffffffff));
  // The first byte is uninitialised.
  memcpy(&z, bytes, 4);
  assert(z >> 8 == (x & 0xffffff));
#ifdef WRONG
  assert(w != 0x123456789abcdef0);
#endif
  free(bytes);
  return 0;
}

static void *texts(void *unused) {
  (void)unused;
  unsigned x = __VERIFIER_nondet_uint();
  if (memcmp(&x, "abcd", 4) == 0)
    assert(x == 0x64636261);
  return 0;
}

int main(void) {
  void *(*each[])(void *) = {padding, pieces, joined, texts};
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, each[i], 0);
    pthread_join(thread, 0);
  }
  return 0;
}
