#pragma once
/*
 * The facets that write and read numbers: [locale.num.put] and [locale.num.get]. In the classic locale
 * nothing is grouped, so a number is what printf makes of it, and what strtoll and strtod take.
 */
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ios>
#include <limits>
#include <locale>

namespace {
using Flags = std::ios_base::fmtflags;

/* Longer than any integer, and than most other numbers. */
constexpr int ROOM = 80;

/* A text, behind and in front of which there may be others of a width. */
struct Padded {
  const char *text;
  long length;
  /* How many characters come before those that fill up, with `internal`. */
  long prefix;
};

using Output = std::ostreambuf_iterator<char>;

inline Output write_many(Output out, char one, long count) {
  for (; count > 0; count--)
    *out++ = one;
  return out;
}

/* Writes a text with as many characters as the stream's width asks for, which is 0 afterwards. */
inline Output write_padded(Output out, std::ios_base &stream, char fill, Padded what) {
  long missing = stream.width() > what.length ? stream.width() - what.length : 0;
  Flags side = stream.flags() & std::ios_base::adjustfield;
  long before = side == std::ios_base::left ? what.length : side == std::ios_base::internal ? what.prefix : 0;
  out = std::__write(out, what.text, static_cast<int>(before));
  out = write_many(out, fill, missing);
  out = std::__write(out, what.text + before, static_cast<int>(what.length - before));
  /* A width that is 0 already is not written: other threads may use the stream. */
  if (stream.width())
    stream.width(0);
  return out;
}

/* How many characters a sign and the mark of a base take. */
inline long prefix_of(const char *text, long length) {
  long sign = length > 0 && (*text == '+' || *text == '-');
  bool has_base = length > sign + 1 && text[sign] == '0' && (text[sign + 1] | 0x20) == 'x';
  return sign + (has_base ? 2 : 0);
}

struct Put final : std::num_put<char> {
  Put() : num_put(1) {}

protected:
  /* Integers, by the conversion of printf for their bits. */
  template <typename Number> Output put_integer(Output out, std::ios_base &stream, char fill, Number number) const {
    Flags flags = stream.flags(), base = flags & std::ios_base::basefield;
    bool is_decimal = base != std::ios_base::oct && base != std::ios_base::hex;
    bool is_signed = std::numeric_limits<Number>::is_signed;
    char format[8], text[ROOM];
    char *at = format;
    *at++ = '%';
    if (flags & std::ios_base::showpos && is_decimal && is_signed)
      *at++ = '+';
    if (flags & std::ios_base::showbase && !is_decimal)
      *at++ = '#';
    *at++ = 'l';
    *at++ = is_decimal ? (is_signed ? 'd' : 'u')
            : base == std::ios_base::oct ? 'o' : flags & std::ios_base::uppercase ? 'X' : 'x';
    *at = 0;
    int length = std::snprintf(text, ROOM, format, number);
    return write_padded(out, stream, fill, Padded{text, length, prefix_of(text, length)});
  }

  template <typename Number>
  Output put_real(Output out, std::ios_base &stream, char fill, Number number, const char *modifier) const {
    Flags flags = stream.flags(), form = flags & std::ios_base::floatfield;
    bool is_hex = form == (std::ios_base::fixed | std::ios_base::scientific);
    char format[12];
    char *at = format;
    *at++ = '%';
    if (flags & std::ios_base::showpos)
      *at++ = '+';
    if (flags & std::ios_base::showpoint)
      *at++ = '#';
    if (!is_hex) {
      *at++ = '.';
      *at++ = '*';
    }
    if (*modifier)
      *at++ = *modifier;
    char conversion = is_hex ? 'a' : form == std::ios_base::fixed ? 'f' : form == std::ios_base::scientific ? 'e' : 'g';
    *at++ = flags & std::ios_base::uppercase ? conversion - 'a' + 'A' : conversion;
    *at = 0;
    char room[ROOM], *text = room;
    int precision = static_cast<int>(stream.precision());
    auto print = [&](std::size_t size) {
      return is_hex ? std::snprintf(text, size, format, number) : std::snprintf(text, size, format, precision, number);
    };
    int length = print(ROOM);
    if (length >= ROOM) {
      text = new char[length + 1];
      print(length + 1);
    }
    out = write_padded(out, stream, fill, Padded{text, length, prefix_of(text, length)});
    if (text != room)
      delete[] text;
    return out;
  }

