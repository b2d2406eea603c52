/*
 * signal.h: dispositions and masks are kept, and no signal comes from outside. A thread that raises one
 * handles it at once, or when it unblocks it, as C and POSIX say; the functions that send one to others or
 * await one are refused by name.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void __rmc_unsupported(const char *what);

static pthread_mutex_t __rmc_signal_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction __rmc_signal_actions[_NSIG];
static _Thread_local sigset_t __rmc_signal_mask;
/* Those that were raised while they were blocked. */
static _Thread_local sigset_t __rmc_signals_pending;

static int support_is_signal(int number) {
  if (number > 0 && number < _NSIG)
    return 1;
  errno = EINVAL;
  return 0;
}

int sigaction(int number, const struct sigaction *restrict new, struct sigaction *restrict old) {
  if (!support_is_signal(number))
    return -1;
  if (new && (number == SIGKILL || number == SIGSTOP)) {
    errno = EINVAL;
    return -1;
  }
  pthread_mutex_lock(&__rmc_signal_lock);
  struct sigaction before = __rmc_signal_actions[number];
  if (new)
    __rmc_signal_actions[number] = *new;
  pthread_mutex_unlock(&__rmc_signal_lock);
  if (old)
    *old = before;
  return 0;
}

__sighandler_t signal(int number, __sighandler_t handler) {
  struct sigaction new, old;
  memset(&new, 0, sizeof new);
  new.sa_handler = handler;
  new.sa_flags = SA_RESTART;
  if (handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler;
}

#define BITS (8 * sizeof(unsigned long))

int sigemptyset(sigset_t *set) {
  memset(set, 0, sizeof *set);
  return 0;
}

int sigfillset(sigset_t *set) {
  memset(set, 0xff, sizeof *set);
  return 0;
}

static unsigned long *support_word(const sigset_t *set, int number) {
  return (unsigned long *)&set->__val[(unsigned)(number - 1) / BITS];
}

static unsigned long support_bit(int number) {
  return 1ul << (unsigned)(number - 1) % BITS;
}

int sigaddset(sigset_t *set, int number) {
  if (!support_is_signal(number))
    return -1;
  *support_word(set, number) |= support_bit(number);
  return 0;
}

int sigdelset(sigset_t *set, int number) {
  if (!support_is_signal(number))
    return -1;
  *support_word(set, number) &= ~support_bit(number);
  return 0;
}

int sigismember(const sigset_t *set, int number) {
  return support_is_signal(number) ? (*support_word(set, number) & support_bit(number)) != 0 : -1;
}

/* What a signal does that nobody handles (signal(7)). */
static void support_default_action(int number) {
  switch (number) {
  case SIGCHLD:
  case SIGCONT:
  case SIGURG:
  case SIGWINCH:
    return;
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
    __rmc_unsupported("a signal that stops the process");
  case SIGQUIT:
  case SIGILL:
  case SIGTRAP:
  case SIGABRT:
  case SIGBUS:
  case SIGFPE:
  case SIGSEGV:
  case SIGXCPU:
  case SIGXFSZ:
  case SIGSYS:
    abort();
  default:
    /* As a shell reports it. */
    _exit(128 + number);
  }
}

static void support_deliver_pending(void);

static void support_deliver(int number) {
  pthread_mutex_lock(&__rmc_signal_lock);
  struct sigaction action = __rmc_signal_actions[number];
  if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN && (action.sa_flags & (int)SA_RESETHAND))
    __rmc_signal_actions[number].sa_handler = SIG_DFL;
  pthread_mutex_unlock(&__rmc_signal_lock);
  if (action.sa_handler == SIG_IGN)
    return;
  if (action.sa_handler == SIG_DFL) {
    support_default_action(number);
    return;
  }
  if (action.sa_flags & SA_SIGINFO)
    __rmc_unsupported("a raised signal whose handler takes three arguments (SA_SIGINFO)");
  sigset_t before = __rmc_signal_mask;
  for (size_t at = 0; at < sizeof before / sizeof(unsigned long); at++)
    __rmc_signal_mask.__val[at] |= action.sa_mask.__val[at];
  if (!(action.sa_flags & SA_NODEFER))
    sigaddset(&__rmc_signal_mask, number);
  action.sa_handler(number);
  __rmc_signal_mask = before;
  support_deliver_pending();
}

static void support_deliver_pending(void) {
  int found = 0;
  for (int number = 1; number < _NSIG; number++) {
    if (!sigismember(&__rmc_signals_pending, number) || sigismember(&__rmc_signal_mask, number))
      continue;
    if (found)
      __rmc_unsupported("two signals that are unblocked together, whose order is not known");
    found = number;
  }
  if (found) {
    sigdelset(&__rmc_signals_pending, found);
    support_deliver(found);
  }
}

int raise(int number) {
  if (!support_is_signal(number))
    return -1;
  if (sigismember(&__rmc_signal_mask, number) && number != SIGKILL && number != SIGSTOP)
    sigaddset(&__rmc_signals_pending, number);
  else
    support_deliver(number);
  return 0;
}

/* A thread inherits its mask from the one that made it; here each begins with an empty one, which nobody can tell but by asking. */
int pthread_sigmask(int how, const sigset_t *restrict new, sigset_t *restrict old) {
  sigset_t before = __rmc_signal_mask;
  for (size_t at = 0; new && at < sizeof before / sizeof(unsigned long); at++) {
    unsigned long *word = &__rmc_signal_mask.__val[at];
    switch (how) {
    case SIG_BLOCK:
      *word |= new->__val[at];
      break;
    case SIG_UNBLOCK:
      *word &= ~new->__val[at];
      break;
    case SIG_SETMASK:
      *word = new->__val[at];
      break;
    default:
      return EINVAL;
    }
  }
  if (old)
    *old = before;
  if (new)
    support_deliver_pending();
  return 0;
}

int sigprocmask(int how, const sigset_t *restrict new, sigset_t *restrict old) {
  int error = pthread_sigmask(how, new, old);
  errno = error ? error : errno;
  return error ? -1 : 0;
}
