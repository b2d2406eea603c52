// check: -std=c++20 sc=holds tso=holds pso=holds states=sc:9816,tso:8712,pso:11324
//
// Threads of the standard library with what they wait for, each feature in a part whose order of events is
// fixed: threads take turns. So what is said is the same in all executions, also without rmc
// (`tests/tests/libc_native.rs`).
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

static const char EXPECTED[] =
    "0 1\n"
    "1 0 n7\n"
    "0 5\n"
    "1\n"
    "1\n"
    "told to stop, 4\n"
    "1 1 0 1\n"
    "1 1\n"
    "0 1 1 1\n"
    "-1 1\n"
    "1\n"
    "1 0\n"
    "not yet 2\n"
    "one two three 1\n"
    "1 kept 0\n"
    "broken\n"
    "0 1 8 1\n"
    "36 36\n"
    "1\n"
    "1 0 1\n"
    "1\n"
    "3\n"
    "0 5 1 9 15 14\n"
    "3 4\n"
    "1.75 3\n"
    "0 1 1\n"
    "2 5 1\n"
    "1\n"
    "1\n";

static std::string said;

// As printf, but to `said`.
static void say(const char *format, ...) {
  char text[64];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  said += text;
}

static void threads() {
  std::thread none;
  say("%d %d\n", none.joinable(), none.get_id() == std::thread::id());
  std::string made;
  std::thread one([&made](const std::string &word, int number) { made = word + std::to_string(number); }, "n", 7);
  say("%d", one.joinable());
  one.join();
  say(" %d %s\n", one.joinable(), made.c_str());
  int number = 1;
  std::thread other([](int &number) { number = 5; }, std::ref(number));
  std::thread moved = std::move(other);
  say("%d ", other.joinable());
  moved.join();
  say("%d\n", number);
  try {
    moved.join();
  } catch (const std::system_error &error) {
    say("%d\n", error.code() == std::errc::invalid_argument);
  }
  bool is_other = false;
  const std::thread::id main = std::this_thread::get_id();
  std::thread([&] { is_other = std::this_thread::get_id() != main; }).join();
  say("%d\n", is_other);
}

static void stops() {
  std::jthread thread([](std::stop_token token, int number) {
    std::stop_callback callback(token, [number] { say("told to stop, %d\n", number); });
    while (!token.stop_requested())
      std::this_thread::yield();
  }, 4);
  thread.request_stop();
  thread.join();
  std::stop_source source;
  say("%d %d %d %d\n", source.stop_possible(), source.request_stop(), source.request_stop(),
              source.get_token().stop_requested());
}

static void locks() {
  std::mutex one, two;
  std::recursive_mutex again;
  std::timed_mutex timed;
  std::shared_mutex shared;
  {
    std::scoped_lock both(one, two);
    bool is_locked = true;
    std::thread([&] { is_locked = !one.try_lock(); }).join();
    std::lock_guard first(again);
    std::lock_guard second(again);
    say("%d %d\n", is_locked, again.try_lock());
    again.unlock();
  }
  std::unique_lock<std::mutex> lock(one, std::defer_lock);
  say("%d %d %d ", lock.owns_lock(), lock.try_lock(), lock.owns_lock());
  try {
    lock.lock();
  } catch (const std::system_error &error) {
    say("%d\n", error.code() == std::errc::resource_deadlock_would_occur);
  }
  lock.unlock();
  lock.release();
  say("%d %d\n", std::try_lock(one, two), lock.mutex() == nullptr);
  one.unlock();
  two.unlock();
  say("%d\n", timed.try_lock_for(std::chrono::milliseconds(1)));
  timed.unlock();
  {
    std::shared_lock reader(shared);
    bool read = false, written = true;
    std::thread([&] {
      read = shared.try_lock_shared();
      if (read)
        shared.unlock_shared();
      written = shared.try_lock();
    }).join();
    say("%d %d\n", read, written);
  }
  std::once_flag flag;
  int calls = 0;
  for (int round = 0; round < 3; ++round) {
    try {
      std::call_once(flag, [&] {
        if (++calls == 1)
          throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error &error) {
      say("%s ", error.what());
    }
  }
  say("%d\n", calls);
}

static void conditions() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  const auto take = [&](int own, const char *what) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return turn == own; });
    say("%s ", what);
    ++turn;
    changed.notify_all();
  };
  std::thread one([&] {
    take(0, "one");
    take(2, "three");
  });
  take(1, "two");
  one.join();
  std::condition_variable_any any;
  std::shared_mutex shared;
  std::shared_lock lock(shared);
  say("%d\n", any.wait_for(lock, std::chrono::milliseconds(1), [] { return true; }));
}

