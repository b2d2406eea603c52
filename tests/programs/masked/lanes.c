// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DWITHOUT=1 sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) states=sc:1,tso:1,pso:1
// check: -DWITHOUT=2 sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) states=sc:1,tso:1,pso:1
// check: -DWITHOUT=3 sc=violated(null-dereference) tso=violated(null-dereference) pso=violated(null-dereference) states=sc:1,tso:1,pso:1
// check: -DWITHOUT=4 sc=violated(write-to-constant) tso=violated(write-to-constant) pso=violated(write-to-constant) states=sc:1,tso:1,pso:1
// check: -DWITHOUT=5 sc=violated(uninitialised-branch) tso=violated(uninitialised-branch) pso=violated(uninitialised-branch) states=sc:1,tso:1,pso:1
// check: --engine=dpor sc=holds tso=holds pso=holds
//
// LLVM's masked accesses, called by their names: only lanes that are on are accessed, wherever the others
// would be. Packed lanes, and masks that are constants. Lanes of other sizes are in `tests/tests/masked.rs`.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

typedef int32_t v4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef _Bool mask2 __attribute__((ext_vector_type(2)));
typedef _Bool mask4 __attribute__((ext_vector_type(4)));

v4 load4(const void *, int, mask4, v4) __asm__("llvm.masked.load.v4i32.p0");
void store4(v4, void *, int, mask4) __asm__("llvm.masked.store.v4i32.p0");
v4 expand4(const void *, mask4, v4) __asm__("llvm.masked.expandload.v4i32");
void compress4(v4, void *, mask4) __asm__("llvm.masked.compressstore.v4i32");
d2 load2d(const void *, int, mask2, d2) __asm__("llvm.masked.load.v2f64.p0");

static const int32_t fixed[4] = {1, 2, 3, 4};
static int32_t three[3] = {1, 2, 3};

/// Which of `count` lanes are on, not known to the compiler.
static mask4 first(int count) {
  volatile int limit = count;
  int n = limit;
  return (mask4){n > 0, n > 1, n > 2, n > 3};
}

static void loads_and_stores(void) {
  v4 loaded = load4(three, 4, first(3), (v4){7, 7, 7, 7});
  assert(loaded[0] == 1 && loaded[1] == 2 && loaded[2] == 3 && loaded[3] == 7);
  store4((v4){4, 5, 6, 7}, three, 4, first(3));
  assert(three[0] == 4 && three[1] == 5 && three[2] == 6);
  // Nothing is on, so there need be no memory.
  loaded = load4(NULL, 4, first(0), loaded);
  store4(loaded, (void *)fixed, 4, first(0));
  assert(loaded[0] == 1 && fixed[0] == 1);
}

static void constant_masks(void) {
  v4 whole = load4(fixed, 4, (mask4){1, 1, 1, 1}, (v4){});
  assert(whole[0] == 1 && whole[3] == 4);
  v4 none = load4(NULL, 4, (mask4){0, 0, 0, 0}, whole);
  assert(none[3] == 4);
  int32_t *block = malloc(16);
  store4(whole, block, 4, (mask4){1, 1, 1, 1});
  store4((v4){8, 8, 8, 8}, block, 4, (mask4){0, 1, 0, 0});
  assert(block[0] == 1 && block[1] == 8 && block[2] == 3 && block[3] == 4);
  free(block);
}

static void packed(void) {
  int32_t two[2] = {10, 20};
  v4 loaded = expand4(two, (mask4){0, 1, 0, 1}, (v4){1, 2, 3, 4});
  assert(loaded[0] == 1 && loaded[1] == 10 && loaded[2] == 3 && loaded[3] == 20);
  mask4 odd = first(4);
  odd[0] = odd[2] = 0;
  compress4((v4){5, 6, 7, 8}, two, odd);
  assert(two[0] == 6 && two[1] == 8);
  int32_t four[4];
  compress4(loaded, four, (mask4){1, 1, 1, 1});
  loaded = expand4(four, (mask4){1, 1, 1, 1}, loaded);
  assert(loaded[3] == 20);
}

static void doubles(void) {
  double numbers[2] = {1.5, 2.5};
  assert(load2d(numbers, 8, (mask2){0, 1}, (d2){0, 0})[1] == 2.5);
}

int main(void) {
  loads_and_stores();
  constant_masks();
  packed();
  doubles();
#if WITHOUT == 1
  load4(three, 4, first(4), (v4){});
#elif WITHOUT == 2
  store4((v4){}, three + 1, 4, first(3));
#elif WITHOUT == 3
  load4(NULL, 4, first(1), (v4){});
#elif WITHOUT == 4
  store4((v4){}, (void *)fixed, 4, first(1));
#elif WITHOUT == 5
  mask4 unknown;
  int32_t *block = malloc(4);
  unknown[0] = *block;
  load4(fixed, 4, unknown, (v4){});
#endif
  return 0;
}
