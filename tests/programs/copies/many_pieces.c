// check: sc=holds tso=holds pso=holds
// check: -DEARLY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A copy of 8,200 words while another thread looks: more pieces than the first bounds on buffers, so they are
// raised. Who waits for the end sees the last byte; with -DEARLY the reader meets the last word before the
// first.

#include <assert.h>
#include <pthread.h>
#include <string.h>

static long to[8200];

static void *fill(void *unused)
{
    memset(to, 1, sizeof to);
    return unused;
}

int main(void)
{
    pthread_t filler;
    pthread_create(&filler, NULL, fill, NULL);
#ifdef EARLY
    long last = to[8199];
    assert(!last || to[0]);
#else
    pthread_join(filler, NULL);
    assert(to[0] && to[8199]);
#endif
    return 0;
}
