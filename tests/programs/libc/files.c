// check: sc=holds tso=holds pso=holds states=sc:168,tso:118,pso:118
// check: -DMISSING sc=violated(null-dereference) tso=violated(null-dereference) pso=violated(null-dereference) states=sc:1,tso:1,pso:1
// check: -DCLOSED sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) states=sc:168,tso:118,pso:118
// check: -DTURN sc=violated(invalid-argument) tso=violated(invalid-argument) pso=violated(invalid-argument) states=sc:168,tso:118,pso:118
// check: -DORDER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:168,tso:118,pso:118
// check: -DHELD sc=holds tso=holds pso=holds states=sc:336,tso:246,pso:246
//
// Threads write lines to one file: each call is whole, and which line is first is not known. A thread that
// holds the stream writes several calls together. A missing file, one that is closed, and reading what was
// just written are violations.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;

static void *write_line(void *name) {
#ifdef HELD
  flockfile(file);
  fputs("from ", file);
  fputc_unlocked(*(const char *)name, file);
  funlockfile(file);
#else
  fprintf(file, "from %s", (const char *)name);
#endif
  return NULL;
}

int main(void) {
  file = fopen("log", "r");
  assert(file == NULL && errno == ENOENT);
#ifdef MISSING
  fgetc(file);
#endif
  file = fopen("log", "w+");
  pthread_t first, second;
  pthread_create(&first, NULL, write_line, "a");
  pthread_create(&second, NULL, write_line, "b");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
#ifndef TURN
  rewind(file);
#endif
  char text[20] = "";
  assert(fread(text, 1, sizeof text, file) == 12);
#ifdef ORDER
  assert(!strcmp(text, "from afrom b"));
#else
  assert(!strcmp(text, "from afrom b") || !strcmp(text, "from bfrom a"));
#endif
  fclose(file);
#ifdef CLOSED
  fputs("late", file);
#endif
  return remove("log");
}
