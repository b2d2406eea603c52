// check: --max-memory=50M sc=unknown tso=unknown
//
// A loop that allocates for ever is met by a limit.
#include <stdlib.h>

struct node {
  struct node *next;
  char payload[1000];
};

int main(void) {
  struct node *head = NULL;
  for (;;) {
    struct node *node = calloc(1, sizeof *node);
    node->next = head;
    head = node;
  }
}
