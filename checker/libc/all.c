/*
 * The support library: the parts of C and POSIX that are interpreted like the program's own code.
 *
 * What calls back into the program (qsort, the handlers of atexit) or only computes over memory (strcpy,
 * strtol) is written here in C; what needs atomicity or the scheduler is modelled in the checker
 * (src/system/library). The build script compiles this file to bitcode; of it a run links what the program
 * leaves undefined, and what that needs, and nothing else.
 *
 * A function is here or modelled, never both. The exception is exit: the definition here runs the handlers of
 * atexit, and is linked only with them (see src/cli/support.rs); other programs get the model. The same holds
 * for pthread_exit and cleanup handlers, for the functions on streams, which are C in programs that open
 * files (files.c, streams.c), and for those that sleep, which are C in programs that read clocks (time.c).
 *
 * Variables begin with __rmc_, static ones too: reports leave such variables out. Functions of the library's
 * own are static. The code is compiled without debug information, so that what goes wrong here is reported at
 * the program's call.
 */
#define _GNU_SOURCE
/* The functions are defined here, not in headers. */
#undef __OPTIMIZE__

#include "contested.h"

#include "atomic.c"
#include "attributes.c"
#include "complex.c"
#include "convert.c"
#include "ctype.c"
#include "errno.c"
#include "exit.c"
#include "inputs.c"
#include "math.c"
#include "rust.c"
#include "rust_unwind.c"
#include "scan.c"
#include "files.c"
#include "streams.c"
#include "signal.c"
#include "stdio.c"
#include "stdlib.c"
#include "string.c"
#include "time.c"
#include "threads.c"
