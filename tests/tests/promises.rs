//! Tests of what LLVM's flags, metadata and intrinsics promise about values, such as `nsw`: the operation
//! does not overflow. Where a promise is broken, the result is poison. `checker/src/ir/load/promises.rs` has
//! a table of the promises; there is a test for each of its rows.
//!
//! Each program is LLVM assembly whose `main` computes `%bit` and branches on it. Branching on poison is
//! undefined behaviour, so `rmc` reports a violation if `%bit` is poison. Modules for another machine are
//! tested here, too.

use rmc_tests::harness::outside::{check, file, rmc, text};

const TARGET: &str = r#"target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
"#;

/// A module whose `main` has these instructions, which compute `%bit`, and branches on it. Declarations for
/// the module may follow the instructions after a line `---`.
fn program(instructions: &str) -> String {
    let (body, declarations) = instructions.split_once("---").unwrap_or((instructions, ""));
    format!(
        "{TARGET}@cell = global i64 0\n@bytes = global [8 x i8] zeroinitializer\ndefine i32 @main() {{\n{body}\n  br i1 %bit, label %yes, label %no\nyes:\n  ret i32 0\nno:\n  ret i32 0\n}}\n{declarations}\n"
    )
}

/// Checks the exit code and a word of the output for the program of each of these texts.
#[track_caller]
fn expect(code: i32, word: &str, texts: &[&str]) {
    for instructions in texts {
        let (_directory, path) = file("program.ll", program(instructions));
        let run = rmc(["--relaxed-memory", "sc", text(&path)]);
        let is_as_expected = run.code == Some(code) && (run.stdout.contains(word) || run.stderr.contains(word));
        assert!(is_as_expected && !run.stderr.contains("panicked"), "{instructions}\n{}", run.describe());
    }
}

/// Checks that `%bit` is not poison in any of these programs.
#[track_caller]
fn expect_defined(texts: &[&str]) {
    expect(0, "holds", texts);
}

/// Checks that `%bit` is poison in each of these programs.
#[track_caller]
fn expect_poison(texts: &[&str]) {
    expect(1, "undefined", texts);
}

#[test]
fn arithmetic_that_must_not_overflow() {
    expect_defined(&[
        "%a = add nsw i8 126, 1\n %bit = trunc i8 %a to i1",
        "%a = add i8 127, 1\n %bit = trunc i8 %a to i1",
        "%a = add nuw i8 127, 1\n %bit = trunc i8 %a to i1",
        "%a = sub nsw i8 -127, 1\n %bit = trunc i8 %a to i1",
        "%a = mul nsw i8 -64, 2\n %bit = trunc i8 %a to i1",
        "%a = mul nuw i8 127, 2\n %bit = trunc i8 %a to i1",
        "%a = shl nsw i8 -64, 1\n %bit = trunc i8 %a to i1",
        "%a = shl nuw i8 64, 1\n %bit = trunc i8 %a to i1",
        "%a = mul nsw i64 4611686018427387904, -2\n %bit = trunc i64 %a to i1",
        "%a = add nsw i128 170141183460469231731687303715884105726, 1\n %bit = trunc i128 %a to i1",
        "%a = add <2 x i8> <i8 127, i8 1>, <i8 1, i8 1>\n %e = extractelement <2 x i8> %a, i32 0\n %bit = trunc i8 %e to i1",
    ]);
    expect_poison(&[
        "%a = add nsw i8 127, 1\n %bit = trunc i8 %a to i1",
        "%a = add nuw i8 255, 1\n %bit = trunc i8 %a to i1",
        "%a = add nuw nsw i8 64, 64\n %bit = trunc i8 %a to i1",
        "%a = sub nsw i8 -128, 1\n %bit = trunc i8 %a to i1",
        "%a = sub nuw i8 1, 2\n %bit = trunc i8 %a to i1",
        "%a = mul nsw i8 64, 2\n %bit = trunc i8 %a to i1",
        "%a = mul nuw i8 128, 2\n %bit = trunc i8 %a to i1",
        "%a = shl nsw i8 64, 1\n %bit = trunc i8 %a to i1",
        "%a = shl nuw i8 128, 1\n %bit = trunc i8 %a to i1",
        "%a = mul nsw i64 4611686018427387904, 2\n %bit = trunc i64 %a to i1",
        "%a = mul nuw i64 4611686018427387904, 4\n %bit = trunc i64 %a to i1",
        "%a = add nsw i128 170141183460469231731687303715884105727, 1\n %bit = trunc i128 %a to i1",
        "%a = sub nuw i128 0, 1\n %bit = trunc i128 %a to i1",
        "%a = shl nsw i128 170141183460469231731687303715884105727, 1\n %bit = trunc i128 %a to i1",
        "%a = add nsw <2 x i8> <i8 127, i8 1>, <i8 1, i8 1>\n %e = extractelement <2 x i8> %a, i32 0\n %bit = trunc i8 %e to i1",
    ]);
    expect_defined(&[
        "%a = add nsw <2 x i8> <i8 127, i8 1>, <i8 1, i8 1>\n %e = extractelement <2 x i8> %a, i32 1\n %bit = trunc i8 %e to i1",
    ]);
}

