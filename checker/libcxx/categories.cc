/* Error codes and their categories: [syserr]. */
#include <cstring>
#include <future>
#include <system_error>

std::error_category::~error_category() = default;

std::__cow_string std::error_category::_M_message(int code) const {
  string text = message(code);
  return __cow_string(text);
}

std::error_condition std::error_category::default_error_condition(int code) const noexcept {
  return error_condition(code, *this);
}

bool std::error_category::equivalent(int code, const error_condition &condition) const noexcept {
  return default_error_condition(code) == condition;
}

bool std::error_category::equivalent(const error_code &code, int condition) const noexcept {
  return *this == code.category() && code.value() == condition;
}

std::error_condition std::error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}

std::system_error::~system_error() noexcept = default;

namespace {
struct Generic final : std::error_category {
  const char *name() const noexcept override {
    return "generic";
  }
  std::string message(int code) const override {
    return std::strerror(code);
  }
};

struct System final : std::error_category {
  const char *name() const noexcept override {
    return "system";
  }
  std::string message(int code) const override {
    return std::strerror(code);
  }
  /* The numbers of Linux are those of POSIX; 41 and 58 mean nothing. */
  std::error_condition default_error_condition(int code) const noexcept override {
    bool is_known = code >= 0 && code <= EHWPOISON && code != 41 && code != 58;
    return std::error_condition(code, is_known ? std::generic_category() : std::system_category());
  }
};

struct OfFutures final : std::error_category {
  const char *name() const noexcept override {
    return "future";
  }
  std::string message(int code) const override {
    switch (std::future_errc(code)) {
    case std::future_errc::promise_already_satisfied:
      return "Promise already satisfied";
    case std::future_errc::future_already_retrieved:
      return "Future already retrieved";
    case std::future_errc::no_state:
      return "No associated state";
    case std::future_errc::broken_promise:
      return "Broken promise";
    }
    return "Unknown error";
  }
};

/* They live until the end, so that destructors of other objects may use them. */
[[clang::no_destroy]] constinit Generic __rmc_generic;
[[clang::no_destroy]] constinit System __rmc_system;
[[clang::no_destroy]] constinit OfFutures __rmc_of_futures;
}

const std::error_category &std::generic_category() noexcept {
  return __rmc_generic;
}

const std::error_category &std::system_category() noexcept {
  return __rmc_system;
}

const std::error_category &std::future_category() noexcept {
  return __rmc_of_futures;
}

std::future_error::~future_error() noexcept = default;

const char *std::future_error::what() const noexcept {
  return logic_error::what();
}
