// check: -DQUICK tso=holds states=tso:1
// check: -DAT_ONCE tso=holds states=tso:1
// check: -DCALLED tso=holds states=tso:1
// check: tso=holds pso=holds states=tso:1,pso:1
//
// What runs at the end of the process, and in which order.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *what) {
  printf("%s\n", what);
  fflush(stdout);
}

static void last(void) {
  say("registered first");
}

static void registered_late(void) {
  say("registered by a handler");
}

static void first(void) {
  say("registered last");
  atexit(registered_late);
}

static void quick(void) {
  say("quick");
}

__attribute__((constructor)) static void before(void) {
  say("constructor");
}

__attribute__((destructor)) static void after(void) {
  say("destructor");
}

__attribute__((destructor(200))) static void after_that(void) {
  say("destructor of priority 200");
}

__attribute__((destructor(101))) static void after_all(void) {
  say("destructor of priority 101");
}

int main(void) {
  at_quick_exit(quick);
  atexit(last);
  printf("%d\n", atexit(first));
  fflush(stdout);
#ifdef QUICK
  quick_exit(3);
#elif defined AT_ONCE
  _exit(4);
#elif defined CALLED
  exit(5);
#endif
  return 300;
}
