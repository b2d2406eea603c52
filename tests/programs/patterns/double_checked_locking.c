// check: sc=holds tso=holds pso=violated(assertion) at=54 states=sc:119,tso:91,pso:55
// check: -DRELEASE sc=holds tso=holds pso=holds states=sc:119,tso:91,pso:91
// check: -DRELEASE -DNO_SECOND_CHECK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=64 states=sc:152,tso:104,pso:107
//
// Double-checked locking: D. C. Schmidt and T. Harrison, "Double-checked locking", Pattern Languages of Program Design 3, 1997; and why it is
// broken: D. Bacon and others, "The 'Double-Checked Locking is Broken' declaration", 2000. Who finds the pointer set does not take the lock,
// so only the order of the stores protects the object. TSO keeps it: what is wrong on x86 is the compiler's doing. Under PSO the pointer
// is seen before the object is filled; a release store repairs it (-DRELEASE). Under the lock one must look again (-DNO_SECOND_CHECK).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

struct settings {
  int width, height;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) instance;
static struct settings storage;
static int times_made;

static struct settings *make_settings(void) {
  times_made++;
  storage.width = 4;
  storage.height = 3;
  return &storage;
}

static struct settings *get_settings(void) {
  struct settings *settings = atomic_load_explicit(&instance, memory_order_acquire);
  if (settings != NULL)
    return settings;
  pthread_mutex_lock(&mutex);
#ifndef NO_SECOND_CHECK
  settings = atomic_load_explicit(&instance, memory_order_relaxed);
#endif
  if (settings == NULL) {
    settings = make_settings();
    atomic_store_explicit(&instance, settings, PUBLISH);
  }
  pthread_mutex_unlock(&mutex);
  return settings;
}

static void *user(void *unused) {
  struct settings *settings = get_settings();
  assert(settings->width == 4 && settings->height == 3);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(times_made == 1);
  return 0;
}
