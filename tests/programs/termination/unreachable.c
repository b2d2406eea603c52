// check: sc=violated(unreachable) tso=violated(unreachable) pso=violated(unreachable) states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, a case that is promised not to be taken is removed
//
// The program reaches what it promised never to reach.
static volatile int choice = 3;

int main(void) {
  switch (choice) {
  case 1:
    return 0;
  case 2:
    return 0;
  default:
    __builtin_unreachable();
  }
}
