// check: sc=holds states=sc:1
// check: -DARRAY sc=violated(invalid-free) tso=violated(invalid-free) at=37 states=sc:1,tso:1
// check: -DSINGLE sc=violated(invalid-free) at=39 states=sc:1
// check: -DFREED sc=violated(invalid-free) at=41 states=sc:1
// check: -DMALLOCED sc=violated(invalid-free) at=43 states=sc:1
// check: -DREALLOCATED sc=violated(invalid-free) at=45 states=sc:1
// check: -DALIGNED sc=violated(invalid-free) at=47 states=sc:1
// check: -DUNALIGNED sc=violated(invalid-free) at=49 states=sc:1
// check: -DREPLACED sc=holds states=sc:1
// check: -DREPLACED_NEW sc=holds states=sc:1
// check: -DREPLACED_NOTHROW sc=holds states=sc:1
//
// Memory goes back to the form that made it. What a program replaces, the other forms call.
#include <cassert>
#include <cstdlib>
#include <new>

static int made, ended;

#if defined REPLACED || defined REPLACED_NEW
void *operator new(std::size_t size) { made++; return std::malloc(size); }
#endif
#ifdef REPLACED
void operator delete(void *memory) noexcept { ended++; std::free(memory); }
#endif
#ifdef REPLACED_NOTHROW
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { made++; return std::malloc(size); }
#endif

struct alignas(64) Line {
  char bytes[64];
};

int main() {
#ifdef ARRAY
  int *numbers = new int[3];
  delete numbers;
#elif defined SINGLE
  delete[] new int;
#elif defined FREED
  std::free(new int);
#elif defined MALLOCED
  delete static_cast<int *>(std::malloc(4));
#elif defined REALLOCATED
  std::free(std::realloc(new char, 3));
#elif defined ALIGNED
  ::operator delete(new Line);
#elif defined UNALIGNED
  ::operator delete(new char, std::align_val_t(64));
#endif
  delete new Line;
  delete[] new Line[2];
  delete new (std::nothrow) Line;
  delete[] new (std::nothrow) int[3];
  delete new (std::nothrow) int;
  delete static_cast<int *>(nullptr);
  delete[] static_cast<int *>(nullptr);
#if defined REPLACED
  assert(made == 2 && ended == 2);
#elif defined REPLACED_NEW
  assert(made == 2 && ended == 0);
#elif defined REPLACED_NOTHROW
  assert(made == 1);
#endif
}
