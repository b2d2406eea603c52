// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DFENCE sc=holds tso=holds pso=violated(not-robust)
// The load reads the first value of x or the stored one, under every model: the executions have the same
// reads-from classes. But only with store buffers can it miss x = 1 although y = 2 comes before y = 1.
#include <pthread.h>
#include <stdatomic.h>

// Known outside, so that no optimisation drops the stores.
atomic_int x, y;
int seen;

static void *one(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *two(void *unused) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    seen = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
