// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// Initialisers: addresses of other objects and of members, strings, nested and partly filled aggregates.
#include <assert.h>
#include <string.h>

struct item {
  const char *name;
  const int *where;
  struct item *next;
};

static int numbers[4] = {1, 2};
static struct item last = {"last", &numbers[1], 0};
static struct item first = {.name = &"first"[2], .next = &last, .where = numbers + 3};
static struct item *const entry = &first;
static struct item items[2] = {[1] = {.name = "one"}};

int main(void) {
  assert(memcmp(entry->name, "rst", 4) == 0 && entry->name[2] == 't');
  assert(*entry->where == 0 && *entry->next->where == 2);
  assert(entry->next->next == 0 && items[0].name == 0 && items[1].name[0] == 'o');
  assert(&first != &last && entry->where - entry->next->where == 2);
  return 0;
}