  Output do_put(Output out, std::ios_base &stream, char fill, bool value) const override {
    if (!(stream.flags() & std::ios_base::boolalpha))
      return put_integer(out, stream, fill, static_cast<long>(value));
    return write_padded(out, stream, fill, value ? Padded{"true", 4, 0} : Padded{"false", 5, 0});
  }
  Output do_put(Output out, std::ios_base &stream, char fill, long number) const override {
    return put_integer(out, stream, fill, number);
  }
  Output do_put(Output out, std::ios_base &stream, char fill, unsigned long number) const override {
    return put_integer(out, stream, fill, number);
  }
  Output do_put(Output out, std::ios_base &stream, char fill, long long number) const override {
    return put_integer(out, stream, fill, static_cast<long>(number));
  }
  Output do_put(Output out, std::ios_base &stream, char fill, unsigned long long number) const override {
    return put_integer(out, stream, fill, static_cast<unsigned long>(number));
  }
  Output do_put(Output out, std::ios_base &stream, char fill, double number) const override {
    return put_real(out, stream, fill, number, "");
  }
  Output do_put(Output out, std::ios_base &stream, char fill, long double number) const override {
    return put_real(out, stream, fill, number, "L");
  }
  /* As libstdc++ does: the number of the address in base 16, with its mark. */
  Output do_put(Output out, std::ios_base &stream, char fill, const void *pointer) const override {
    constexpr Flags replaced = std::ios_base::basefield | std::ios_base::uppercase;
    Flags flags = stream.flags();
    stream.flags((flags & ~replaced) | std::ios_base::hex | std::ios_base::showbase);
    out = put_integer(out, stream, fill, reinterpret_cast<unsigned long>(pointer));
    stream.flags(flags);
    return out;
  }
};

using In = std::istreambuf_iterator<char>;

/* The characters of a number, as far as they may belong to one. */
struct Taken {
  char text[ROOM];
  int length;
  /* False if there are more than fit. */
  bool fits;

  void take(In &at) {
    fits &= length < ROOM - 1;
    if (fits)
      text[length++] = *at;
    ++at;
    text[length] = 0;
  }
};

struct Get final : std::num_get<char> {
  Get() : num_get(1) {}

protected:
  static bool is_digit(char one, int base) {
    int digit = one >= '0' && one <= '9' ? one - '0' : (one | 0x20) >= 'a' && (one | 0x20) <= 'f' ? (one | 0x20) - 'a' + 10 : 16;
    return digit < base;
  }

  static bool take_sign(In &at, In end, Taken &taken) {
    bool is_there = at != end && (*at == '+' || *at == '-');
    if (is_there)
      taken.take(at);
    return is_there;
  }

  /* Takes an integer, without the mark of its base. The result is the base; 0 if there is no digit. */
  static int take_integer(In &at, In end, Flags flags, Taken &taken) {
    Flags field = flags & std::ios_base::basefield;
    int base = field == std::ios_base::oct ? 8 : field == std::ios_base::hex ? 16 : field ? 10 : 0;
    take_sign(at, end, taken);
    bool has_digits = false;
    if (base != 10 && at != end && *at == '0') {
      taken.take(at);
      has_digits = true;
      if (base != 8 && at != end && (*at | 0x20) == 'x') {
        ++at;
        has_digits = false;
        base = 16;
      }
      base = base ? base : 8;
    }
    base = base ? base : 10;
    for (; at != end && is_digit(*at, base); has_digits = true)
      taken.take(at);
    return has_digits ? base : 0;
  }

