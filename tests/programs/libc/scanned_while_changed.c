// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=21 states=sc:6,tso:12,pso:12
// check: -DJOINED sc=holds tso=holds pso=holds states=sc:3,tso:4,pso:4
// check: --races sc=violated(data-race) tso=violated(data-race) states=sc:5,tso:6
//
// The functions of the support library read memory as the program does: another thread can change a text while it is scanned.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[8] = "12";

static void *writer(void *unused) {
  text[0] = '3';
  return unused;
}

int main(void) {
  pthread_t thread;
  int number = 0;
#ifndef JOINED
  pthread_create(&thread, NULL, writer, NULL), sscanf(text, "%d", &number), assert(number == 12);
#else
  pthread_create(&thread, NULL, writer, NULL);
#endif
  pthread_join(thread, NULL);
  assert(sscanf(text, "%d", &number) == 1 && number == 32);
  return 0;
}
