// check: sc=violated(uninitialised-dereference) tso=violated(uninitialised-dereference) pso=violated(uninitialised-dereference) at=15 related=13 states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, what is read through an undefined pointer is undefined
//
// A pointer in a fresh block is followed before it is set.
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *node = malloc(sizeof *node);
  node->value = 1;
  return node->next->value;
}
