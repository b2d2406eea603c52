// check: sc=holds tso=holds states=sc:49,tso:34
// check: -DLATE sc=violated(assertion) states=sc:299
//
// Variables of threads: made where a thread first uses them, destroyed at its end, last made first; those of
// the main thread before static ones and before the functions of atexit. The assertions hold natively, too.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::string trace;

void note(char what) {
  std::lock_guard<std::mutex> lock(mutex);
  trace += what;
}

struct Note {
  char name;
  int value = 0;
  explicit Note(char name) : name(name) { note(name); }
  ~Note() { note(static_cast<char>(name - 'a' + 'A')); }
};

struct Static {
  ~Static() { assert(trace == "abcBAdD!"); }
} last;

thread_local Note first('a');
thread_local int plain = 3;

int &second() {
  static thread_local Note variable('b');
  return variable.value;
}

void work() {
  first.value++;
  second()++;
  assert(first.value == 1 && second() == 1 && plain++ == 3);
  note('c');
}

int main() {
  std::thread thread(work);
#ifdef LATE
  second() = 7;
#endif
  thread.join();
  assert(trace == "abcBA" && plain == 3);
  std::atexit([] { trace += '!'; });
  static thread_local Note own('d');
  own.value++;
}
