/*
 * The end of the process: handlers, last registered first, then destructor functions; and the registration of both.
 *
 * A program may register 64 handlers of each kind (C asks for 32); registering more fails, as C allows.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void __rmc_unsupported(const char *what);

#define MOST 64

/* A handler takes an argument or none. */
struct __rmc_handler {
  void (*plain)(void);
  void (*with)(void *);
  void *argument;
};

struct __rmc_handlers {
  struct __rmc_handler list[MOST];
  int count;
};

static pthread_mutex_t __rmc_handlers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct __rmc_handlers __rmc_at_exit, __rmc_at_quick_exit;

static int support_register(struct __rmc_handlers *handlers, struct __rmc_handler handler) {
  pthread_mutex_lock(&__rmc_handlers_lock);
  int full = handlers->count == MOST;
  if (!full)
    handlers->list[handlers->count++] = handler;
  pthread_mutex_unlock(&__rmc_handlers_lock);
  return full;
}

/* Runs the handlers, those that handlers register included. The lock is free meanwhile. */
static void support_run(struct __rmc_handlers *handlers) {
  for (;;) {
    pthread_mutex_lock(&__rmc_handlers_lock);
    int last = --handlers->count;
    struct __rmc_handler handler = {0, 0, 0};
    if (last >= 0)
      handler = handlers->list[last];
    else
      handlers->count = 0;
    pthread_mutex_unlock(&__rmc_handlers_lock);
    if (last < 0)
      return;
    if (handler.plain)
      handler.plain();
    else
      handler.with(handler.argument);
  }
}

int atexit(void (*handler)(void)) {
  return support_register(&__rmc_at_exit, (struct __rmc_handler){handler, NULL, NULL});
}

int at_quick_exit(void (*handler)(void)) {
  return support_register(&__rmc_at_quick_exit, (struct __rmc_handler){handler, NULL, NULL});
}

/* C++ registers the destructors of static objects so, and does not ask whether that failed. */
int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
  (void)library;
  if (support_register(&__rmc_at_exit, (struct __rmc_handler){NULL, handler, argument}))
    __rmc_unsupported("more than 64 destructors of static objects and handlers of the end");
  return 0;
}

void *const __dso_handle = NULL;

/* Runs the destructors of the thread's own variables, if it has registered some (threads.c). */
static _Thread_local void (*__rmc_end_of_locals)(void);

/* Made by the loader: calls the functions with __attribute__((destructor)). */
void __rmc_run_destructors(void);

void exit(int status) {
  if (__rmc_end_of_locals)
    __rmc_end_of_locals();
  support_run(&__rmc_at_exit);
  __rmc_run_destructors();
  _exit(status);
}

void quick_exit(int status) {
  support_run(&__rmc_at_quick_exit);
  _exit(status);
}
