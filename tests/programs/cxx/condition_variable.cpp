// check: sc=holds tso=holds pso=holds states=sc:29,tso:25,pso:31
// check: -DUNTOLD sc=violated(deadlock) tso=violated(deadlock) states=sc:27,tso:23
//
// std::condition_variable and std::mutex: a message is handed over; without the notification the receiver may
// wait for ever.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable told;
bool ready;
int message;

int main() {
  std::thread sender([] {
    std::lock_guard<std::mutex> lock(mutex);
    message = 5;
    ready = true;
#ifndef UNTOLD
    told.notify_one();
#endif
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    told.wait(lock, [] { return ready; });
    assert(message == 5);
  }
  sender.join();
}
