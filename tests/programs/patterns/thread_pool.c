// check: sc=holds tso=holds pso=holds states=sc:556,tso:462,pso:462
// check: -DUNLOCKED_SHUTDOWN sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=74 states=sc:708,tso:576,pso:576
// check: -DSIGNAL sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=74 states=sc:578,tso:481,pso:481
// check: -DSTOP_FIRST sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=75 states=sc:473,tso:390,pso:390
//
// A thread pool, and what goes wrong when it is shut down. Workers wait for a job or the end. The end must be announced under the mutex,
// or a worker that has looked but does not wait yet misses it (-DUNLOCKED_SHUTDOWN); to all workers, not to one (-DSIGNAL); and a worker
// that asks for the end before it asks for a job leaves jobs behind (-DSTOP_FIRST). B. W. Lampson and D. D. Redell, "Experience with processes
// and monitors in Mesa", CACM 23(2), 1980, is where broadcast comes from. Everything else is under the mutex: the models agree.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2
#define JOBS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting_jobs, jobs_done;
static atomic_int stop;

// Whether there is a job for the caller; if not, the pool is shut down.
static int next_job(void) {
  pthread_mutex_lock(&mutex);
  while (waiting_jobs == 0 && !stop)
    pthread_cond_wait(&changed, &mutex);
#ifdef STOP_FIRST
  int found = !stop;
#else
  int found = waiting_jobs > 0;
#endif
  waiting_jobs -= found;
  jobs_done += found;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void *worker(void *unused) {
  while (next_job())
    ;
  return unused;
}

static void submit(void) {
  pthread_mutex_lock(&mutex);
  waiting_jobs++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void shut_down(void) {
#ifndef UNLOCKED_SHUTDOWN
  pthread_mutex_lock(&mutex);
#endif
  stop = 1;
#ifdef SIGNAL
  pthread_cond_signal(&changed);
#else
  pthread_cond_broadcast(&changed);
#endif
#ifndef UNLOCKED_SHUTDOWN
  pthread_mutex_unlock(&mutex);
#endif
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < JOBS; i++)
    submit();
  shut_down();
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  assert(jobs_done == JOBS);
  return 0;
}
