// check: sc=holds tso=holds pso=holds states=sc:79,tso:64,pso:64
//
// What a thread has just stored, functions of the C library read, also while the stores are in its buffer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[16];

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  int number;
  pthread_create(&thread, NULL, nothing, text);
  text[0] = '4';
  text[1] = '2';
  assert(strtol(text, NULL, 10) == 42);
  text[0] = '7';
  assert(sscanf(text, "%d", &number) == 1 && number == 72);
  text[0] = '6';
  assert(strtod(text, NULL) == 62.0);
  text[1] = ' ';
  assert(strcmp(strtok(text, " "), "6") == 0);
  pthread_join(thread, NULL);
  return 0;
}
