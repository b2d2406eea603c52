/*
 * ctype.h in the "C" locale: the functions, and the tables that glibc's macros index with -128 to 255.
 */
#include <ctype.h>

#define BETWEEN(c, low, high) ((c) >= (low) && (c) <= (high))
#define UPPER(c) BETWEEN(c, 'A', 'Z')
#define LOWER(c) BETWEEN(c, 'a', 'z')
#define DIGIT(c) BETWEEN(c, '0', '9')
#define HEXADECIMAL(c) (DIGIT(c) || BETWEEN(c, 'A', 'F') || BETWEEN(c, 'a', 'f'))
#define ALPHA(c) (UPPER(c) || LOWER(c))
#define ALNUM(c) (ALPHA(c) || DIGIT(c))
#define GRAPH(c) BETWEEN(c, '!', '~')
#define BLANK(c) ((c) == ' ' || (c) == '\t')
#define SPACE(c) ((c) == ' ' || BETWEEN(c, '\t', '\r'))
#define CONTROL(c) (BETWEEN(c, 0, 31) || (c) == 127)

#define CLASS(c)                                                                                             \
  ((UPPER(c) ? _ISupper : 0) | (LOWER(c) ? _ISlower : 0) | (ALPHA(c) ? _ISalpha : 0) |                       \
   (DIGIT(c) ? _ISdigit : 0) | (HEXADECIMAL(c) ? _ISxdigit : 0) | (SPACE(c) ? _ISspace : 0) |                \
   (GRAPH(c) || (c) == ' ' ? _ISprint : 0) | (GRAPH(c) ? _ISgraph : 0) | (BLANK(c) ? _ISblank : 0) |         \
   (CONTROL(c) ? _IScntrl : 0) | (GRAPH(c) && !ALNUM(c) ? _ISpunct : 0) | (ALNUM(c) ? _ISalnum : 0))
#define LOWERED(c) (UPPER(c) ? (c) - 'A' + 'a' : (c))
#define RAISED(c) (LOWER(c) ? (c) - 'a' + 'A' : (c))

#define FOUR(f, c) f(c), f((c) + 1), f((c) + 2), f((c) + 3)
#define SIXTEEN(f, c) FOUR(f, c), FOUR(f, (c) + 4), FOUR(f, (c) + 8), FOUR(f, (c) + 12)
#define HALF(f, c)                                                                                           \
  SIXTEEN(f, c), SIXTEEN(f, (c) + 16), SIXTEEN(f, (c) + 32), SIXTEEN(f, (c) + 48), SIXTEEN(f, (c) + 64),      \
    SIXTEEN(f, (c) + 80), SIXTEEN(f, (c) + 96), SIXTEEN(f, (c) + 112)
#define TABLE(f) {HALF(f, -128), HALF(f, 0), HALF(f, 128)}

static const unsigned short __rmc_classes[384] = TABLE(CLASS);
static const int __rmc_lowered[384] = TABLE(LOWERED);
static const int __rmc_raised[384] = TABLE(RAISED);
static const unsigned short *const __rmc_class_table = __rmc_classes + 128;
static const int *const __rmc_lower_table = __rmc_lowered + 128;
static const int *const __rmc_upper_table = __rmc_raised + 128;

const unsigned short **__ctype_b_loc(void) {
  return (const unsigned short **)&__rmc_class_table;
}

const int **__ctype_tolower_loc(void) {
  return (const int **)&__rmc_lower_table;
}

const int **__ctype_toupper_loc(void) {
  return (const int **)&__rmc_upper_table;
}

unsigned long __ctype_get_mb_cur_max(void) {
  return 1;
}

/* An argument beyond the table is out of bounds of it, as it is in glibc. */
#undef tolower
#undef toupper

int tolower(int c) {
  return c < -128 || c > 255 ? c : __rmc_lower_table[c];
}

int toupper(int c) {
  return c < -128 || c > 255 ? c : __rmc_upper_table[c];
}

#define FUNCTION(name, class)                                                                                \
  int(name)(int c) {                                                                                         \
    return __rmc_class_table[c] & class;                                                                     \
  }

FUNCTION(isalnum, _ISalnum)
FUNCTION(isalpha, _ISalpha)
FUNCTION(isblank, _ISblank)
FUNCTION(iscntrl, _IScntrl)
FUNCTION(isdigit, _ISdigit)
FUNCTION(isgraph, _ISgraph)
FUNCTION(islower, _ISlower)
FUNCTION(isprint, _ISprint)
FUNCTION(ispunct, _ISpunct)
FUNCTION(isspace, _ISspace)
FUNCTION(isupper, _ISupper)
FUNCTION(isxdigit, _ISxdigit)

int(isascii)(int c) {
  return (c & ~127) == 0;
}

int(toascii)(int c) {
  return c & 127;
}
