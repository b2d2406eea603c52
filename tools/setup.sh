#!/bin/sh
# Installs what the build needs and Debian can give: LLVM 16 and compilers. Does nothing, and needs no network, when all is there.
#
# clang-16 compiles the programs that are checked, opt-16 (in llvm-16, which llvm-16-dev brings) runs the pass, and the pass and
# the checker link the library and headers of llvm-16-dev. A C and a C++ compiler build the glue of the Rust crates around LLVM,
# and the SAT solver.
# With the argument `rust` also Debian's rustc and its standard library, which compile the Rust programs that
# are checked. With the argument `test` both of these, and a browser, in which the tests look at the pages
# that --report FILE.html writes.
set -eu

has() { command -v "$1" >/dev/null 2>&1; }

missing=
need() { has "$1" || missing="$missing $2"; }
need clang-16 clang-16
{ has opt-16 && has llvm-config-16 && [ -e "$(llvm-config-16 --includedir)/llvm-c/Core.h" ]; } || missing="$missing llvm-16-dev"
need cc gcc
need c++ g++
# The headers of the C++ standard library of programs, and of libcxx/.
[ -d /usr/include/c++/12 ] || missing="$missing libstdc++-12-dev"

if [ "${1:-}" = rust ] || [ "${1:-}" = test ]; then
  [ -x /usr/bin/rustc ] || missing="$missing rustc"
  # The standard library, with its bitcode.
  [ -d /usr/lib/rustlib/x86_64-unknown-linux-gnu/lib ] || missing="$missing libstd-rust-dev"
fi
if [ "${1:-}" = test ]; then
  has chromium || has chromium-shell || need chromium-headless-shell chromium-headless-shell
fi

if ! has cargo; then
  echo "setup: cargo is missing; install Rust with rustup (https://rustup.rs): rust-toolchain.toml names the version" >&2
  exit 1
fi
[ -n "$missing" ] || exit 0

echo "setup: installing$missing with apt-get: rmc compiles C with clang 16, its pass is a plugin of LLVM 16, its tests use Chromium"
if ! has apt-get; then
  echo "setup: there is no apt-get here; install clang 16, LLVM 16 with its headers, and a C and a C++ compiler," >&2
  echo "setup: so that clang-16, opt-16, llvm-config-16, cc and c++ are found, and run this again" >&2
  exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! has sudo; then
    echo "setup: this needs root and there is no sudo; as root, run: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086 # one word per package
if ! $as_root apt-get install -q -y --no-install-recommends $missing; then
  echo "setup: this system's packages do not include LLVM 16 (Debian 12 has it)" >&2
  exit 1
fi
# A build that was tried before remembers that there was no LLVM.
if [ -d "${CARGO_TARGET_DIR:-target}" ]; then
  cargo clean --quiet -p llvm-sys -p llvm-plugin -p rmc-checker
fi
