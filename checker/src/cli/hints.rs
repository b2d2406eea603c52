//! Hints for code that GCC accepts and clang does not.
//!
//! Each is keyed by a message of clang 16. Test: `tests/tests/inputs.rs`.

const NESTED: &str =
    "functions in functions are GCC's: move the inner one out, and pass it what it uses of the outer one";

/// A part of clang's message, and the hint.
const HINTS: [(&str, &str); 10] = [
    ("function definition is not allowed here", NESTED),
    ("illegal storage class on function", NESTED),
    (
        "address argument to atomic builtin must be a pointer to integer or pointer",
        "__sync_* and __atomic_fetch_* take integers and pointers to complete types: cast `void` pointers, and use __atomic_exchange or __atomic_compare_exchange for structures, atomic_* of stdatomic.h for `_Atomic` ones",
    ),
    (
        "address argument to atomic operation must be a pointer",
        "atomic operations need a pointer to a complete type that can be written: cast away `const`, and `void *` to the type of the object",
    ),
    ("variable-sized object may not be initialized", "assign to the array after its declaration"),
    (
        "variable length array in structure",
        "arrays of variable length in structures are GCC's: allocate them, or make their length a constant",
    ),
    ("unknown register name", "variables in registers by name are for assembly only: leave out the register"),
    (
        "unknown argument: '-",
        "options that only GCC has have no meaning here: leave them out, or check what of them matters",
    ),
    ("use of unknown builtin", "the builtin is GCC's: declare a function of your own that does the same, under -D"),
    (
        "unsupported option '-",
        "options that only GCC has have no meaning here: leave them out, or check what of them matters",
    ),
];

/// The hint for a compiler's message, on a line of its own; empty if there is none.
pub fn of(message: &str) -> String {
    let found = HINTS.iter().find(|(part, _)| message.contains(part));
    found.map_or_else(String::new, |(_, hint)| format!("\n  hint: {hint}"))
}
