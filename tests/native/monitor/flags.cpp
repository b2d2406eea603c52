// Two C++ threads raise their flags and look at the other's, a new pair of threads in each round.
#include <atomic>
#include <thread>

static std::atomic<int> x{0}, y{0};

static int raise(std::atomic<int> &own, const std::atomic<int> &other) {
  own.store(1, std::memory_order_release);
#ifdef FENCE
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  return other.load(std::memory_order_acquire);
}

int main() {
  int missed = 0;
  for (int round = 0; round < 300; round++) {
    x = 0;
    y = 0;
    int a = 0, b = 0;
    std::atomic<int> ready{0};
    auto wait = [&] {
      ready++;
      while (ready != 2)
        std::this_thread::yield();
    };
    std::thread first([&] { wait(); a = raise(x, y); });
    std::thread second([&] { wait(); b = raise(y, x); });
    first.join();
    second.join();
    missed += a == 0 && b == 0;
  }
  return missed != 0;
}
