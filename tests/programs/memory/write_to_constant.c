// check: sc=violated(write-to-constant) tso=violated(write-to-constant) pso=violated(write-to-constant) at=14 related=none states=sc:1,tso:1,pso:1
// check: -DSTRING sc=violated(write-to-constant) tso=violated(write-to-constant) pso=violated(write-to-constant) at=11 related=none states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, a store to a constant is removed
//
// A constant or a string literal is written through a pointer that lost its const.
static const int limit = 3;

int main(void) {
#ifdef STRING
  char *text = "abc";
  text[0] = 'x';
#else
  int *writable = (int *)&limit;
  *writable = 4;
#endif
  return limit;
}
