// check: sc=violated(use-after-free) tso=violated(use-after-free) at=20 related=22,18 states=sc:22,tso:22
// check: -DREAD sc=violated(use-after-free) at=15 related=22,18 states=sc:20
//
// What a header of the standard library does is shown at the line of the program that calls it.
#include <atomic>
#include <thread>

struct Node {
  std::atomic<int> value{0};
};

static std::atomic<Node *> head;

#ifdef READ
static int use(Node *node) { return node->value.load(std::memory_order_relaxed); }
#endif

static void publish() { head.store(new Node, std::memory_order_release); }
#ifndef READ
static int use(Node *node) { return node->value.exchange(1); }
#endif
static void retire() { delete head.exchange(nullptr); }

int main() {
  publish();
  std::thread reader([] {
    if (Node *node = head.load(std::memory_order_acquire))
      use(node);
  });
  retire();
  reader.join();
}
