// Four threads insert numbers into a hash table with a lock for each bucket, and look others up.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 1024
#define OPERATIONS 200000

struct node {
  struct node *next;
  unsigned key, count;
};

static struct {
  pthread_mutex_t lock;
  struct node *first;
} table[BUCKETS];

static void add(unsigned key) {
  unsigned bucket = key % BUCKETS;
  pthread_mutex_lock(&table[bucket].lock);
  struct node *node = table[bucket].first;
  while (node && node->key != key) node = node->next;
  if (!node) {
    node = malloc(sizeof *node);
    node->next = table[bucket].first, node->key = key, node->count = 0;
    table[bucket].first = node;
  }
  node->count++;
  pthread_mutex_unlock(&table[bucket].lock);
}

static void *work(void *seed) {
  unsigned random = (unsigned)(unsigned long)seed;
  for (int i = 0; i < OPERATIONS; i++) {
    random = random * 1664525 + 1013904223;
    add(random >> 19);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  unsigned long count = 0;
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&table[i].lock, NULL);
  for (unsigned long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < BUCKETS; i++)
    for (struct node *node = table[i].first; node; node = node->next) count += node->count;
  printf("%lu\n", count);
  return count != 4 * OPERATIONS;
}
