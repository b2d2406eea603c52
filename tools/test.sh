#!/bin/bash
# Runs all tests of the workspace and sums up what the test runners said. Arguments go to `cargo test`.
set -o pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo test --workspace --no-fail-fast "$@" 2>&1 | tee "$log"
code=$?
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8; runners++ }
     END { printf "\ntests: %d passed, %d failed, %d ignored, by %d test runners\n", passed, failed, ignored, runners }' "$log"
exit $code
