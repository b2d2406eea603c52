//! Channels of std::sync::mpsc, without a bound and with one. Nobody receives while the sender waits to be
//! joined.
// check: sc=holds tso=holds pso=holds states=sc:7242,tso:6026,pso:6710
// check: -DFULL sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:1867,tso:1442,pso:1788
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