static void futures() {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::thread([](std::promise<std::string> promise) { promise.set_value("kept"); }, std::move(promise)).join();
  say("%d %s %d\n", future.wait_for(std::chrono::seconds(0)) == std::future_status::ready, future.get().c_str(),
              future.valid());
  std::future<int> failed = std::async(std::launch::async, []() -> int { throw std::runtime_error("broken"); });
  try {
    failed.get();
  } catch (const std::runtime_error &error) {
    say("%s\n", error.what());
  }
  bool has_run = false;
  std::future<int> later = std::async(std::launch::deferred, [&] {
    has_run = true;
    return 8;
  });
  say("%d %d", has_run, later.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
  say(" %d %d\n", later.get(), has_run);
  std::packaged_task<int(int)> task([](int number) { return number * number; });
  std::shared_future<int> squared = task.get_future().share();
  std::thread(std::move(task), 6).join();
  say("%d %d\n", squared.get(), std::shared_future<int>(squared).get());
  std::future<void> lost;
  {
    std::promise<void> gone;
    lost = gone.get_future();
  }
  try {
    lost.get();
  } catch (const std::future_error &error) {
    say("%d\n", error.code() == std::future_errc::broken_promise);
  }
}

static void counters() {
  std::counting_semaphore<4> semaphore(1);
  say("%d %d ", semaphore.try_acquire(), semaphore.try_acquire());
  semaphore.release(2);
  semaphore.acquire();
  say("%d\n", semaphore.try_acquire_for(std::chrono::milliseconds(1)));
  std::latch latch(2);
  std::thread counts([&] { latch.count_down(); });
  latch.arrive_and_wait();
  counts.join();
  say("%d\n", latch.try_wait());
  int rounds = 0;
  std::barrier barrier(2, [&rounds]() noexcept { ++rounds; });
  std::thread arrives([&] {
    barrier.arrive_and_wait();
    barrier.arrive_and_drop();
  });
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();
  arrives.join();
  barrier.arrive_and_wait();
  say("%d\n", rounds);
}

struct Pair {
  short one, other;
};

static void atomics() {
  std::atomic<int> number(5);
  int expected = 4;
  say("%d %d ", number.compare_exchange_strong(expected, 9), expected);
  say("%d %d ", number.compare_exchange_strong(expected, 9), number.fetch_sub(2));
  number |= 8;
  say("%d %d\n", number--, number.exchange(1, std::memory_order_relaxed));
  std::atomic<Pair> pair(Pair{1, 2});
  pair.store(Pair{3, 4});
  const Pair loaded = pair.load(std::memory_order_acquire);
  say("%d %d\n", loaded.one, loaded.other);
  std::atomic<double> real(1.5);
  real.fetch_add(0.25);
  int array[3] = {1, 2, 3};
  std::atomic<int *> pointer(array);
  pointer += 2;
  say("%.2f %d\n", real.load(), *pointer.load());
  std::atomic_flag flag;
  say("%d %d %d\n", flag.test_and_set(), flag.test_and_set(), flag.test());
  int plain = 3;
  std::atomic_ref<int>(plain).fetch_xor(6);
  std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(2));
  const std::shared_ptr<int> before = shared.exchange(std::make_shared<int>(plain));
  say("%d %d %ld\n", *before, *shared.load(), before.use_count());
  std::atomic<int> waits(0);
  std::thread wakes([&] {
    waits = 1;
    waits.notify_one();
  });
  waits.wait(0);
  wakes.join();
  say("%d\n", waits.load());
}

static thread_local int own = 1;

int main() {
  threads();
  stops();
  locks();
  conditions();
  futures();
  counters();
  atomics();
  std::thread([] { own = 7; }).join();
  say("%d\n", own);
  assert(said == EXPECTED);
}
