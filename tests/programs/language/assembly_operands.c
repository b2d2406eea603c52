// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DWRONG sc=violated(assertion) at=29 states=sc:1
// check: -DREAD_AFTER_OUTPUT sc=refused(mov)
// check: -DADDRESS_AFTER_OUTPUT sc=refused(mov)
// check: -DCHANGED_INPUT sc=refused(cmpxchg)
// check: -DVECTOR_REGISTER sc=refused(movd)
// check: -DADDRESS_OPERAND sc=refused(mov)
// check: -DNEVER_SET sc=refused(assembly)
// check: -DALTERNATIVES sc=refused(mov)
//
// Operands of assembly in every form that has a meaning; and those that have none, or leave the compiler a choice, are refused.
#include <assert.h>

static void *self;

/* An output that could be in memory is in a register if an input is tied to it. */
static void tied(void) {
  int general, memory = 7, two = 2;
  long wide;
  __asm__("" : "=g"(general) : "0"(5));
  __asm__("" : "=rm"(memory) : "0"(memory + 1));
  __asm__("" : "+g"(two));
  __asm__("" : "=g"(wide) : "0"(-1L));
  assert(memory == 8 && two == 2 && wide == -1);
  float number = 1.5f;
  __asm__("" : "+x"(number));
  assert(number == 1.5f);
#ifdef WRONG
  assert(general != 5);
#endif
  assert(general == 5);
}

static void shared_registers(void) {
  int memory = 3, out = 0;
#if defined READ_AFTER_OUTPUT
  int other = 9, result;
  __asm__("mov %1, %0; mov %2, %1" : "=r"(out), "=m"(memory) : "r"(other), "m"(memory));
  __asm__("mov %2, %0; mov %3, %1" : "=r"(out), "=m"(result) : "m"(memory), "r"(other));
#elif defined ADDRESS_AFTER_OUTPUT
  int *pointer = &memory;
  __asm__("mov (%1), %0; mov (%1), %0" : "=r"(out) : "r"(pointer) : "memory");
#elif defined CHANGED_INPUT
  __asm__ volatile("lock cmpxchg %1, %0" : "+m"(memory) : "r"(4), "a"(3));
#elif defined VECTOR_REGISTER
  float number = 1;
  __asm__("movd %1, %0" : "=m"(out) : "x"(number));
#elif defined ADDRESS_OPERAND
  __asm__("mov %1, %0" : "=r"(out) : "p"(&memory) : "memory");
#elif defined NEVER_SET
  __asm__ volatile("/* assembly */" : "=r"(out));
#elif defined ALTERNATIVES
  __asm__("mov %1, %0" : "=r,m"(out) : "m,r"(memory));
#else
  int other = 9, result;
  __asm__("mov %2, %0; mov %3, %1" : "=&r"(out), "=m"(result) : "m"(memory), "r"(other));
  assert(out == 3 && result == 9);
  register long source __asm__("rsi") = 11;
  long stored;
  __asm__("movq %%rsi, %0" : "=m"(stored) : "r"(source));
  assert(stored == 11);
  register long eighth __asm__("r8") = 12;
  __asm__("movl %%r8d, %0" : "=m"(result) : "r"(eighth));
  assert(result == 12);
#endif
  self = &memory;
}

int main(void) {
  tied();
  shared_registers();
  return 0;
}
