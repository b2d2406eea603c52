#!/bin/bash
# Runs fuzz targets, each for some seconds: tools/fuzz.sh SECONDS [TARGET...]. Without targets, all of them. Says at the end how
# many inputs each ran.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
command -v cargo-fuzz > /dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz" >&2; exit 2; }
# The sanitizer needs a nightly compiler's standard library, and there is little unsafe code to look at. The compiler's
# unstable options are those of cargo-fuzz: it instruments for coverage.
export RUSTC_BOOTSTRAP=1
[ $# -gt 0 ] || mapfile -t all < <(cargo fuzz list)
[ $# -gt 0 ] || set -- "${all[@]}"
cargo fuzz build --sanitizer none
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for target in "$@"; do
    # Messages of LLVM and of programs that run are not of interest.
    cargo fuzz run --sanitizer none "$target" -- -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
        -detect_leaks=0 -print_final_stats=1 2> >(tee -a "$log" >&2)
    echo "$target: $(grep -a 'stat::number_of_executed_units' "$log" | tail -n 1 | awk '{ print $2 }') inputs, no finding"
done
