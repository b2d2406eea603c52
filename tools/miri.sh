#!/bin/sh
# Runs the runtime's unit tests under Miri, which sees undefined behaviour: tools/miri.sh [ARGUMENTS OF cargo miri test].
#
# The runtime has the unsafe code that programs link with, and is the only such crate that needs no LLVM: Miri
# cannot call that. Its randomised tests are long under Miri and have no unsafe code, so only the crate's own run.
set -eu
cd "$(dirname "$0")/.."
toolchain=${MIRI_TOOLCHAIN:-nightly}
if ! cargo "+$toolchain" miri --version > /dev/null 2>&1; then
  echo "miri: the toolchain $toolchain has no Miri; it is a component of nightly compilers only:" >&2
  echo "miri: rustup toolchain install nightly && rustup +nightly component add miri rust-src" >&2
  exit 2
fi
# Addresses come from programs as numbers; Miri need not warn of that.
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-permissive-provenance"
[ $# -gt 0 ] || set -- --lib
# Compiled for the interpreter: nothing of it is of use to other builds.
CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri" cargo "+$toolchain" miri test -p rmc-runtime "$@"
