/*
 * The classic locale, the only one there is: [locale], with the facets of streams of `char` in it. Nothing
 * counts references to it, since it is never gone. The compiler evaluates the constructors of the variables
 * here, so that none is left for the start of the program.
 *
 * Not covered: other locales and other facets, which are refused.
 */
#include <cctype>
#include <cstring>
#include <istream>

#include "formats.h"

namespace {
using Ctype = std::ctype<char>;

struct Masks {
  std::ctype_base::mask of[Ctype::table_size];
};

constexpr Masks masks_of_characters() {
  Masks masks{};
  for (int one = 0; one < 128; one++) {
    bool is_upper = one >= 'A' && one <= 'Z', is_lower = one >= 'a' && one <= 'z', is_digit = one >= '0' && one <= '9';
    bool is_hex = is_digit || (one >= 'A' && one <= 'F') || (one >= 'a' && one <= 'f');
    bool is_print = one >= ' ' && one <= '~', is_alpha = is_upper || is_lower;
    int mask = (is_upper ? Ctype::upper : 0) | (is_lower ? Ctype::lower : 0) | (is_alpha ? Ctype::alpha : 0);
    mask |= (is_digit ? Ctype::digit : 0) | (is_hex ? Ctype::xdigit : 0) | (is_print ? Ctype::print : 0);
    mask |= one == ' ' || (one >= '\t' && one <= '\r') ? Ctype::space : 0;
    mask |= one == ' ' || one == '\t' ? Ctype::blank : 0;
    mask |= is_print ? 0 : Ctype::cntrl;
    mask |= is_print && !is_alpha && !is_digit && one != ' ' ? Ctype::punct : 0;
    masks.of[one] = static_cast<std::ctype_base::mask>(mask);
  }
  return masks;
}

constexpr Masks __rmc_masks = masks_of_characters();
}

std::locale::facet::~facet() = default;

std::locale::id std::ctype<char>::id;
template <> std::locale::id std::num_put<char>::id{};
template <> std::locale::id std::num_get<char>::id{};
template <> std::locale::id std::numpunct<char>::id{};

/*
 * Characters. The object is zero before: without a mark that the tables of wide and narrow characters are
 * made, headers ask each time.
 */
Ctype::ctype(const mask *table, bool owns, std::size_t references)
    : facet(references), _M_c_locale_ctype(), _M_del(owns), _M_toupper(), _M_tolower(),
      _M_table(table ? table : __rmc_masks.of) {}

Ctype::~ctype() {
  if (_M_del)
    delete[] _M_table;
}

const Ctype::mask *Ctype::classic_table() noexcept {
  return __rmc_masks.of;
}

void Ctype::_M_widen_init() const {}
void Ctype::_M_narrow_init() const {}

char Ctype::do_toupper(char one) const {
  return one >= 'a' && one <= 'z' ? one - 'a' + 'A' : one;
}

char Ctype::do_tolower(char one) const {
  return one >= 'A' && one <= 'Z' ? one - 'A' + 'a' : one;
}

const char *Ctype::do_toupper(char *at, const char *end) const {
  for (; at < end; at++)
    *at = do_toupper(*at);
  return end;
}

const char *Ctype::do_tolower(char *at, const char *end) const {
  for (; at < end; at++)
    *at = do_tolower(*at);
  return end;
}

namespace {
/* The numbers of facets; a number that is not here is none. */
enum Number { CTYPE, NUM_PUT, NUM_GET, NUMBERS };

[[clang::no_destroy]] Ctype __rmc_ctype(nullptr, false, 1);
[[clang::no_destroy]] Put __rmc_num_put;
[[clang::no_destroy]] Get __rmc_num_get;

const std::locale::facet *__rmc_facets[NUMBERS] = {&__rmc_ctype, &__rmc_num_put, &__rmc_num_get};
char __rmc_name[] = "C";
char *__rmc_names[] = {__rmc_name, nullptr};
}

std::size_t std::locale::id::_M_id() const noexcept {
  if (this == &std::ctype<char>::id)
    return CTYPE;
  if (this == &num_put<char>::id)
    return NUM_PUT;
  if (this == &num_get<char>::id)
    return NUM_GET;
  __rmc_unsupported("a facet of a locale other than those of streams of `char`");
}

namespace {
/* The members of std::locale::_Impl, whose constructors are private. */
struct Classic {
  int references;
  const std::locale::facet **facets;
  std::size_t size;
  const std::locale::facet **caches;
  char **names;
};

constinit Classic __rmc_classic = {1, __rmc_facets, NUMBERS, nullptr, __rmc_names};
}

std::locale::_Impl *std::locale::_S_classic = reinterpret_cast<_Impl *>(&__rmc_classic);

std::locale::locale() noexcept : _M_impl(reinterpret_cast<_Impl *>(&__rmc_classic)) {}
std::locale::locale(const locale &) noexcept : locale() {}
std::locale::~locale() noexcept {}

std::locale::locale(const char *name) : locale() {
  if (std::strcmp(name, "C") != 0 && std::strcmp(name, "POSIX") != 0 && *name)
    __rmc_unsupported("a locale other than the classic one");
}

const std::locale &std::locale::operator=(const locale &) noexcept {
  return *this;
}

bool std::locale::operator==(const locale &) const noexcept {
  return true;
}

std::string std::locale::name() const {
  return "C";
}

/* A locale is a pointer to what it has. */
const std::locale &std::locale::classic() {
  return reinterpret_cast<const locale &>(_S_classic);
}

std::locale std::locale::global(const locale &) {
  return locale();
}

/* What headers find in the locale is here. */
#define FACET(type, variable)                                                                                       \
  template <> const type &std::use_facet<type>(const locale &) {                                                    \
    return variable;                                                                                                \
  }                                                                                                                 \
  template <> bool std::has_facet<type>(const locale &) noexcept {                                                  \
    return true;                                                                                                    \
  }
FACET(Ctype, __rmc_ctype)
FACET(std::num_put<char>, __rmc_num_put)
FACET(std::num_get<char>, __rmc_num_get)
#undef FACET
