// check: sc=holds states=sc:8
//
// Signals that the program raises itself: handled at once, later if they are blocked, ignored, or what they
// do unless somebody says otherwise.
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void handler(int number) {
  printf("handles %d\n", number);
}

static void again(int number) {
  static int depth, raised;
  printf("begins %d at %d\n", number, depth++);
  if (raised++ % 2 == 0)
    printf("%d\n", raise(number));
  printf("ends at %d\n", --depth);
}

int main(void) {
  signal(SIGUSR1, handler);
  printf("%d\n", raise(SIGUSR1));
  printf("%d\n", raise(SIGUSR1));
  signal(SIGUSR1, again);
  printf("%d\n", raise(SIGUSR1));
  signal(SIGUSR1, SIG_IGN);
  printf("%d %d %d\n", raise(SIGUSR1), raise(SIGCHLD), raise(1000));
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = again;
  action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
  sigaction(SIGCHLD, &action, NULL);
  printf("%d\n", raise(SIGCHLD));
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  signal(SIGUSR2, handler);
  sigprocmask(SIG_BLOCK, &set, NULL);
  printf("%d %d\n", raise(SIGUSR2), raise(SIGUSR2));
  printf("unblocks\n");
  printf("%d\n", sigprocmask(SIG_UNBLOCK, &set, NULL));
  return 0;
}
