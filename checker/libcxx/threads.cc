/*
 * std::thread, std::condition_variable and std::call_once over POSIX threads.
 *
 * Waits with a time at a condition variable are left out: headers ask a clock afterwards whether the time has
 * passed, and a clock that stands still would hide that it has. So the clocks of std::chrono are not here,
 * and refused by their names.
 */
#include <condition_variable>
#include <mutex>
#include <thread>

#include <cerrno>
#include <pthread.h>

namespace {
void *run_thread(void *given) {
  std::unique_ptr<std::thread::_State> state(static_cast<std::thread::_State *>(given));
  state->_M_run();
  return nullptr;
}
}

std::thread::_State::~_State() = default;

/* The second argument only makes sure that programs link the library of threads. */
void std::thread::_M_start_thread(_State_ptr state, void (*)()) {
  if (int error = pthread_create(&_M_id._M_thread, nullptr, run_thread, state.get()))
    __throw_system_error(error);
  state.release();
}

void std::thread::join() {
  if (int error = joinable() ? pthread_join(_M_id._M_thread, nullptr) : EINVAL)
    __throw_system_error(error);
  _M_id = id();
}

void std::thread::detach() {
  if (int error = joinable() ? pthread_detach(_M_id._M_thread) : EINVAL)
    __throw_system_error(error);
  _M_id = id();
}

/* The standard allows 0: the number is not known. */
unsigned int std::thread::hardware_concurrency() noexcept {
  return 0;
}

std::condition_variable::condition_variable() noexcept = default;
std::condition_variable::~condition_variable() noexcept = default;

void std::condition_variable::wait(std::unique_lock<std::mutex> &lock) {
  pthread_cond_wait(native_handle(), lock.mutex()->native_handle());
}

void std::condition_variable::notify_one() noexcept {
  pthread_cond_signal(native_handle());
}

void std::condition_variable::notify_all() noexcept {
  pthread_cond_broadcast(native_handle());
}

__thread void *std::__once_callable;
__thread void (*std::__once_call)();

extern "C" void __once_proxy() {
  std::__once_call();
}