#[test]
fn exact_operations() {
    expect_defined(&[
        "%a = udiv exact i8 6, 3\n %bit = trunc i8 %a to i1",
        "%a = sdiv exact i8 -6, 3\n %bit = trunc i8 %a to i1",
        "%a = lshr exact i8 6, 1\n %bit = trunc i8 %a to i1",
        "%a = ashr exact i128 -8, 3\n %bit = trunc i128 %a to i1",
    ]);
    expect_poison(&[
        "%a = udiv exact i8 7, 3\n %bit = trunc i8 %a to i1",
        "%a = sdiv exact i8 -7, 3\n %bit = trunc i8 %a to i1",
        "%a = lshr exact i8 7, 1\n %bit = trunc i8 %a to i1",
        "%a = ashr exact i8 -7, 1\n %bit = trunc i8 %a to i1",
        "%a = ashr exact i128 -7, 1\n %bit = trunc i128 %a to i1",
        "%a = sdiv exact i128 -7, 3\n %bit = trunc i128 %a to i1",
    ]);
}

#[test]
fn shifts_and_divisions() {
    expect_poison(&[
        "%a = shl i8 1, 8\n %bit = trunc i8 %a to i1",
        "%a = lshr i64 1, 64\n %bit = trunc i64 %a to i1",
        "%a = ashr i128 1, 128\n %bit = trunc i128 %a to i1",
    ]);
    expect(1, "division by zero", &["%a = udiv i8 1, 0\n %bit = trunc i8 %a to i1"]);
    expect(1, "division by zero", &["%a = udiv i8 1, undef\n %bit = icmp eq i8 1, 1"]);
    expect(1, "overflow of signed", &["%p = add nsw i8 127, 1\n %a = urem i8 1, %p\n %bit = icmp eq i8 1, 1"]);
    expect(
        1,
        "does not fit",
        &["%a = sdiv i128 -170141183460469231731687303715884105728, -1\n %bit = trunc i128 %a to i1"],
    );
}

#[test]
fn poison_is_not_masked() {
    // Each computation yields the same bit for every `%p`.
    let computations = [
        "%a = and i8 %p, 0\n %bit = trunc i8 %a to i1",
        "%a = or i8 %p, -1\n %bit = trunc i8 %a to i1",
        "%a = mul i8 %p, 0\n %bit = trunc i8 %a to i1",
        "%a = zext i8 %p to i64\n %b = lshr i64 %a, 60\n %bit = trunc i64 %b to i1",
        "%a = zext i8 %p to i128\n %b = and i128 %a, 0\n %bit = trunc i128 %b to i1",
        "%a = sext i8 %p to i16\n %b = and i16 %a, 0\n %bit = trunc i16 %b to i1",
        "%a = icmp ult i8 %p, 0\n %bit = and i1 %a, 0",
        "%q = trunc i8 %p to i1\n %a = select i1 %q, i8 1, i8 1\n %bit = trunc i8 %a to i1",
        "%q = trunc i8 %p to i1\n %a = select i1 1, i1 %q, i1 0\n %bit = and i1 %a, 0",
        "%a = uitofp i8 %p to double\n %b = bitcast double %a to i64\n %c = and i64 %b, 0\n %bit = trunc i64 %c to i1",
        "%a = insertelement <2 x i8> zeroinitializer, i8 %p, i32 0\n %b = bitcast <2 x i8> %a to i16\n %c = and i16 %b, 0\n %bit = trunc i16 %c to i1",
        "%a = call i8 @same(i8 %p)\n %b = and i8 %a, 0\n %bit = trunc i8 %b to i1\n---\ndefine i8 @same(i8 %a) { ret i8 %a }",
        "%o = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %p, i8 0)\n %a = extractvalue { i8, i1 } %o, 1\n %bit = and i1 %a, 0\n---\ndeclare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)",
    ];
    let programs = computations.map(|rest| format!("%p = add nsw i8 127, 1\n {rest}"));
    expect_poison(&programs.each_ref().map(String::as_str));
}

