// check: sc=violated(division-by-zero) tso=violated(division-by-zero) pso=violated(division-by-zero) states=sc:1,tso:1,pso:1
// check: -DREMAINDER sc=violated(division-by-zero) tso=violated(division-by-zero) pso=violated(division-by-zero) states=sc:1,tso:1,pso:1
// check: -DUNSIGNED sc=violated(division-by-zero) tso=violated(division-by-zero) pso=violated(division-by-zero) states=sc:1,tso:1,pso:1
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
