// check: sc=holds tso=holds pso=holds states=sc:883,tso:831,pso:831
// executions: sc=1 tso=1 pso=1
// executions: -DDEPTH=3 sc=1 tso=1 pso=1
// executions: -DDEPTH=5 sc=1 tso=1 pso=1
//
// A sum over a tree: each thread creates one for half of the work at every level, and waits for it.
#include <assert.h>
#include <pthread.h>

#ifndef DEPTH
#define DEPTH 2
#endif

static int leaves[1 << DEPTH];

struct task {
  int depth, first, sum;
};

static void *run(void *argument) {
  struct task *task = argument;
  if (task->depth == 0) {
    task->sum = leaves[task->first];
    return NULL;
  }
  int half = task->depth - 1;
  struct task left = {half, task->first, 0}, right = {half, task->first + (1 << half), 0};
  pthread_t thread;
  pthread_create(&thread, NULL, run, &right);
  run(&left);
  pthread_join(thread, NULL);
  task->sum = left.sum + right.sum;
  return NULL;
}

int main(void) {
  struct task all = {DEPTH, 0, 0};
  for (int i = 0; i < 1 << DEPTH; i++)
    leaves[i] = i;
  run(&all);
  assert(all.sum == (1 << DEPTH) * ((1 << DEPTH) - 1) / 2);
  return 0;
}
