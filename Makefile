# What is done often, by name. `make` alone lists it.

TARGET := $(or $(CARGO_TARGET_DIR),target)
PARTS := -p rmc-pass -p rmc-checker -p rmc-runtime -p rmc-history -p rmc-rust

.PHONY: help setup rust build demo test miri coverage fuzz bench fmt lint clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' Makefile | expand -t 18

setup: ## install LLVM 16 and compilers with apt where they are missing
	@tools/setup.sh

rust: ## install rustc 1.63, which compiles the Rust programs that are checked
	@tools/setup.sh rust

build: setup ## build rmc-check, cargo-rmc, the pass, the native runtime and rmc-history: target/release
	cargo build --release $(PARTS)

demo: build ## find a bug in a lock-free queue, then prove its repair
	@tools/demo.sh $(TARGET)/release/rmc-check

# The tests find the checker, the pass and the native runtime beside themselves; the crates are built as `cargo test` wants
# them, so that nothing is built twice. In profile dev the whole took half as long again as in profile release. Each of
# some forty test programs would optimise all crates anew at link time: that took most of the time, and a checker
# without it explores nearly as fast. The inputs that tests compiled for an earlier checker are of no use.
# `make lint` uses the same profile: then build scripts and the support libraries that they compile are there.
test lint: export CARGO_PROFILE_RELEASE_LTO = off
test lint: export CARGO_PROFILE_RELEASE_CODEGEN_UNITS = 16
test lint: export CARGO_PROFILE_RELEASE_DEBUG = 0
test: ## run all tests
	@tools/setup.sh test
	cargo build --release --workspace --lib --bins --tests
	rm -rf $(TARGET)/release/compiled-inputs
	tools/test.sh --release

miri: ## run the runtime's unit tests under Miri, which needs a nightly compiler
	@tools/miri.sh

TESTS :=
coverage: setup ## print which lines the tests execute; needs the component llvm-tools
	@tools/coverage.sh $(TESTS)

SECONDS_EACH := 60
TARGETS :=
fuzz: setup ## run the fuzz targets, each for a minute (fuzz/README.md)
	@tools/fuzz.sh $(SECONDS_EACH) $(TARGETS)

bench: setup ## run the benchmarks
	cargo build --release $(PARTS)
	cargo bench -p rmc-benches

fmt: ## format the Rust code
	cargo fmt --all

lint: setup ## what CI checks beside the tests: format, clippy, rustdoc, all without a warning
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --document-private-items

clean: ## remove everything that was built
	cargo clean
