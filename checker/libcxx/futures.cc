/*
 * std::future: the words at which threads wait for results. The rest is in headers. Waits with a time may end
 * before the result is there, as the model of the futex has it.
 */
#include <cerrno>
#include <future>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

std::__future_base::_Result_base::_Result_base() = default;
std::__future_base::_Result_base::~_Result_base() = default;

namespace {
/* Waits while a word has a value; with a time also until that. False if the time was over. */
bool wait_at(unsigned *word, unsigned value, bool is_timed) {
  timespec time{};
  long error = syscall(SYS_futex, word, FUTEX_WAIT, value, is_timed ? &time : nullptr);
  return error != -1 || errno != ETIMEDOUT;
}
}

bool std::__atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word, unsigned value, bool is_timed,
                                                            chrono::seconds, chrono::nanoseconds) {
  return wait_at(word, value, is_timed);
}

bool std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *word, unsigned value, bool is_timed,
                                                                   chrono::seconds, chrono::nanoseconds) {
  return wait_at(word, value, is_timed);
}

void std::__atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *word) {
  syscall(SYS_futex, word, FUTEX_WAKE, __INT_MAX__);
}
