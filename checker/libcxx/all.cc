/*
 * The C++ support library: what libstdc++ keeps in its shared object, and headers only declare.
 *
 * It is interpreted like the program's own code, as libc/ is. The build script compiles this file to bitcode;
 * of it a run links what the program leaves undefined, and what that needs, and nothing else. So nothing here
 * may need a constructor at start-up. It is written over C and POSIX, whose functions are in libc/ or
 * modelled.
 *
 * Variables begin with __rmc_, unless the program knows them by another name. The code has no debug
 * information, so that what goes wrong here is reported at the program's call. Tests: tests/programs/cxx/.
 */
/* Headers declare the templates that are instantiated or specialised here as instantiated elsewhere. */
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <cstdlib>

#include "refuse.h"

#include "casts.cc"
#include "catches.cc"
#include "exceptions.cc"

#include "categories.cc"
#include "errors.cc"
#include "clocks.cc"
#include "futures.cc"
#include "guards.cc"
#include "hashes.cc"
#include "lists.cc"
#include "locales.cc"
#include "memory.cc"
#include "streams.cc"
#include "strings.cc"
#include "terminate.cc"
#include "threads.cc"
#include "throw.cc"
#include "trees.cc"
#include "types.cc"
