// check: --svcomp sc=violated(reach-error) states=sc:1
// check: sc=holds states=sc:1
//
// Programs of the competition may define the reserved functions for other uses: with --svcomp the competition's meaning counts, else the program's own.
int calls;

void reach_error(void) { calls++; }
void __VERIFIER_assume(int condition) { calls += condition; }
unsigned char __VERIFIER_nondet_uchar(void) { return 7; }

int main(void) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value == 8);
  if (value == 8)
    reach_error();
  return 0;
}