  template <typename Number>
  static In get_integer(In at, In end, Flags flags, std::ios_base::iostate &state, Number &number) {
    Taken taken{{}, 0, true};
    int base = take_integer(at, end, flags, taken);
    constexpr Number most = std::numeric_limits<Number>::max(), least = std::numeric_limits<Number>::min();
    bool is_negative = taken.text[0] == '-';
    errno = 0;
    if (!taken.fits)
      __rmc_unsupported("an integer of many digits that a stream reads");
    if (!base) {
      number = 0;
      state |= std::ios_base::failbit;
    } else if constexpr (std::numeric_limits<Number>::is_signed) {
      long long value = std::strtoll(taken.text, nullptr, base);
      bool is_out = errno == ERANGE || value > most || value < least;
      number = is_out ? (is_negative ? least : most) : static_cast<Number>(value);
      state |= is_out ? std::ios_base::failbit : std::ios_base::goodbit;
    } else {
      unsigned long long value = std::strtoull(taken.text + (is_negative || *taken.text == '+'), nullptr, base);
      bool is_out = errno == ERANGE || value > most;
      number = is_out ? most : static_cast<Number>(is_negative ? -value : value);
      state |= is_out ? std::ios_base::failbit : std::ios_base::goodbit;
    }
    if (at == end)
      state |= std::ios_base::eofbit;
    return at;
  }

  template <typename Number, typename Convert>
  static In get_real(In at, In end, std::ios_base::iostate &state, Number &number, Convert convert) {
    Taken taken{{}, 0, true};
    take_sign(at, end, taken);
    bool has_digits = false, is_complete = true;
    auto take_digits = [&] {
      bool any = false;
      for (; at != end && is_digit(*at, 10); any = true)
        taken.take(at);
      return any;
    };
    has_digits = take_digits();
    if (at != end && *at == '.') {
      taken.take(at);
      has_digits |= take_digits();
    }
    if (has_digits && at != end && (*at | 0x20) == 'e') {
      taken.take(at);
      take_sign(at, end, taken);
      is_complete = take_digits();
    }
    if (!taken.fits)
      __rmc_unsupported("a number of many digits that a stream reads");
    number = has_digits && is_complete ? convert(taken.text) : 0;
    constexpr Number most = std::numeric_limits<Number>::max();
    bool is_out = number > most || number < -most;
    number = is_out ? (number > 0 ? most : -most) : number;
    if (!has_digits || !is_complete || is_out)
      state |= std::ios_base::failbit;
    if (at == end)
      state |= std::ios_base::eofbit;
    return at;
  }

#define GETS_INTEGER(type)                                                                                          \
  In do_get(In at, In end, std::ios_base &stream, std::ios_base::iostate &state, type &number) const override {     \
    return get_integer(at, end, stream.flags(), state, number);                                                     \
  }
  GETS_INTEGER(long)
  GETS_INTEGER(unsigned short)
  GETS_INTEGER(unsigned int)
  GETS_INTEGER(unsigned long)
  GETS_INTEGER(long long)
  GETS_INTEGER(unsigned long long)
#undef GETS_INTEGER

  In do_get(In at, In end, std::ios_base &, std::ios_base::iostate &state, float &number) const override {
    return get_real(at, end, state, number, [](const char *text) { return std::strtof(text, nullptr); });
  }
  In do_get(In at, In end, std::ios_base &, std::ios_base::iostate &state, double &number) const override {
    return get_real(at, end, state, number, [](const char *text) { return std::strtod(text, nullptr); });
  }
  In do_get(In at, In end, std::ios_base &, std::ios_base::iostate &state, long double &number) const override {
    return get_real(at, end, state, number, [](const char *text) { return std::strtold(text, nullptr); });
  }
  In do_get(In at, In end, std::ios_base &stream, std::ios_base::iostate &state, bool &value) const override {
    if (stream.flags() & std::ios_base::boolalpha)
      __rmc_unsupported("`boolalpha` of a stream that reads");
    long number;
    at = get_integer(at, end, stream.flags(), state, number);
    value = number != 0;
    if (number != 0 && number != 1)
      state |= std::ios_base::failbit;
    return at;
  }
  In do_get(In at, In end, std::ios_base &, std::ios_base::iostate &state, void *&pointer) const override {
    unsigned long number;
    at = get_integer(at, end, std::ios_base::hex, state, number);
    pointer = reinterpret_cast<void *>(number);
    return at;
  }
};
}
