// check: -DSPECIFICATION --cflags=-std=c++14 sc=refused(specification)
// check: -DMEMBER sc=refused(members)
// check: -DEXIT sc=refused(pthread_exit)
// check: -DSTREAM sc=refused(basic_ofstream)
//
// What has no model is refused by its name, not guessed.
#include <pthread.h>
#ifdef STREAM
#include <fstream>
#endif

struct Object {
  int value = 1;
  ~Object() {
    value = 0;
  }
};

#ifdef SPECIFICATION
void throws_integers() throw(int) {
  throw 1;
}
#endif

int main() {
#ifdef SPECIFICATION
  try {
    throws_integers();
  } catch (int) {
    return 0;
  }
#elif defined MEMBER
  try {
    throw &Object::value;
  } catch (const int Object::*) {
    return 0;
  }
#elif defined STREAM
  std::ofstream("file") << 1;
#elif defined EXIT
  Object object;
  pthread_exit(nullptr);
#endif
}
