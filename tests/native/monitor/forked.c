// A process that is made by fork runs the two threads of store_buffering.c. Prints its exit code.
#define main run
#include "../store_buffering.c"
#undef main
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  // The monitor is there before the process is made.
  reset();
  int status;
  pid_t process = fork();
  if (process == 0)
    exit(run());
  waitpid(process, &status, 0);
  printf("exit code %d\n", WEXITSTATUS(status));
}
