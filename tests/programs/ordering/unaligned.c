// check: sc=holds tso=holds pso=holds states=sc:5,tso:8,pso:8
//
// Packed members that straddle words. A store reaches memory with all its bytes at once.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) frame {
  uint8_t tag;
  uint64_t payload;
  uint16_t check;
};

static volatile struct frame frame;

static void *writer(void *unused) {
  frame.payload = 0x1122334455667788;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  uint64_t seen = frame.payload;
  assert(seen == 0 || seen == 0x1122334455667788);
  pthread_join(thread, NULL);
  assert(frame.tag == 0 && frame.check == 0);
  assert(*((volatile uint8_t *)&frame + 1) == 0x88);
  return 0;
}
