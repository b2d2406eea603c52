//! Data choices for programs that `rmc-check` checks, as `rmc.h` for C. Under `rmc-check` every value is
//! tried; anywhere else one execution makes one choice.
//!
//! A file that is given to `rmc-check` can use this crate without further ado, a package that `cargo rmc`
//! checks names it as a dependency. Natively, `RMC_CHOICES="2,0,7"` in the environment gives the first
//! choices (each taken modulo the number of values, counted from the least), choices beyond these are random,
//! from `RMC_SEED` if that is set.
//!
//! ```
//! let step = rmc::int(1, 10);
//! rmc::assume(step % 2 == 0);
//! match rmc::choose(3) {
//!     0 => println!("by one"),
//!     1 => println!("by {step}"),
//!     _ => println!("not at all"),
//! }
//! ```
#![deny(missing_docs)]
#![allow(unknown_lints, unexpected_cfgs)]

/// A value in `0 .. n`. Up to 65,536 values are tried one by one; more are refused: [`int`] has them.
///
/// # Panics
/// If `n` is 0 or greater than 65,536.
pub fn choose(n: usize) -> usize {
    assert!(n > 0, "rmc::choose(0): there is nothing to choose");
    assert!(n <= 65_536, "rmc::choose({n}): more than 65,536 values; rmc::int has them");
    machine::choose(n)
}

/// A value in `least ..= most`, of however many: they are told apart where the program does.
///
/// # Panics
/// If `least` is greater than `most`.
pub fn int(least: i64, most: i64) -> i64 {
    assert!(least <= most, "rmc::int({least}, {most}): there is nothing to choose");
    machine::int(least, most)
}

/// Any content of these bytes.
pub fn bytes(place: &mut [u8]) {
    machine::bytes(place);
}

/// What follows is only of interest where `condition` holds: other executions are left out. Natively such an
/// execution ends here, with success.
pub fn assume(condition: bool) {
    machine::assume(condition);
}

/// Under `rmc-check`: models.
#[cfg(rmc)]
mod machine {
    extern "C" {
        fn rmc_choose(n: u32) -> u32;
        fn rmc_int(least: i64, most: i64) -> i64;
        fn rmc_bytes(place: *mut u8, size: usize);
        fn rmc_assume(condition: bool);
    }

    pub fn choose(n: usize) -> usize {
        // SAFETY: the model takes any number but 0, and `n` is a number that 32 bits hold.
        unsafe { rmc_choose(n as u32) as usize }
    }

    pub fn int(least: i64, most: i64) -> i64 {
        // SAFETY: the model takes any numbers in this order.
        unsafe { rmc_int(least, most) }
    }

    pub fn bytes(place: &mut [u8]) {
        // SAFETY: the model writes these bytes.
        unsafe { rmc_bytes(place.as_mut_ptr(), place.len()) }
    }

    pub fn assume(condition: bool) {
        // SAFETY: the model takes any condition.
        unsafe { rmc_assume(condition) }
    }
}

/// Natively: given or random numbers.
#[cfg(not(rmc))]
mod machine {
    use std::sync::Mutex;
    use std::time::{SystemTime, UNIX_EPOCH};

    /// Where the next choices come from; `None` before the first.
    static SOURCE: Mutex<Option<Source>> = Mutex::new(None);

    struct Source {
        /// The choices that were given, the next one last.
        given: Vec<u64>,
        random: u64,
    }

    impl Source {
        fn new() -> Self {
            let read = |name| std::env::var(name).unwrap_or_default();
            let given = read("RMC_CHOICES");
            let given = given.split(',').map_while(|number| number.trim().parse().ok());
            let mut given: Vec<u64> = given.collect();
            given.reverse();
            let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            let seed: u64 = read("RMC_SEED").trim().parse().unwrap_or_else(|_| now());
            Self { given, random: seed.wrapping_mul(2).wrapping_add(1) }
        }

        fn next(&mut self) -> u64 {
            self.given.pop().unwrap_or_else(|| self.half() << 31 ^ self.half())
        }

        /// 31 random bits.
        fn half(&mut self) -> u64 {
            let bits = self.random >> 33;
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bits
        }
    }

    /// The next choice below `n`; any if `n` is 0.
    fn next(n: u64) -> u64 {
        let mut source = SOURCE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let number = source.get_or_insert_with(Source::new).next();
        number.checked_rem(n).unwrap_or(number)
    }

    pub fn choose(n: usize) -> usize {
        next(n as u64) as usize
    }

    pub fn int(least: i64, most: i64) -> i64 {
        // 0 values stand for all of them.
        let values = (most.wrapping_sub(least) as u64).wrapping_add(1);
        least.wrapping_add(next(values) as i64)
    }

    pub fn bytes(place: &mut [u8]) {
        for byte in place {
            *byte = next(256) as u8;
        }
    }

    pub fn assume(condition: bool) {
        if !condition {
            std::process::exit(0);
        }
    }
}
