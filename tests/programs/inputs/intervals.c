// check: sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:9,tso:9,pso:9
// check: -DEMPTY sc=violated(invalid-argument) states=sc:1
// check: --engine=dpor -DFEW sc=holds tso=holds
// check: --engine=dpor -DFEW -DWRONG sc=violated(assertion)
//
// An input with both ends given, and any content of a message: its checksum does not depend on who reads it,
// in what sizes. A word of several inputs is one number.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>
#include <string.h>

#ifdef FEW
#define MOST 5
#else
#define MOST 4000000000
#endif

static long amount;
static struct {
  unsigned short head;
  unsigned char body[2];
} message;

static void *take(void *unused) {
  (void)unused;
  unsigned whole;
  memcpy(&whole, &message, sizeof whole);
  assert((whole & 0xffff) == message.head);
  assert(whole >> 16 == message.body[0] + 256u * message.body[1]);
  return amount > 3 ? &amount : 0;
}

int main(void) {
  pthread_t thread;
  void *result;
#ifdef FEW
  message.head = (unsigned short)rmc_int(7, 9);
#else
  rmc_bytes(&message, sizeof message);
#endif
#ifdef EMPTY
  amount = rmc_int(4, 3);
#else
  amount = rmc_int(-3, MOST);
#endif
  assert(amount >= -3 && amount <= MOST);
  pthread_create(&thread, 0, take, 0);
  pthread_join(thread, &result);
  assert(!result == (amount < 4));
#ifdef WRONG
  assert(amount != MOST);
#endif
  return 0;
}
