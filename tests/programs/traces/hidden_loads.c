// check: sc=holds tso=holds pso=holds states=sc:567,tso:887,pso:941
// executions: sc=46 tso=80 pso=80
//
// The load of `y` in the first thread sees that thread's own store, and stores of other threads only after that store has reached memory. So whether they conflict
// depends on what came before, also in an execution that is only planned. The numbers are those of the textbook machine's different reads-from and store orders.
#include <pthread.h>

int x, y, a, b, c;

static void *first(void *unused) {
  y = 1;
  y = 2;
  a = x;
  b = y;
  return unused;
}

static void *second(void *unused) {
  y = 3;
  c = x;
  return unused;
}

static void *third(void *unused) {
  x = 4;
  y = 5;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_create(&threads[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
