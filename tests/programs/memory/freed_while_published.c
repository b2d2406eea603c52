// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free)
// check: --engine=reads-from --jobs=2 pso=violated(use-after-free)
// A block is freed by a thread that loads its pointer and by one that exchanges it, while a third one
// publishes others. In a branch of the classes, a thread reads what it never read before, and frees a block
// while its own stores are under way: then their places have to be found out first.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(from) atomic_load_explicit(&(from), memory_order_relaxed)
#define STORE(to, value) atomic_store_explicit(&(to), value, memory_order_relaxed)

struct block {
    atomic_int value, done;
};

static _Atomic(struct block *) first, second;

static struct block *make(void) {
    struct block *made = malloc(sizeof *made);
    atomic_init(&made->value, 0);
    atomic_init(&made->done, 0);
    return made;
}

static void *replace(void *unused) {
    struct block *own = LOAD(second);
    if (own)
        STORE(own->done, 1);
    STORE(first, make());
    STORE(second, make());
    free(own);
    return unused;
}

static void *take(void *unused) {
    LOAD(first);
    LOAD(second);
    free(atomic_exchange(&second, NULL));
    return unused;
}

int main(void) {
    pthread_t one, other;
    STORE(first, make());
    STORE(second, make());
    pthread_create(&one, 0, replace, 0);
    pthread_create(&other, 0, take, 0);
    LOAD(first);
    STORE(second, make());
    pthread_join(one, 0);
    pthread_join(other, 0);
}
