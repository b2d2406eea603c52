/*
 * Streams of `char`: [iostreams.base] and the templates of the headers. The standard streams are those of the
 * C library, to which nothing is kept back.
 *
 * Not covered: files (<fstream>) and wide characters, which are refused where they are used.
 */
#include <iomanip>
#include <istream>
#include <ostream>
#include <sstream>

#include <cstdio>
#include <new>

#include "formats.h"

/* ios_base. */

std::ios_base::ios_base() noexcept
    : _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(), _M_word_zero(),
      _M_word_size(_S_local_word_size), _M_word(_M_local_word) {}

std::ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word)
    delete[] _M_word;
}

void std::ios_base::_M_init() noexcept {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
}

std::locale std::ios_base::imbue(const locale &) noexcept {
  _M_call_callbacks(imbue_event);
  return locale();
}

void std::ios_base::register_callback(event_callback function, int index) {
  _M_callbacks = new _Callback_list(function, index, _M_callbacks);
}

void std::ios_base::_M_call_callbacks(event what) noexcept {
  for (_Callback_list *one = _M_callbacks; one; one = one->_M_next) {
    try {
      one->_M_fn(what, *this, one->_M_index);
    } catch (...) {
    }
  }
}

/* A list that copyfmt copied is shared. */
void std::ios_base::_M_dispose_callbacks() noexcept {
  _Callback_list *one = _M_callbacks;
  while (one && one->_M_remove_reference() == 0) {
    _Callback_list *next = one->_M_next;
    delete one;
    one = next;
  }
  _M_callbacks = nullptr;
}

std::ios_base::_Words &std::ios_base::_M_grow_words(int, bool) {
  __rmc_unsupported("more than 8 words of a stream (`iword`, `pword`)");
}

int std::ios_base::xalloc() noexcept {
  static int __rmc_words = 4;
  return __atomic_fetch_add(&__rmc_words, 1, __ATOMIC_ACQ_REL);
}

bool std::ios_base::sync_with_stdio(bool) {
  return true;
}

namespace {
struct OfStreams final : std::error_category {
  const char *name() const noexcept override {
    return "iostream";
  }
  std::string message(int code) const override {
    return code == static_cast<int>(std::io_errc::stream) ? "iostream error" : "Unknown error";
  }
};

[[clang::no_destroy]] constinit OfStreams __rmc_of_streams;
}

const std::error_category &std::iostream_category() noexcept {
  return __rmc_of_streams;
}

std::ios_base::failure::failure(const string &text) : system_error(io_errc::stream, text) {}
std::ios_base::failure::failure(const string &text, const error_code &code) : system_error(code, text) {}
std::ios_base::failure::failure(const char *text, const error_code &code) : system_error(code, text) {}
std::ios_base::failure::~failure() noexcept = default;

const char *std::ios_base::failure::what() const noexcept {
  return runtime_error::what();
}

void std::__throw_ios_failure(const char *text) {
  throw ios_base::failure(text);
}

void std::__throw_ios_failure(const char *text, int code) {
  throw ios_base::failure(text, code ? error_code(code, generic_category()) : error_code(io_errc::stream));
}

/*
 * A text as a formatted output: [ostream.formatted.reqmts]. Unlike the header's, it writes to the stream
 * only where that has a width, since several threads may use a standard stream at once
 * ([iostream.objects.overview]).
 */
template <> std::ostream &std::__ostream_insert(ostream &stream, const char *text, streamsize length) {
  ostream::sentry sentry(stream);
  if (!sentry)
    return stream;
  try {
    bool is_whole = stream.width() ? !write_padded(stream, stream, stream.fill(), Padded{text, length, 0}).failed()
                                   : stream.rdbuf()->sputn(text, length) == length;
    if (!is_whole)
      stream.setstate(ios_base::badbit);
  } catch (...) {
    stream._M_setstate(ios_base::badbit);
  }
  return stream;
}

/* The templates of the headers. */

template class std::basic_streambuf<char>;
template class std::basic_ios<char>;
template class std::basic_ostream<char>;
template class std::basic_istream<char>;
template class std::basic_iostream<char>;
template class std::basic_stringbuf<char>;
template class std::basic_istringstream<char>;
template class std::basic_ostringstream<char>;
template class std::basic_stringstream<char>;

