// check: sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=8 related=6 states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, and local variables that nobody reads are removed
//
// A loop that runs one element too far over a local array.
int main(void) {
  int squares[4];
  for (int i = 0; i <= 4; i++)
    squares[i] = i * i;
  return squares[0];
}
