// check: tso=holds pso=holds states=tso:3,pso:3
//
// Handlers of signals and masks are remembered; nothing is raised.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void handler(int number) {
  (void)number;
}

static void other(int number) {
  (void)number;
}

int main(void) {
  printf("%d\n", signal(SIGTERM, handler) == SIG_DFL);
  printf("%d\n", signal(SIGTERM, other) == handler);
  errno = 0;
  printf("%d %d\n", signal(SIGKILL, handler) == SIG_ERR, errno == EINVAL);
  printf("%d\n", signal(1000, handler) == SIG_ERR);
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGTERM);
  printf("%d\n", sigaction(SIGUSR1, &action, NULL));
  printf("%d %d %d %d\n", sigaction(SIGUSR1, NULL, &old), old.sa_handler == SIG_IGN, sigismember(&old.sa_mask, SIGTERM),
         sigismember(&old.sa_mask, SIGUSR2));
  printf("%d %d\n", sigaction(SIGTERM, NULL, &old), old.sa_handler == other);
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  printf("%d\n", pthread_sigmask(SIG_BLOCK, &set, &before));
  printf("%d %d\n", sigismember(&before, SIGUSR2), sigprocmask(SIG_SETMASK, NULL, &before));
  printf("%d %d\n", sigismember(&before, SIGUSR2), sigismember(&before, SIGUSR1));
  sigfillset(&set);
  sigdelset(&set, SIGUSR2);
  printf("%d %d\n", sigprocmask(SIG_UNBLOCK, &set, NULL), sigprocmask(SIG_UNBLOCK, NULL, &before));
  printf("%d\n", sigismember(&before, SIGUSR2));
  printf("%d\n", pthread_sigmask(99, &set, NULL) == EINVAL);
  return 0;
}
