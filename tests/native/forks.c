// Processes are made while other threads store and load. In the new process, the only thread shares memory
// with one that it creates. Prints "all ended" if each new process came to its end.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 3
#define PROCESSES 100

static atomic_int stop;
static volatile long data[64];

static void *work(void *argument) {
  do
    for (int i = 0; i < 1000; i++)
      data[i % 64] += i;
  while (!stop && !argument);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS], created;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < PROCESSES; i++) {
    pid_t process = fork();
    if (process == 0) {
      pthread_create(&created, 0, work, &created);
      work(&created);
      pthread_join(created, 0);
      _exit(7);
    }
    int status;
    waitpid(process, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
      return 1;
  }
  stop = 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  puts("all ended");
}
