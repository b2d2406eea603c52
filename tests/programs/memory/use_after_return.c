// check: sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return) at=13 related=8,6 states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, what is read from a variable that is gone is undefined
//
// A function returns the address of its own variable.
static int *counter_of(int start) {
  int counter = start;
  int *address = &counter;
  return address;
}

int main(void) {
  int *counter = counter_of(3);
  return *counter;
}
