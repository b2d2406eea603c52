// check: sc=violated(null-dereference) tso=violated(null-dereference) pso=violated(null-dereference) at=19 related=none states=sc:1,tso:1,pso:1
// check: -DMEMBER sc=violated(null-dereference) tso=violated(null-dereference) pso=violated(null-dereference) at=17 related=none states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, a load from an address that is known to be null is removed
//
// A null pointer is read, directly or through a member at some distance from it.
#include <stddef.h>

struct node {
  struct node *next;
  int value[10];
};

static struct node *head;

int main(void) {
#ifdef MEMBER
  return head->value[7];
#else
  return head->next != NULL;
#endif
}
