/*
 * Panics that unwind, in Rust programs with --panic=unwind: what std's crate panic_unwind calls of the
 * system's library for that, over the models of the checker (src/system/library/unwinding.rs).
 *
 * A panic begins to unwind only if a landing pad catches every exception, and catches of other kinds do not
 * occur in Rust. So each landing pad on the way is entered, whether it catches or cleans up.
 */
struct _Unwind_Exception {
  uint64_t class;
  void (*cleanup)(int reason, struct _Unwind_Exception *exception);
  uint64_t private[2];
};

/* Modelled: see libcxx/exceptions.cc. */
long __rmc_next_pad(long frame);
const void *__rmc_clause(long frame, long clause);
_Noreturn void __rmc_land(long frame, void *exception, long clause);

/* The function in whose name the pass has landing pads read: a `resume` calls it with the exception. */
_Noreturn void __rmc_rust_personality(struct _Unwind_Exception *exception) {
  for (long frame = 0; (frame = __rmc_next_pad(frame));) {
    const void *clause = __rmc_clause(frame, 0);
    /* 1: the pad catches nothing, 2: it runs cleanups; else it catches every exception (null). */
    if (clause == (void *)1)
      continue;
    if (!clause)
      __rmc_unwinding--;
    __rmc_land(frame, exception, 0);
  }
  __builtin_trap();
}

/* A panic that nobody catches comes here only from std::panic::resume_unwind: it has no message. */
int _Unwind_RaiseException(struct _Unwind_Exception *exception) {
  if (!__rmc_is_caught()) {
    static const char __rmc_resumed[] = "what std::panic::resume_unwind was given";
    if (&__rmc_test && support_expected.is_expected && support_expected.length > 0)
      __rmc_unsupported("a panic that is resumed in a test with #[should_panic(expected = ...)]");
    support_panic(__rmc_resumed, sizeof __rmc_resumed - 1);
  }
  __rmc_unwinding++;
  __rmc_rust_personality(exception);
}

void _Unwind_DeleteException(struct _Unwind_Exception *exception) {
  if (exception->cleanup)
    exception->cleanup(1, exception);
}
