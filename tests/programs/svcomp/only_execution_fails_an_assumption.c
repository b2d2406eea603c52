// check: --svcomp sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// The only execution ends where an assumption fails: it does not count, and nothing is wrong with the rest.
void reach_error(void);
void __VERIFIER_assume(int);

int main(void) {
  __VERIFIER_assume(0);
  reach_error();
  return 0;
}
