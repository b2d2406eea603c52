//! What rustc's `--test` needs of the crate `test`, for a program that runs one test: that whose number is in
//! `__rmc_test`. The test runs in the first thread.
//!
//! A panic that nothing catches ends an execution where it begins. So an execution in which a test with
//! `#[should_panic]` panics ends without a violation, and destructors of its variables are not run. Where
//! panics do not unwind, a panic of another thread than the test's is refused in such a test.
//!
//! Later compilers than 1.63 give a test a few more fields (`cfg(rmc_later)`).
//!
//! The layout of the types is read by the loader of rmc (`checker/src/ir/load/tests.rs`).

use std::process::{ExitCode, Termination};

pub use TestFn::*;
pub use TestName::*;

#[repr(C)]
pub struct TestDescAndFn {
    pub desc: TestDesc,
    pub testfn: TestFn,
}

#[repr(C)]
pub struct TestDesc {
    pub name: TestName,
    pub ignore: bool,
    pub should_panic: ShouldPanic,
    pub ignore_message: Option<&'static str>,
    pub compile_fail: bool,
    pub no_run: bool,
    pub test_type: TestType,
    #[cfg(rmc_later)]
    pub source_file: &'static str,
    #[cfg(rmc_later)]
    pub start_line: usize,
    #[cfg(rmc_later)]
    pub start_col: usize,
    #[cfg(rmc_later)]
    pub end_line: usize,
    #[cfg(rmc_later)]
    pub end_col: usize,
}

#[repr(C)]
pub enum TestName {
    StaticTestName(&'static str),
}

#[repr(C)]
pub enum ShouldPanic {
    No,
    Yes,
    YesWithMessage(&'static str),
}

#[repr(C)]
pub enum TestFn {
    StaticTestFn(fn()),
}

#[repr(C)]
pub enum TestType {
    UnitTest,
    IntegrationTest,
    DocTest,
    Unknown,
}

/// The number of the test to run. The loader sets it before the program begins.
#[export_name = "__rmc_test"]
static mut CHOSEN: usize = 0;

extern "C" {
    /// From now on a panic of this thread, with a message that has this text in it, ends the execution
    /// without a violation.
    fn __rmc_rust_expect_panic(text: *const u8, length: usize);
    /// Ends that.
    fn __rmc_rust_expect_no_panic();
}

pub fn test_main_static(tests: &[&TestDescAndFn]) {
    let TestDescAndFn { desc, testfn: StaticTestFn(run) } = tests[unsafe { CHOSEN }];
    let expected = match desc.should_panic {
        ShouldPanic::No => return run(),
        ShouldPanic::Yes => "",
        ShouldPanic::YesWithMessage(text) => text,
    };
    unsafe { __rmc_rust_expect_panic(expected.as_ptr(), expected.len()) };
    run();
    unsafe { __rmc_rust_expect_no_panic() };
    panic!("test did not panic as expected");
}

pub fn assert_test_result<T: Termination>(result: T) {
    // An exit code is one byte.
    let code = unsafe { std::mem::transmute::<ExitCode, u8>(result.report()) };
    assert_eq!(code, 0, "the test returned a termination value with a non-zero status code ({code})");
}
