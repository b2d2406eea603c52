// The number of processors is the one that the user says. Without it, a program that asks is refused.
// check: --processors=3 sc=holds tso=holds pso=holds states=sc:2,tso:2,pso:2
// check: --processors=3 --engine=dpor sc=holds
// check: --processors=3 --engine=reads-from sc=holds
// check: --processors=3 --engine=symbolic sc=unknown
// check: --processors=4 sc=violated(assertion) at=18 states=sc:1
// check: sc=refused(--processors)
// check: -DAFFINITY sc=refused(--processors)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>
int main(void) {
#ifndef AFFINITY
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 3);
  assert(sysconf(_SC_NPROCESSORS_CONF) == 3 && get_nprocs() == 3 && get_nprocs_conf() == 3);
#endif
  cpu_set_t set;
  assert(sched_getaffinity(0, sizeof set, &set) == 0);
  assert(CPU_COUNT(&set) == 3 && CPU_ISSET(0, &set) && CPU_ISSET(2, &set) && !CPU_ISSET(3, &set));
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 3);
  assert(sched_getaffinity(0, 0, &set) == -1 && errno == EINVAL);
  return 0;
}