#[test]
fn poison_that_does_not_reach_the_branch_is_no_violation() {
    expect_defined(&[
        "%p = add nsw i8 127, 1\n %a = select i1 0, i8 %p, i8 1\n %bit = trunc i8 %a to i1",
        "%p = shl i8 1, 9\n %bit = icmp eq i8 1, 1",
        "%a = insertelement <2 x i8> poison, i8 1, i32 1\n %e = extractelement <2 x i8> %a, i32 1\n %bit = trunc i8 %e to i1",
        "%a = insertelement <2 x i8> poison, i8 1, i32 0\n %b = bitcast <2 x i8> %a to <2 x i8>\n %e = extractelement <2 x i8> %b, i32 0\n %bit = trunc i8 %e to i1",
    ]);
}

#[test]
fn addresses() {
    expect_defined(&[
        "%a = getelementptr inbounds i8, ptr @cell, i64 8\n %bit = icmp ne ptr %a, null",
        "%a = getelementptr i8, ptr @cell, i64 1000000000\n %bit = icmp ne ptr %a, null",
    ]);
    expect_poison(&[
        "%a = getelementptr inbounds i8, ptr @cell, i64 100000000\n %bit = icmp ne ptr %a, null",
        "%bit = icmp ne ptr getelementptr inbounds (i8, ptr @cell, i64 100000000), null",
        "%n = load i64, ptr @cell\n %m = add i64 %n, 2305843009213693952\n %a = getelementptr inbounds { i64, i64 }, ptr @cell, i64 %m, i32 1\n %bit = icmp ne ptr %a, null",
        "%n = load i64, ptr @cell\n %m = add i64 %n, 100000000\n %a = getelementptr inbounds i8, ptr @cell, i64 %m\n %bit = icmp ne ptr %a, null",
    ]);
}

#[test]
fn constant_indices_that_overflow() {
    expect(
        2,
        "index",
        &[
            "%p = load ptr, ptr @cell\n %a = getelementptr inbounds i64, ptr %p, i64 2305843009213693952\n %bit = icmp ne ptr %a, null",
        ],
    );
}

#[test]
fn vectors() {
    expect_poison(&[
        "%e = extractelement <2 x i8> zeroinitializer, i32 2\n %bit = trunc i8 %e to i1",
        "%a = insertelement <2 x i8> zeroinitializer, i8 1, i32 2\n %e = extractelement <2 x i8> %a, i32 0\n %bit = trunc i8 %e to i1",
    ]);
}

#[test]
fn intrinsics_that_are_undefined_for_one_argument() {
    // The second argument is the promise that the first is not the one without a result.
    let call = |operation: &str, argument: i32, promise: u8| {
        format!(
            "%a = call i8 @llvm.{operation}.i8(i8 {argument}, i1 {promise})\n %bit = trunc i8 %a to i1\n---\ndeclare i8 @llvm.{operation}.i8(i8, i1)"
        )
    };
    for (operation, excluded) in [("ctlz", 0), ("cttz", 0), ("abs", -128)] {
        expect_defined(&[&call(operation, excluded, 0), &call(operation, 1, 1)]);
        expect_poison(&[&call(operation, excluded, 1)]);
    }
    let wide_abs = |argument: &str, promise: u8| {
        format!(
            "%a = call i128 @llvm.abs.i128(i128 {argument}, i1 {promise})\n %bit = trunc i128 %a to i1\n---\ndeclare i128 @llvm.abs.i128(i128, i1)"
        )
    };
    expect_defined(&[&wide_abs("-170141183460469231731687303715884105728", 0)]);
    expect_poison(&[&wide_abs("-170141183460469231731687303715884105728", 1)]);
}

