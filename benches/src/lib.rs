//! Benchmarks, in `benches/`: single operations of the runtime (criterion), and whole runs of `rmc-check` whose counts are asserted. Their programs are in
//! `programs/`. A package must have a library; this one has nothing in it.