namespace std {
template streamsize __copy_streambufs(streambuf *, streambuf *);
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template ostream &ostream::_M_insert(long);
template ostream &ostream::_M_insert(unsigned long);
template ostream &ostream::_M_insert(bool);
template ostream &ostream::_M_insert(long long);
template ostream &ostream::_M_insert(unsigned long long);
template ostream &ostream::_M_insert(double);
template ostream &ostream::_M_insert(long double);
template ostream &ostream::_M_insert(const void *);
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template istream &istream::_M_extract(unsigned short &);
template istream &istream::_M_extract(unsigned int &);
template istream &istream::_M_extract(long &);
template istream &istream::_M_extract(unsigned long &);
template istream &istream::_M_extract(bool &);
template istream &istream::_M_extract(long long &);
template istream &istream::_M_extract(unsigned long long &);
template istream &istream::_M_extract(float &);
template istream &istream::_M_extract(double &);
template istream &istream::_M_extract(long double &);
template istream &istream::_M_extract(void *&);

/*
 * What headers declare as specialised. Characters are taken one by one, up to one that ends them; the
 * condition gets the next character.
 */
namespace {
template <typename Take>
ios_base::iostate take_while(streambuf *from, Take take) {
  for (int next = from->sgetc();; next = from->snextc()) {
    if (next == char_traits<char>::eof())
      return ios_base::eofbit;
    if (!take(static_cast<char>(next)))
      return ios_base::goodbit;
  }
}
}

template <> streamsize __copy_streambufs_eof(streambuf *from, streambuf *to, bool &is_at_end) {
  streamsize copied = 0;
  is_at_end = take_while(from, [&](char next) {
    bool is_written = to->sputc(next) != char_traits<char>::eof();
    copied += is_written;
    return is_written;
  }) == ios_base::eofbit;
  return copied;
}

template <> istream &operator>>(istream &stream, string &text) {
  istream::sentry sentry(stream, false);
  if (!sentry)
    return stream;
  text.clear();
  unsigned long most = stream.width() > 0 ? stream.width() : text.max_size();
  ios_base::iostate state = take_while(stream.rdbuf(), [&](char next) {
    if (text.size() == most || isspace(static_cast<unsigned char>(next)))
      return false;
    text += next;
    return true;
  });
  stream.width(0);
  if (text.empty())
    state |= ios_base::failbit;
  stream.setstate(state);
  return stream;
}

template <> istream &getline(istream &stream, string &text, char end) {
  istream::sentry sentry(stream, true);
  if (!sentry)
    return stream;
  text.clear();
  bool is_ended = false;
  ios_base::iostate state = take_while(stream.rdbuf(), [&](char next) {
    is_ended = next == end;
    if (!is_ended)
      text += next;
    return !is_ended;
  });
  if (is_ended)
    stream.rdbuf()->sbumpc();
  if (text.empty() && !is_ended)
    state |= ios_base::failbit;
  stream.setstate(state);
  return stream;
}

template <> istream &istream::ignore(streamsize count) {
  return ignore(count, traits_type::eof());
}

template <> istream &istream::ignore(streamsize count, int_type end) {
  _M_gcount = 0;
  sentry sentry(*this, true);
  if (!sentry)
    return *this;
  bool is_ended = false;
  ios_base::iostate state = take_while(rdbuf(), [&](char next) {
    if (is_ended || (_M_gcount == count && count != numeric_limits<streamsize>::max()))
      return false;
    _M_gcount++;
    is_ended = traits_type::to_int_type(next) == end;
    return true;
  });
  setstate(state);
  return *this;
}

template <> istream &istream::getline(char *text, streamsize room, char end) {
  _M_gcount = 0;
  sentry sentry(*this, true);
  streamsize length = 0;
  if (sentry) {
    bool is_ended = false, is_full = false;
    ios_base::iostate state = take_while(rdbuf(), [&](char next) {
      is_ended = next == end;
      is_full = !is_ended && length + 1 >= room;
      if (!is_ended && !is_full)
        text[length++] = next;
      return !is_ended && !is_full;
    });
    _M_gcount = length;
    if (is_ended) {
      rdbuf()->sbumpc();
      _M_gcount++;
    }
    if (_M_gcount == 0 || is_full)
      state |= ios_base::failbit;
    setstate(state);
  }
  if (room > 0)
    text[length] = 0;
  return *this;
}

void __istream_extract(istream &stream, char *text, streamsize room) {
  istream::sentry sentry(stream, false);
  if (!sentry)
    return;
  streamsize most = stream.width() > 0 && stream.width() < room ? stream.width() : room;
  streamsize length = 0;
  ios_base::iostate state = take_while(stream.rdbuf(), [&](char next) {
    if (length + 1 >= most || isspace(static_cast<unsigned char>(next)))
      return false;
    text[length++] = next;
    return true;
  });
  text[length] = 0;
  stream.width(0);
  if (length == 0)
    state |= ios_base::failbit;
  stream.setstate(state);
}
}

/* The standard streams. */

namespace {
struct Written final : std::streambuf {
  explicit Written(FILE *file) : file(file) {}

protected:
  int_type overflow(int_type one) override {
    if (one == traits_type::eof())
      return traits_type::not_eof(one);
    return std::fputc(one, file);
  }
  std::streamsize xsputn(const char *text, std::streamsize length) override {
    return static_cast<std::streamsize>(std::fwrite(text, 1, length, file));
  }
  int sync() override {
    return std::fflush(file);
  }

private:
  FILE *file;
};

/* There is no input. */
struct Empty final : std::streambuf {};

alignas(Written) char __rmc_written[2][sizeof(Written)];
alignas(Empty) char __rmc_empty[sizeof(Empty)];
}

alignas(std::ostream) char __rmc_cout[sizeof(std::ostream)] __asm__("_ZSt4cout");
alignas(std::ostream) char __rmc_cerr[sizeof(std::ostream)] __asm__("_ZSt4cerr");
alignas(std::ostream) char __rmc_clog[sizeof(std::ostream)] __asm__("_ZSt4clog");
alignas(std::istream) char __rmc_cin[sizeof(std::istream)] __asm__("_ZSt3cin");

int std::ios_base::Init::_S_refcount;
bool std::ios_base::Init::_S_synced_with_stdio = true;

/* The first file with <iostream> makes the streams, and nothing ends them. */
std::ios_base::Init::Init() {
  if (_S_refcount++)
    return;
  auto out = new (__rmc_written[0]) Written(stdout), error = new (__rmc_written[1]) Written(stderr);
  auto *to_out = new (__rmc_cout) ostream(out), *to_error = new (__rmc_cerr) ostream(error);
  new (__rmc_clog) ostream(error);
  (new (__rmc_cin) istream(new (__rmc_empty) Empty))->tie(to_out);
  to_error->setf(unitbuf);
  to_error->tie(to_out);
  /* The first question for it sets it, which threads may ask at once. */
  to_out->fill();
  to_error->fill();
  reinterpret_cast<ostream *>(__rmc_clog)->fill();
}

std::ios_base::Init::~Init() = default;