#[test]
fn integer_powers_multiply_by_squares() {
    // `%e` is the expected power. The code divides by whether the result equals it.
    let power = |exponent: i32, expected: &str| {
        format!(
            "%n = load i64, ptr @cell\n %z = uitofp i64 %n to double\n %x = fadd double %z, 1.1\n %s = fmul double %x, %x\n %q = fmul double %s, %s\n {expected}\n %p = call double @llvm.powi.f64.i32(double %x, i32 {exponent})\n %is = fcmp oeq double %p, %e\n %one = zext i1 %is to i8\n %a = udiv i8 1, %one\n %bit = trunc i8 %a to i1\n---\ndeclare double @llvm.powi.f64.i32(double, i32)"
        )
    };
    let seventh = "%t = fmul double %x, %s\n %w = fmul double %t, %q";
    expect_defined(&[
        &power(7, &format!("{seventh}\n %e = fadd double %w, 0.0")),
        &power(-7, &format!("{seventh}\n %e = fdiv double 1.0, %w")),
        &power(0, "%e = fadd double 0.0, 1.0"),
    ]);
    expect(
        2,
        "llvm.powi",
        &[
            "%v = call <2 x double> @llvm.powi.v2f64.i32(<2 x double> zeroinitializer, i32 2)\n %e = extractelement <2 x double> %v, i32 0\n %bit = fcmp oeq double %e, 0.0\n---\ndeclare <2 x double> @llvm.powi.v2f64.i32(<2 x double>, i32)",
        ],
    );
}

#[test]
fn conversions_of_numbers_that_do_not_fit() {
    expect_poison(&[
        "%a = fptosi double 3.0e9 to i32\n %bit = trunc i32 %a to i1",
        "%a = fptoui float -1.0 to i8\n %bit = trunc i8 %a to i1",
        "%a = fptosi x86_fp80 0xK4080C000000000000000 to i64\n %bit = trunc i64 %a to i1",
    ]);
    expect(2, "128 bits", &["%a = sitofp i256 1 to double\n %bit = fcmp oeq double %a, 1.0"]);
}

#[test]
fn loads_of_values_outside_the_promised_range() {
    let range = |limits: &str| {
        format!("%a = load i8, ptr @bytes, !range !0\n %bit = trunc i8 %a to i1\n---\n!0 = !{{{limits}}}")
    };
    expect_defined(&[&range("i8 0, i8 2"), &range("i8 -1, i8 1")]);
    expect_poison(&[&range("i8 1, i8 2"), &range("i8 1, i8 0")]);
    expect(2, "range", &[&range("i8 0, i8 1, i8 3, i8 4")]);
    let local = "%x = alloca i8\n store i8 3, ptr %x\n %y = getelementptr i8, ptr %x, i64 0\n %a = load i8, ptr %y, !range !0\n %bit = trunc i8 %a to i1\n---\n!0 = !{i8 0, i8 2}";
    expect_poison(&[local]);
    expect_poison(&["%a = load ptr, ptr @cell, !nonnull !0\n %bit = icmp eq ptr %a, null\n---\n!0 = !{}"]);
}

