// check: sc=holds tso=violated(deadlock) pso=violated(deadlock) at=47 states=sc:41,tso:42,pso:42
// check: -DCONSUMER_FENCE sc=holds tso=violated(deadlock) pso=violated(deadlock) at=47 states=sc:41,tso:48,pso:48
// check: -DPRODUCER_FENCE sc=holds tso=violated(deadlock) pso=violated(deadlock) at=47 states=sc:41,tso:39,pso:39
// check: -DCONSUMER_FENCE -DPRODUCER_FENCE sc=holds tso=holds pso=holds states=sc:41,tso:48,pso:48
//
// Two flags of a concurrency library: S. Burckhardt and M. Musuvathi, "Effective program verification for relaxed memory models", CAV 2008,
// figure 4b. The consumer says that it idles and then looks for work, under a mutex; the producer says that there is work and then looks, without
// the mutex, whether somebody idles. Under SC one of them sees the other; with store buffers both can miss, and the consumer sleeps beside
// its work. The consumer's mutex is no fence between its store and its load. Both sides need one.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int idling, has_work;

static void *consumer(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_store_explicit(&idling, 1, memory_order_relaxed);
#ifdef CONSUMER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (!atomic_load_explicit(&has_work, memory_order_relaxed))
    pthread_cond_wait(&work, &mutex);
  atomic_store_explicit(&idling, 0, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *producer(void *unused) {
  atomic_store_explicit(&has_work, 1, memory_order_relaxed);
#ifdef PRODUCER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(&idling, memory_order_relaxed)) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, consumer, NULL);
  pthread_create(&threads[1], NULL, producer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
