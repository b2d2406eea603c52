// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=49 states=sc:189,tso:135,pso:135
// check: -DORDERED sc=holds tso=holds pso=holds states=sc:709,tso:425,pso:425
// check: -DONE_LEFT_HANDED sc=holds tso=holds pso=holds states=sc:685,tso:415,pso:415
//
// E. W. Dijkstra, "Hierarchical ordering of sequential processes", Acta Informatica 1(2), 1971. Everybody takes the fork on the right, then waits for
// the one on the left: if all take the first at once, nobody gets a second. With forks taken in the order of their numbers (-DORDERED) there
// is no circle of waiting, nor with one philosopher who begins on the left (-DONE_LEFT_HANDED). Mutexes are full fences: the models agree.
#include <assert.h>
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int eating[SEATS];
static int meals[SEATS];

static void eat(int seat) {
  eating[seat] = 1;
  assert(!eating[(seat + 1) % SEATS] && !eating[(seat + SEATS - 1) % SEATS]);
  meals[seat]++;
  eating[seat] = 0;
}

static void *philosopher(void *argument) {
  int seat = *(int *)argument, first = seat, second = (seat + 1) % SEATS;
#if defined ORDERED
  int swap = first > second;
#elif defined ONE_LEFT_HANDED
  int swap = seat == 0;
#else
  int swap = 0;
#endif
  pthread_mutex_lock(&forks[swap ? second : first]);
  pthread_mutex_lock(&forks[swap ? first : second]);
  eat(seat);
  pthread_mutex_unlock(&forks[first]);
  pthread_mutex_unlock(&forks[second]);
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  int seats[SEATS];
  for (int i = 0; i < SEATS; i++) {
    seats[i] = i;
    pthread_create(&threads[i], NULL, philosopher, &seats[i]);
  }
  for (int i = 0; i < SEATS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < SEATS; i++)
    assert(meals[i] == 1);
  return 0;
}