#[test]
fn assumptions() {
    // `rest` is the condition, the closing parenthesis and the operand bundles.
    let assume = |rest: &str| {
        format!(
            "%n = load i64, ptr @cell\n call void @llvm.assume({rest}\n %bit = icmp eq i64 1, 1\n---\ndeclare void @llvm.assume(i1)"
        )
    };
    expect_defined(&[
        &assume("i1 true)"),
        &assume("i1 true) [ \"align\"(ptr @cell, i64 8) ]"),
        &assume("i1 true) [ \"align\"(ptr getelementptr (i8, ptr @cell, i64 1), i64 8, i64 1) ]"),
        &assume("i1 true) [ \"nonnull\"(ptr @cell) ]"),
    ]);
    for wrong in [
        "i1 false)",
        "i1 undef)",
        "i1 true) [ \"align\"(ptr getelementptr (i8, ptr @cell, i64 1), i64 8) ]",
        "i1 true) [ \"nonnull\"(ptr null) ]",
    ] {
        expect(1, "assumption", &[&assume(wrong)]);
    }
    expect(
        2,
        "bundle",
        &[
            &assume("i1 true) [ \"dereferenceable\"(ptr @cell, i64 8) ]"),
            &assume("i1 true) [ \"nonnull\"(ptr @cell), \"align\"(ptr @cell, i64 8) ]"),
        ],
    );
}

#[test]
fn results_that_only_the_compiler_can_choose() {
    expect_defined(&["%a = freeze i8 3\n %bit = trunc i8 %a to i1"]);
    expect(2, "freeze", &["%a = freeze i8 undef\n %bit = trunc i8 %a to i1"]);
    for flag in ["nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"] {
        expect(2, "fast-math", &[&format!("%a = fadd {flag} double 1.0, 1.0\n %bit = fcmp oeq double %a, 2.0")]);
    }
    expect(2, "fast-math", &["%bit = fcmp nnan oeq double 1.0, 2.0"]);
    expect(
        2,
        "non-temporal",
        &["store i64 1, ptr @cell, !nontemporal !0\n %bit = icmp eq i8 1, 1\n---\n!0 = !{i32 1}"],
    );
    expect_defined(&["%a = load i64, ptr @cell, !nontemporal !0\n %bit = trunc i64 %a to i1\n---\n!0 = !{i32 1}"]);
    let load_of_global = |initialiser: &str| {
        format!("%a = load i8, ptr @text\n %bit = trunc i8 %a to i1\n---\n@text = global [1 x i8] {initialiser}")
    };
    expect(2, "undefined operation", &[&load_of_global("[i8 poison]")]);
}

#[test]
fn modules_for_other_machines_are_refused() {
    let expect_refusal = |triple: &str, layout: &str, word: &str| {
        let module = program("%bit = icmp eq i8 1, 1");
        let module = module.replace("x86_64-pc-linux-gnu", triple).replace("e-m:e-p270", layout);
        let (_directory, path) = file("program.ll", module);
        check(&rmc([text(&path)]), 2, &["program.ll", word]);
    };
    expect_refusal("s390x-ibm-linux-gnu", "e-m:e-p270", "s390x");
    expect_refusal("i386-pc-linux-gnu", "e-m:e-p:32:32-p270", "i386");
    expect_refusal("x86_64-pc-windows-msvc", "e-m:w-p270", "windows");
    expect_refusal("x86_64-pc-linux-gnux32", "e-m:e-p:32:32-p270", "data layout");
    expect_refusal("x86_64-pc-linux-gnu", "E-m:e-p270", "data layout");
    expect_refusal("", "e-m:e-p270", "no target");
    for option in ["--cflags=-m32", "--cflags=--target=aarch64-linux-gnu", "--cflags=-mx32"] {
        let (_directory, path) = file("program.c", "int main(void) { return 0; }\n");
        check(&rmc([option, text(&path)]), 2, &["program.c", "x86_64 Linux"]);
    }
}

#[test]
fn expressions_of_constants() {
    // Addresses of two variables are not folded, so the expression is evaluated when the program is loaded.
    let all_ones = "sext (i1 icmp ne (ptr @cell, ptr @bytes) to i16)";
    let shifted = "ashr (i16 shl (i16 zext (i1 icmp ne (ptr @cell, ptr @bytes) to i16), i16 15), i16 3)";
    for (expression, value) in [(all_ones, -1), (shifted, -4096)] {
        let asserts = format!("%bit = icmp eq i16 {expression}, {value}\n call void @llvm.assume(i1 %bit)");
        expect_defined(&[&format!("{asserts}\n---\ndeclare void @llvm.assume(i1)")]);
        let differs = asserts.replace("icmp eq i16", "icmp ne i16");
        expect(1, "violated", &[&format!("{differs}\n---\ndeclare void @llvm.assume(i1)")]);
    }
}
