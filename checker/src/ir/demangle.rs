//! Demangling: bitcode has mangled names of C++ and Rust; reports show the names of the source.

use cpp_demangle::{DemangleOptions, Symbol};

/// The name for people. C++ functions come without their parameters, Rust's without their hash; a name that
/// is not mangled stays as it is.
#[must_use]
pub fn shown(name: &str) -> String {
    // A hash at the end tells Rust's older names from those of C++.
    if let Ok(name) = rustc_demangle::try_demangle(name) {
        return format!("{name:#}");
    }
    if !name.starts_with("_Z") {
        return name.to_owned();
    }
    let symbol = Symbol::new(name).ok();
    let options = DemangleOptions::new().no_params().no_return_type();
    symbol.and_then(|symbol| symbol.demangle_with_options(&options).ok()).unwrap_or_else(|| name.to_owned())
}

/// The name for people of a type whose mangled name stands in its type information.
#[must_use]
pub fn shown_type(name: &str) -> String {
    // An asterisk marks types that other files do not know.
    let name = name.trim_start_matches('*');
    let shown = Symbol::new(format!("_ZTS{name}")).ok().and_then(|symbol| symbol.demangle().ok());
    let described = shown.as_deref().and_then(|shown| shown.strip_prefix("typeinfo name for "));
    described.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{shown, shown_type};

    #[test]
    fn names_of_types_are_those_of_the_source() {
        assert_eq!(shown_type("i"), "int");
        assert_eq!(shown_type("PKc"), "char const*");
        assert_eq!(shown_type("St12out_of_range"), "std::out_of_range");
        assert_eq!(shown_type("*N12_GLOBAL__N_15ErrorE"), "(anonymous namespace)::Error");
        assert_eq!(shown_type("?"), "?");
    }

    #[test]
    fn names_of_cpp_and_rust_are_those_of_the_source() {
        assert_eq!(shown("main"), "main");
        assert_eq!(shown("_ZN5queueIiE4pushEi"), "queue<int>::push");
        assert_eq!(shown("_ZL7counter"), "counter");
        assert_eq!(shown("_ZN4core3ptr10drop_place17h0123456789abcdefE"), "core::ptr::drop_place");
        assert_eq!(shown("_Znot_mangled"), "_Znot_mangled");
    }
}
