// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DFENCES sc=holds tso=holds pso=holds
// Stores and loads are made by functions that others call: the places for fences are in the functions that
// call them one after the other.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, again_x, again_y;

static void put(atomic_int *to) {
    atomic_store_explicit(to, 1, memory_order_relaxed);
}

static int get(atomic_int *from) {
    return atomic_load_explicit(from, memory_order_relaxed);
}

static int announce_and_look(atomic_int *own, atomic_int *other) {
    put(own);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    return get(other);
}

// Both functions in other calls: this is another cycle.
static int announce_and_look_again(atomic_int *own, atomic_int *other) {
    put(own);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    return get(other);
}

static void *one(void *unused) {
    announce_and_look(&x, &y);
    announce_and_look_again(&again_x, &again_y);
    return unused;
}

static void *two(void *unused) {
    announce_and_look(&y, &x);
    announce_and_look_again(&again_y, &again_x);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
