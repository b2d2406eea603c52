/* std::thread, std::condition_variable, std::call_once and atomic shared pointers over POSIX threads. */
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <cerrno>
#include <pthread.h>

extern "C" void __rmc_take(void *object);

namespace {
void *run_thread(void *given) {
  __rmc_take(given);
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

extern "C" long __rmc_processors(void);

/* The standard allows 0: the number is not known. */
unsigned int std::thread::hardware_concurrency() noexcept {
  return static_cast<unsigned>(__rmc_processors());
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

/*
 * The functions of atomic access to std::shared_ptr lock this. One lock for all pointers orders no more than
 * the standard does: the functions are sequentially consistent.
 */
namespace {
pthread_mutex_t __rmc_shared_pointers = PTHREAD_MUTEX_INITIALIZER;
}

std::_Sp_locker::_Sp_locker(const void *) noexcept {
  pthread_mutex_lock(&__rmc_shared_pointers);
}

std::_Sp_locker::_Sp_locker(const void *, const void *) noexcept {
  pthread_mutex_lock(&__rmc_shared_pointers);
}

std::_Sp_locker::~_Sp_locker() {
  pthread_mutex_unlock(&__rmc_shared_pointers);
}
