// check: sc=violated(invalid-call) tso=violated(invalid-call) pso=violated(invalid-call) at=9 related=none states=sc:1,tso:1,pso:1
//
// A call through a pointer that leads to data.
static long data = 42;

int main(void) {
  void *pointer = &data;
  int (*function)(void) = (int (*)(void))pointer;
  return function();
}
