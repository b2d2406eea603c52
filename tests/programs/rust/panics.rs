// check: -DINDEX sc=violated(panic) tso=violated(panic) pso=violated(panic) at=22 states=sc:12,tso:12,pso:12
// check: -DOVERFLOW sc=violated(panic) at=24 states=sc:12
// check: -DUNWRAP sc=violated(panic) at=26 states=sc:12
// check: -DDIVISION sc=violated(panic) at=28 states=sc:12
// check: -DDEBUG sc=violated(panic) at=30 states=sc:13
// check: -DANY sc=violated(panic) at=32 states=sc:12
// check: -DBORROW sc=violated(panic) at=35 states=sc:12
// check: -DMAIN sc=holds states=sc:32
// check: -DABORT sc=violated(abort) at=39 states=sc:2
// Panics of a thread, with the place in this file.
use std::cell::RefCell;
use std::thread;

fn number(text: &str) -> usize {
    text.parse().unwrap_or(0)
}

fn main() -> Result<(), String> {
    let thread = thread::spawn(|| {
        let numbers = vec![1_u8, 255];
        if cfg!(INDEX) {
            println!("{}", numbers[number("2")]);
        } else if cfg!(OVERFLOW) {
            println!("{}", numbers[number("1")] + numbers[0]);
        } else if cfg!(UNWRAP) {
            println!("{}", "x".parse::<u32>().unwrap());
        } else if cfg!(DIVISION) {
            println!("{}", 1 / number("0"));
        } else if cfg!(DEBUG) {
            debug_assert!(numbers.is_empty(), "{numbers:?}");
        } else if cfg!(ANY) {
            std::panic::panic_any(5);
        } else if cfg!(BORROW) {
            let cell = RefCell::new(1);
            let _held = (cell.borrow_mut(), cell.borrow_mut());
        }
    });
    if cfg!(ABORT) {
        std::process::abort();
    }
    let ended = thread.join().is_ok();
    if ended { Err("an error that main returns is only printed".to_owned()) } else { Ok(()) }
}
