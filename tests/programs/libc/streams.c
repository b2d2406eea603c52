// check: sc=violated(invalid-argument) tso=violated(invalid-argument) at=16 states=sc:1,tso:1
// check: -DNONE sc=violated(invalid-argument) at=10 states=sc:1
// check: -DINPUT sc=refused(getchar) tso=refused(getchar)
// check: -DWIDE sc=refused(%ls)
//
// Writing to standard input, or to no stream; what is not supported is named.
#include <stdio.h>
#ifdef NONE
int main(void) {
  fputs("text", NULL);
  return 0;
}
#else
int main(void) {
#if !defined INPUT && !defined WIDE
  fputs("text", stdin);
#elif defined INPUT
  return getchar();
#else
  printf("%ls", L"wide");
#endif
  return 0;
}
#endif
