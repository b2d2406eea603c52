// One thread, every kind of access: a program that runs alone behaves as without instrumentation. Library functions
// access memory past the store buffers, so they show whether these are drained in time.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mixed {
  uint8_t bytes[5];
  uint16_t half;
  uint64_t word;
  double real;
  long double wide;
};

static struct mixed global, copy;
static char text[64] = "0123456789abcdef";
static union { uint8_t bytes[8]; uint32_t halves[2]; uint64_t word; } overlay;
static _Atomic uint8_t small;
static _Atomic int signed_int;
static _Atomic unsigned long counter;
static _Atomic(struct mixed *) pointer;
static _Atomic double real;
static __int128 huge;

typedef int32_t v4 __attribute__((vector_size(16)));
typedef _Bool mask4 __attribute__((ext_vector_type(4)));
v4 load4(const void *, int, mask4, v4) __asm__("llvm.masked.load.v4i32.p0");
void store4(v4, void *, int, mask4) __asm__("llvm.masked.store.v4i32.p0");
void compress4(v4, void *, mask4) __asm__("llvm.masked.compressstore.v4i32");

static void sizes(void) {
  global = (struct mixed){.bytes = {1, 2, 3, 4, 5}, .half = 6, .word = 7, .real = 8.5, .wide = 9.25L};
  copy = global;
  assert(copy.bytes[4] == 5 && copy.half == 6 && copy.word == 7 && copy.real == 8.5 && copy.wide == 9.25L);
  overlay.word = 0x1122334455667788;
  overlay.bytes[1] = 0xaa;
  assert(overlay.halves[0] == 0x5566aa88 && overlay.halves[1] == 0x11223344);
  huge = (__int128)1 << 100;
  huge += 5;
  assert((uint64_t)(huge >> 100) == 1 && (uint64_t)huge == 5);
}

static void copies(void) {
  memmove(text + 3, text, 16);
  assert(strcmp(text, "0120123456789abcdef") == 0);
  memmove(text, text + 3, 17);
  assert(memcmp(text, "0123456789abcdef", 17) == 0);
  memset(text + 1, 'z', 13);
  assert(strlen(text) == 16 && strcmp(text, "0zzzzzzzzzzzzzef") == 0);
}

// Library functions write past the store buffers, too.
static void library(void) {
  char line[32] = "older";
  int number = 5;
  text[0] = 'x';
  assert(snprintf(line, sizeof line, "%s:%d", text, number) == 18);
  assert(strcmp(line, "xzzzzzzzzzzzzzef:5") == 0);
  number = 6;
  assert(sscanf("17 abc", "%d %31s", &number, line) == 2 && number == 17 && memcmp(line, "abc", 4) == 0);
}

static void atomics(void) {
  small = 250;
  assert(atomic_fetch_add(&small, 10) == 250 && small == 4);
  assert(atomic_fetch_sub(&counter, 1) == 0 && counter == UINT64_MAX);
  assert(atomic_exchange(&signed_int, -7) == 0 && atomic_fetch_and(&signed_int, 0xff) == -7 && signed_int == 0xf9);
  assert(atomic_fetch_or(&signed_int, 0x100) == 0xf9 && atomic_fetch_xor(&signed_int, 1) == 0x1f9 && signed_int == 0x1f8);
  int expected = 3;
  assert(!atomic_compare_exchange_strong(&signed_int, &expected, 9) && expected == 0x1f8);
  assert(atomic_compare_exchange_strong(&signed_int, &expected, 9) && signed_int == 9);
  atomic_store_explicit(&pointer, &global, memory_order_release);
  assert(atomic_load_explicit(&pointer, memory_order_acquire)->word == 7);
  real = 1.5;
  assert(real == 1.5);
}

static int sum(const int *values, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}

static int frame(int depth) {
  int values[4] = {depth, depth + 1, depth + 2, depth + 3};
  return depth == 0 ? sum(values, 4) : sum(values, 4) + frame(depth - 1);
}

static void blocks(void) {
  int *block = malloc(10 * sizeof *block);
  for (int i = 0; i < 10; i++) block[i] = i;
  block = realloc(block, 1000 * sizeof *block);
  assert(sum(block, 10) == 45);
  free(block);
  assert(frame(10) == 4 * 55 + 6 * 11);
}

static void lanes(void) {
  int32_t *block = calloc(3, sizeof *block);
  volatile _Bool on = 1;
  mask4 mask = {on, !on, on, !on};
  store4((v4){1, 2, 3, 4}, block, 4, mask);
  assert(block[0] == 1 && block[1] == 0 && block[2] == 3);
  v4 loaded = load4(block, 4, mask, (v4){7, 7, 7, 7});
  assert(loaded[0] == 1 && loaded[1] == 7 && loaded[2] == 3 && loaded[3] == 7);
  compress4((v4){1, 2, 3, 4}, block, mask);
  assert(block[0] == 1 && block[1] == 3 && block[2] == 3);
  free(block);
}

int main(void) {
  for (int i = 0; i < 100; i++) {
    small = 0, counter = 0, signed_int = 0;
    memcpy(text, "0123456789abcdef", 17);
    sizes();
    copies();
    library();
    atomics();
    blocks();
    lanes();
  }
  puts("as usual");
  return 0;
}
