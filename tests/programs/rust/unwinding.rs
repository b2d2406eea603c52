//! Panics that unwind: destructors run, and what catches a panic gets what it carries.
// check: --panic=unwind sc=holds tso=holds pso=holds states=sc:10,tso:10,pso:10
// check: --panic=unwind -O2 sc=holds tso=holds states=sc:4,tso:4
// check: --panic=unwind -DLEAVES sc=violated(panic) tso=violated(panic) pso=violated(panic) at=22 states=sc:10,tso:10,pso:10
// check: --panic=unwind -O2 -DLEAVES sc=violated(panic) states=sc:4
// check: --panic=unwind -DRESUMED sc=violated(panic) at=78 states=sc:10
// check: --panic=unwind -DTWICE sc=violated(panic) at=29 states=sc:10
// check: --panic=unwind -DFOREIGN sc=violated(panic) at=91 states=sc:11
// check: sc=violated(panic) tso=violated(panic) at=22 states=sc:1,tso:1
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

struct Noted<'a>(&'a RefCell<Vec<u32>>, u32);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

fn element(at: usize) -> u32 {
    [1, 2][at]
}

struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("while panicking");
    }
}

fn destructors_run() {
    let notes = RefCell::new(Vec::new());
    let result = panic::catch_unwind(AssertUnwindSafe(|| {
        let _outer = Noted(&notes, 1);
        let inner = || {
            let _inner = Noted(&notes, 2);
            element(5)
        };
        inner();
        notes.borrow_mut().push(3);
    }));
    assert!(result.is_err());
    assert_eq!(*notes.borrow(), [2, 1]);
}

fn payloads_arrive() {
    let of = |panics: fn()| panic::catch_unwind(panics).unwrap_err();
    assert_eq!(of(|| panic!("text {}", element(1))).downcast_ref::<String>().unwrap(), "text 2");
    assert_eq!(*of(|| panic!("plain")).downcast_ref::<&str>().unwrap(), "plain");
    assert_eq!(*of(|| panic::panic_any(8)).downcast_ref::<i32>().unwrap(), 8);
    assert_eq!(*of(|| panic::resume_unwind(Box::new(7))).downcast_ref::<i32>().unwrap(), 7);
    let again = panic::catch_unwind(|| {
        let inner = panic::catch_unwind(|| panic!("again")).unwrap_err();
        panic::resume_unwind(inner)
    });
    assert_eq!(*again.unwrap_err().downcast_ref::<&str>().unwrap(), "again");
    assert_eq!(panic::catch_unwind(|| element(1)).unwrap(), 2);
}

fn hooks_are_called() {
    panic::set_hook(Box::new(|info| assert_eq!(info.location().unwrap().line(), 65)));
    let caught = panic::catch_unwind(|| {
        panic!("with a hook")
    });
    assert!(caught.is_err() && !std::thread::panicking());
    drop(panic::take_hook());
}

fn main() {
    destructors_run();
    payloads_arrive();
    hooks_are_called();
    if cfg!(LEAVES) {
        element(7);
    } else if cfg!(RESUMED) {
        panic::resume_unwind(Box::new(7));
    } else if cfg!(TWICE) {
        let _ = panic::catch_unwind(|| {
            let _panics = Panics;
            panic!("the first");
        });
    } else if cfg!(FOREIGN) {
        extern "C" {
            fn pthread_create(thread: &mut u64, attributes: usize, start: extern "C" fn(), argument: usize) -> i32;
            fn pthread_join(thread: u64, result: usize) -> i32;
        }
        // std did not begin this thread, so it does not catch what leaves it.
        extern "C" fn start() {
            panic!("in a thread of C");
        }
        let mut thread = 0;
        unsafe { pthread_create(&mut thread, 0, start, 0) };
        unsafe { pthread_join(thread, 0) };
    }
}
