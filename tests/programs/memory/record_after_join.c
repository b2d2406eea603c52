// check: sc=holds tso=holds pso=holds states=sc:29,tso:29,pso:32
// Memory that a thread began, and filled with delayed stores, is read by another one after the first one was
// waited for: with the values of the stores, and never as it was when it began.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct record {
    int first, second, third, fourth;
    struct record *next;
};

static _Atomic(struct record *) all;

static void *add(void *unused) {
    struct record *record = calloc(1, sizeof *record);
    record->first = 1;
    record->second = 2;
    record->third = 3;
    record->fourth = 4;
    record->next = all;
    while (!__c11_atomic_compare_exchange_weak(&all, &record->next, record, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    int sum = 0;
    for (struct record *record = all, *next; record; record = next) {
        sum += record->first + record->second + record->third + record->fourth;
        next = record->next;
        free(record);
    }
    assert(sum == 20);
}
