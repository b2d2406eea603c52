// check: sc=holds tso=holds pso=holds states=sc:2,tso:2,pso:2
// check: -DSHIFT sc=violated(undefined-result) tso=violated(undefined-result) pso=violated(undefined-result) states=sc:1,tso:1,pso:1
//
// LLVM's intrinsics for saturating arithmetic, folds of vectors and conversions that saturate, called by
// their names; vectors whose elements are no whole bytes, vectors of pointers, long vectors.
#include <assert.h>
#include <stdint.h>

typedef int32_t v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef int64_t v2l __attribute__((vector_size(16)));
typedef int64_t v32 __attribute__((vector_size(256)));
typedef _Bool mask4 __attribute__((ext_vector_type(4)));
typedef _Bool mask12 __attribute__((ext_vector_type(12)));

int8_t sshl8(int8_t, int8_t) __asm__("llvm.sshl.sat.i8");
uint8_t ushl8(uint8_t, uint8_t) __asm__("llvm.ushl.sat.i8");
int64_t sshl64(int64_t, int64_t) __asm__("llvm.sshl.sat.i64");
v4 ushl4(v4, v4) __asm__("llvm.ushl.sat.v4i32");
v4 sadd4(v4, v4) __asm__("llvm.sadd.sat.v4i32");
int16_t to_signed(float) __asm__("llvm.fptosi.sat.i16.f32");
uint16_t to_unsigned(double) __asm__("llvm.fptoui.sat.i16.f64");
int64_t to_long(double) __asm__("llvm.fptosi.sat.i64.f64");
int32_t from_extended(long double) __asm__("llvm.fptosi.sat.i32.f80");
v4 to_signed4(f4) __asm__("llvm.fptosi.sat.v4i32.v4f32");
int32_t add4(v4) __asm__("llvm.vector.reduce.add.v4i32");
int32_t smin4(v4) __asm__("llvm.vector.reduce.smin.v4i32");
uint32_t umax4(v4) __asm__("llvm.vector.reduce.umax.v4i32");
float fadd4(float, f4) __asm__("llvm.vector.reduce.fadd.v4f32");
float fmul4(float, f4) __asm__("llvm.vector.reduce.fmul.v4f32");
float fmax4(f4) __asm__("llvm.vector.reduce.fmax.v4f32");
float fmin4(f4) __asm__("llvm.vector.reduce.fmin.v4f32");

static void saturation(void) {
  assert(sshl8(64, 1) == 127 && sshl8(-65, 1) == -128 && sshl8(-3, 2) == -12 && sshl8(0, 7) == 0);
  assert(ushl8(64, 1) == 128 && ushl8(64, 2) == 255);
  assert(sshl64(3, 62) == INT64_MAX && sshl64(-3, 62) == INT64_MIN && sshl64(1, 62) == 1L << 62);
  v4 shifted = ushl4((v4){1, 0x40000000, -1, 5}, (v4){31, 2, 1, 0});
  assert(shifted[0] == INT32_MIN && shifted[1] == -1 && shifted[2] == -1 && shifted[3] == 5);
  v4 sum = sadd4((v4){INT32_MAX, INT32_MIN, 1, 2}, (v4){1, -1, 2, 3});
  assert(sum[0] == INT32_MAX && sum[1] == INT32_MIN && sum[2] == 3 && sum[3] == 5);
#ifdef SHIFT
  assert(sshl8(1, 8) == 0);
#endif
}

static void conversions(void) {
  assert(to_signed(1e9f) == INT16_MAX && to_signed(-1e9f) == INT16_MIN && to_signed(-2.9f) == -2);
  assert(to_signed(__builtin_nanf("")) == 0 && to_unsigned(__builtin_nan("")) == 0);
  assert(to_unsigned(-1) == 0 && to_unsigned(65536) == UINT16_MAX && to_unsigned(65535.9) == 65535);
  assert(to_long(9.3e18) == INT64_MAX && to_long(-__builtin_inf()) == INT64_MIN);
  assert(from_extended(1e30L) == INT32_MAX && from_extended(-7.5L) == -7);
  v4 four = to_signed4((f4){3e9f, -3e9f, __builtin_nanf(""), 1.5f});
  assert(four[0] == INT32_MAX && four[1] == INT32_MIN && four[2] == 0 && four[3] == 1);
}

static void folds(void) {
  v4 numbers = {3, -1, 7, 2};
  f4 reals = {1, 2, 3, 4};
  assert(add4(numbers) == 11 && smin4(numbers) == -1 && umax4(numbers) == UINT32_MAX);
  assert(fadd4(0.5f, reals) == 10.5f && fmul4(2, reals) == 48 && fmax4(reals) == 4 && fmin4(reals) == 1);
  // Sums of floating-point numbers are from the first element on.
  assert(fadd4(0, (f4){1e8f, 1, -1e8f, 0}) == 0);
}

static mask4 shared4;
static mask12 shared12;
static void masks(void) {
  mask4 mask = {1, 0, 1, 1};
  shared4 = mask;
  mask4 back = shared4;
  assert(back[0] && !back[1] && back[2] && back[3]);
  shared12 = (mask12){0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1};
  assert(shared12[9] && !shared12[10] && shared12[11] && !shared12[0]);
}

static v32 long_one;

static void long_vectors(void) {
  for (int i = 0; i < 32; i++)
    long_one[i] = i * i;
  v32 twice = long_one + long_one;
  v32 reversed = __builtin_shufflevector(twice, long_one, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17,
                                         16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 32);
  assert(reversed[0] == 2 * 31 * 31 && reversed[30] == 2 && reversed[31] == 0);
  v2l wide = __builtin_convertvector((__attribute__((vector_size(8))) int){-1, 5}, v2l);
  assert(wide[0] == -1 && wide[1] == 5);
}

int main(void) {
  saturation();
  conversions();
  folds();
  masks();
  long_vectors();
  return 0;
}
