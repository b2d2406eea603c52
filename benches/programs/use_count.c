// USERS threads open what main has made, count themselves in without a lock, and main closes it. They look
// LOOKS times whether it is there, and give up. After 27_Boop of SV-COMP, which rests on a model of a Linux
// driver.
#include <pthread.h>

#ifndef USERS
#define USERS 3
#endif
#ifndef LOOKS
#define LOOKS 4
#endif

static volatile int users, is_locked, is_open, is_there;

static int waits_for(volatile int *flag) {
  for (int look = 0; look < LOOKS; look++)
    if (*flag)
      return 1;
  return 0;
}

static void *use(void *unused) {
  if (!waits_for(&is_there))
    return unused;
  users = users + 1;
  if (is_locked)
    return unused;
  is_locked = 1;
  is_open = 1;
  return unused;
}

int main(void) {
  pthread_t threads[USERS];
  for (int i = 0; i < USERS; i++)
    pthread_create(&threads[i], 0, use, 0);
  users = 0;
  is_locked = 0;
  is_there = 1;
  if (!waits_for(&is_open))
    return 0;
  users = users - 1;
  is_locked = 0;
  return users;
}
