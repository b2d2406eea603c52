#!/bin/bash
# Runs fuzz targets, each for some seconds: tools/fuzz.sh SECONDS [TARGET...]. Without targets, all of them.
# Prints after each how many inputs it ran, and at the end which targets have a finding.
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
built="${CARGO_TARGET_DIR:-fuzz/target}/$(rustc -vV | sed -n 's/^host: //p')/release"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
findings=()
for target in "$@"; do
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    # After a finding, `cargo fuzz run` builds everything again to print the input; so the target is run directly.
    if "$built/$target" -artifact_prefix="fuzz/artifacts/$target/" -max_total_time="$seconds" -timeout=20 \
        -rss_limit_mb=4096 -detect_leaks=0 -print_final_stats=1 "fuzz/corpus/$target" 2>&1 | tee "$log" >&2; then
        finding="no finding"
    else
        finding="a finding in fuzz/artifacts/$target/"
        findings+=("$target")
    fi
    echo "$target: $(awk '/stat::number_of_executed_units/ { print $2 }' "$log") inputs, $finding"
done
[ ${#findings[@]} -eq 0 ] || { echo "fuzz: findings: ${findings[*]}" >&2; exit 1; }
