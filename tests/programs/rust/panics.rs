//! Panics of a thread, with the place in this file.
// check: -DINDEX sc=violated(panic) tso=violated(panic) pso=violated(panic) at=17 states=sc:3,tso:3,pso:3
// check: -DOVERFLOW sc=violated(panic) at=19 states=sc:3
// check: -DUNWRAP sc=violated(panic) at=21 states=sc:3
// check: -DANY sc=violated(panic) at=23 states=sc:3
// check: -DABORT sc=violated(abort) at=27 states=sc:2
use std::thread;

fn number(text: &str) -> usize {
    text.parse().unwrap_or(0)
}

fn main() {
    let thread = thread::spawn(|| {
        let numbers = vec![1_u8, 255];
        if cfg!(INDEX) {
            println!("{}", numbers[number("2")]);
        } else if cfg!(OVERFLOW) {
            println!("{}", numbers[number("1")] + numbers[0]);
        } else if cfg!(UNWRAP) {
            println!("{}", "x".parse::<u32>().unwrap());
        } else if cfg!(ANY) {
            std::panic::panic_any(5);
        }
    });
    if cfg!(ABORT) {
        std::process::abort();
    }
    thread.join().unwrap();
}
