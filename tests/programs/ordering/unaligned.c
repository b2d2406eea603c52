// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DTYPE=uint32_t sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
//
// Packed members. One that straddles words of 8 bytes is stored in two parts; one within a word reaches
// memory with all its bytes at once.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef TYPE
#define TYPE uint64_t
#endif

struct __attribute__((packed)) frame {
  uint8_t tag;
  TYPE payload;
  uint16_t check;
};

static volatile struct frame frame;

static void *writer(void *unused) {
  frame.payload = (TYPE)0x1122334455667788;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  TYPE seen = frame.payload;
  assert(seen == 0 || seen == (TYPE)0x1122334455667788);
  pthread_join(thread, NULL);
  assert(frame.tag == 0 && frame.check == 0);
  assert(*((volatile uint8_t *)&frame + 1) == 0x88);
  return 0;
}
