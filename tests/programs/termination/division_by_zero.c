// check: sc=violated(division-by-zero) tso=violated(division-by-zero) pso=violated(division-by-zero)
// check: -DREMAINDER sc=violated(division-by-zero) tso=violated(division-by-zero) pso=violated(division-by-zero)
// check: -DUNSIGNED sc=violated(division-by-zero) tso=violated(division-by-zero) pso=violated(division-by-zero)
//
// Integer division and remainder by zero.
static volatile int zero;

int main(void) {
#if defined REMAINDER
  return 7 % zero;
#elif defined UNSIGNED
  return 7u / (unsigned)zero;
#else
  return 7 / zero;
#endif
}
