//! Channels of std::sync::mpsc, without a bound and with one. Nobody receives while the sender waits to be
//! joined.
// check: sc=holds tso=holds pso=holds states=sc:8179,tso:6840,pso:7617
// check: -DFULL sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:2286,tso:1786,pso:2208
use std::sync::mpsc;
use std::thread;

fn unbounded() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || sender.send(7).unwrap());
    assert_eq!(receiver.recv(), Ok(7));
    assert!(receiver.recv().is_err(), "the sender is gone");
    thread.join().unwrap();
}

fn bounded() {
    let (sender, receiver) = mpsc::sync_channel(0);
    let thread = thread::spawn(move || sender.send(1).unwrap());
    if cfg!(FULL) {
        thread.join().unwrap();
        assert_eq!(receiver.recv(), Ok(1));
    } else {
        assert_eq!(receiver.recv(), Ok(1));
        thread.join().unwrap();
    }
}

fn main() {
    unbounded();
    bounded();
}
