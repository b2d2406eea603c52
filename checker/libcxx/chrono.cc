/* Clocks. Time stands still, as in libc/time.c. */
#include <chrono>
#include <ctime>

namespace std::chrono {
inline namespace _V2 {
system_clock::time_point system_clock::now() noexcept {
  return time_point(duration_cast<duration>(seconds(std::time(nullptr))));
}

steady_clock::time_point steady_clock::now() noexcept {
  return time_point(duration_cast<duration>(seconds(std::time(nullptr))));
}
}
}
