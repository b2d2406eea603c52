// check: --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=11 related=13 states=sc:1,tso:1,pso:1
// check: --leaks -DALL_OF_IT sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// The head of a list is freed before the rest; two nodes that point to each other do not keep each other alive.
#include <stdlib.h>

struct node {
  struct node *next;
};

int main(void) {
  struct node *head = malloc(sizeof *head);
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  head->next = first;
  first->next = second;
  second->next = first;
#ifdef ALL_OF_IT
  free(second);
  free(first);
#endif
  free(head);
  return 0;
}
