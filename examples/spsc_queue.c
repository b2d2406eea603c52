// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:335,tso:230,pso:230
// check: -DFIXED sc=holds tso=holds pso=holds states=sc:335,tso:404,pso:404
//
// A lock-free queue between one producer and one consumer that goes to sleep when it finds nothing to do.
//
// The queue is right: indices are published with release stores. The bug is in the handshake around it, and is the one
// that many event loops and kernels have had: the producer publishes a job and then looks whether the consumer sleeps;
// the consumer announces that it sleeps and then looks whether there is a job. One of them must see the other. But the
// producer's store of the index can still be in its store buffer when it looks at `sleeping`: it sees a consumer that is
// awake, the consumer sees an empty queue, and the job lies there until somebody else rings the bell.
//
//     rmc-check examples/spsc_queue.c             finds the lost wake-up
//     rmc-check -DFIXED examples/spsc_queue.c     proves that one fence repairs it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CAPACITY 2
#define JOBS 2

struct queue {
  int slots[CAPACITY];
  atomic_uint head;  // next slot to read; written by the consumer only
  atomic_uint tail;  // next slot to write; written by the producer only
};

static struct queue queue;
static atomic_bool sleeping;  // set by the consumer before it sleeps, cleared by who wakes it
static int jobs_done;

static bool queue_is_empty(struct queue *q) {
  return atomic_load_explicit(&q->head, memory_order_relaxed) == atomic_load_explicit(&q->tail, memory_order_acquire);
}

static bool queue_push(struct queue *q, int job) {
  unsigned tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
  if (tail - atomic_load_explicit(&q->head, memory_order_acquire) == CAPACITY)
    return false;
  q->slots[tail % CAPACITY] = job;
  atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
  return true;
}

static bool queue_pop(struct queue *q, int *job) {
  if (queue_is_empty(q))
    return false;
  unsigned head = atomic_load_explicit(&q->head, memory_order_relaxed);
  *job = q->slots[head % CAPACITY];
  atomic_store_explicit(&q->head, head + 1, memory_order_release);
  return true;
}

static void submit(int job) {
  while (!queue_push(&queue, job))
    ;
#ifdef FIXED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  // Most of the time the consumer is awake, and this load is all that a submission costs.
  if (atomic_load_explicit(&sleeping, memory_order_relaxed))
    atomic_exchange(&sleeping, false);  // ... and ring the bell
}

// Announces sleep and looks once more. Returns whether the consumer may really sleep now.
static bool prepare_to_sleep(void) {
  atomic_exchange(&sleeping, true);  // an exchange is a full fence: this side is right
  if (queue_is_empty(&queue))
    return true;
  atomic_store(&sleeping, false);
  return false;
}

static void *producer(void *unused) {
  for (int job = 1; job <= JOBS; job++)
    submit(job);
  return unused;
}

// Works until all is done or it falls asleep. What happens after a wake-up is left out: it is enough to know whether
// somebody rings.
static void *consumer(void *unused) {
  int job;
  while (jobs_done < JOBS) {
    if (queue_pop(&queue, &job)) {
      jobs_done++;
      assert(job == jobs_done);
    } else if (prepare_to_sleep()) {
      break;
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, producer, NULL);
  pthread_create(&threads[1], NULL, consumer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  bool asleep_beside_a_job = sleeping && !queue_is_empty(&queue);
  assert(!asleep_beside_a_job);
  return 0;
}
