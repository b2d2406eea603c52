// check: --svcomp --no-reduce=inputs sc=holds states=sc:258
// check: --svcomp --no-reduce=inputs -DEXTREMES sc=violated(reach-error) states=sc:5
// check: --svcomp sc=holds states=sc:1
// check: --svcomp -DEXTREMES sc=violated(reach-error) states=sc:5
// check: -DEXTREMES sc=refused(--svcomp)
//
// Every value of the types of at most 16 bits is tried, with its sign.
void reach_error(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  short low = __VERIFIER_nondet_short();
#ifdef EXTREMES
  __VERIFIER_assume(low == -32768);
  unsigned short high = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(high == 65535);
  char least = __VERIFIER_nondet_char();
  __VERIFIER_assume(least == -128);
  unsigned char most = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(most == 255);
  if (__VERIFIER_nondet_bool())
    reach_error();
#else
  if (low < -32768 || low > 32767)
    reach_error();
  char c = __VERIFIER_nondet_char();
  unsigned char u = __VERIFIER_nondet_uchar();
  if (c < -128 || c > 127 || u > 255)
    reach_error();
#endif
  return 0;
}
