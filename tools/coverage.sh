#!/bin/bash
# Which part of the workspace's code the tests execute: tools/coverage.sh [ARGUMENTS OF cargo test].
#
# Builds everything once more, with counters, in TARGET/coverage; then runs the tests, rmc-check and the pass's
# plugin in them included, and prints lines executed by file and in all. `make coverage TESTS="-p rmc-runtime"`
# measures some tests alone. Counters are in the form of the compiler's own LLVM (`rustc -vV`), so its tools read
# them: those of the rustup component llvm-tools, or a package llvm-N of that version; older ones, as LLVM 16's, cannot.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
component="$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin"
tool() {
    for place in "$component/$1" "$(command -v "$1-$version" || true)"; do
        [ -x "$place" ] && { echo "$place"; return; }
    done
    echo "coverage: $1 of LLVM $version is missing: rustup component add llvm-tools, or apt-get install llvm-$version" >&2
    exit 2
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")/coverage"
profiles="$target/profiles"
rm -rf "$profiles"
mkdir -p "$profiles"
export CARGO_TARGET_DIR=$target
export RUSTFLAGS="${RUSTFLAGS:-} -C instrument-coverage"
# Counters of processes that run in parallel are summed in few files; what a signal ends leaves none.
export LLVM_PROFILE_FILE="$profiles/%8m.profraw"
[ $# -gt 0 ] || set -- --workspace
# Build scripts and macros are no code of the tests.
cargo build --release --workspace --lib --bins
find "$profiles" -name '*.profraw' -delete
code=0
# Documentation tests are built by rustdoc, without counters.
cargo test --release --no-fail-fast --lib --bins --tests "$@" || code=$?
find "$profiles" -name '*.profraw' > "$target/profraw.txt"
"$profdata" merge --sparse --input-files="$target/profraw.txt" --output "$target/merged.profdata"

objects=()
while read -r object; do
    objects+=(--object "$object")
done < <(find "$target/release" "$target/release/deps" -maxdepth 1 -type f \
    \( -name rmc-check -o -name librmc_pass.so -o -name 'rmc_*-*' -o -path '*/deps/*-*' \) -perm -u+x ! -name '*.d' ! -name '*.rlib' | sort -u)
"$cov" report --instr-profile "$target/merged.profdata" "${objects[@]}" --summary-only \
    --ignore-filename-regex '(/\.cargo/|/rustc/|/rustlib/|/target/|/tests/|/benches/|build\.rs)' |
    awk '/\.rs |^TOTAL/ { print $1, $8, "lines", $9, "missed", $10 }' | column -t
exit $code
