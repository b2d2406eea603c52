// check: --svcomp --no-reduce=inputs sc=unknown(nondet)
// check: --svcomp --no-reduce=inputs --nondet-range=-2..9 sc=unknown(data-range)
// check: --svcomp --no-reduce=inputs --nondet-range=-2..10 sc=violated(reach-error) states=sc:2
// check: --svcomp --no-reduce=inputs -DEARLY sc=violated(reach-error) states=sc:1
//
// An int has too many values to try each, if they are not deferred. With a range those in it are tried, cut
// to the type: what goes wrong among them is found, that nothing does is no proof. What goes wrong elsewhere
// is found without a range too.
void reach_error(void);
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
double __VERIFIER_nondet_double(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
#ifdef EARLY
  if (__VERIFIER_nondet_bool())
    reach_error();
#endif
  int x = __VERIFIER_nondet_int();
  if (x < -2 || x > 9)
    reach_error();
  unsigned long y = __VERIFIER_nondet_ulong();
  if (y > 9)
    reach_error();
  double z = __VERIFIER_nondet_double();
  if (z < -2.0 || z > 9.0)
    reach_error();
  return 0;
}
