// check: sc=refused(cpuid) tso=refused(cpuid) pso=refused(cpuid)
//
// Inline assembly without a meaning to the checker is named.
int main(void) {
  unsigned a = 0, b, c, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
  return 0;
}
