//! Constructs of LLVM that clang does not emit for C, checked as assembly: each function of one program
//! returns whether its result is the expected one.

use std::fs;

use rmc_tests::harness::outside::{check, text};
use rmc_tests::harness::process::{command, run};

const LAYOUT: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n\
                      target triple = \"x86_64-pc-linux-gnu\"\n";

const DECLARATIONS: &str = "
%list = type { i32, i32, ptr, ptr }
@own = thread_local global [2 x i32] [i32 4, i32 5]
@memory = global [16 x i32] zeroinitializer, align 16
@odd = global <3 x i24> <i24 1, i24 -2, i24 3>
@mask = global <12 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1, i1 0, i1 1>
declare void @llvm.va_start(ptr)
declare {<2 x i8>, <2 x i1>} @llvm.sadd.with.overflow.v2i8(<2 x i8>, <2 x i8>)
declare {<2 x i128>, <2 x i1>} @llvm.umul.with.overflow.v2i128(<2 x i128>, <2 x i128>)
declare i128 @llvm.fshl.i128(i128, i128, i128)
declare i128 @llvm.sshl.sat.i128(i128, i128)
declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32, i32)
declare <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32>, <4 x i32>, i64)
declare <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32>, i64)
";

/// The code of each function before it returns the bit `%is`.
const CASES: [(&str, &str); 11] = [
    (
        "thread_local_variables_in_constants",
        "%before = load i32, ptr getelementptr inbounds ([2 x i32], ptr @own, i64 0, i64 1)
         store i32 7, ptr getelementptr (i8, ptr @own, i64 4)
         %after = load i32, ptr inttoptr (i64 ptrtoint (ptr getelementptr (i8, ptr @own, i64 4) to i64) to ptr)
         %sum = add i32 %before, %after
         %is = icmp eq i32 %sum, 12",
    ),
    (
        "overflow_of_vectors",
        "%r = call {<2 x i8>, <2 x i1>} @llvm.sadd.with.overflow.v2i8(<2 x i8> <i8 100, i8 1>, <2 x i8> <i8 100, i8 2>)
         %b = extractvalue {<2 x i8>, <2 x i1>} %r, 1
         %v = extractvalue {<2 x i8>, <2 x i1>} %r, 0
         %all = bitcast <2 x i1> %b to i2
         %one = icmp eq i2 %all, 1
         %number = bitcast <2 x i8> %v to i16
         %two = icmp eq i16 %number, 968
         %is = and i1 %one, %two",
    ),
    (
        "overflow_of_wide_vectors",
        "%r = call {<2 x i128>, <2 x i1>} @llvm.umul.with.overflow.v2i128(
           <2 x i128> <i128 5, i128 170141183460469231731687303715884105728>, <2 x i128> <i128 7, i128 2>)
         %b = extractvalue {<2 x i128>, <2 x i1>} %r, 1
         %v = extractvalue {<2 x i128>, <2 x i1>} %r, 0
         %all = bitcast <2 x i1> %b to i2
         %one = icmp eq i2 %all, 2
         %first = extractelement <2 x i128> %v, i32 0
         %two = icmp eq i128 %first, 35
         %is = and i1 %one, %two",
    ),
    (
        "wide_shifts",
        "%a = call i128 @llvm.fshl.i128(i128 1, i128 -1, i128 65)
         %one = icmp eq i128 %a, 73786976294838206463
         %b = call i128 @llvm.sshl.sat.i128(i128 -3, i128 126)
         %two = icmp eq i128 %b, -170141183460469231731687303715884105728
         %is = and i1 %one, %two",
    ),
    (
        "lanes_that_are_active",
        "%r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 -2, i32 -1)
         %all = bitcast <4 x i1> %r to i4
         %is = icmp eq i4 %all, 1",
    ),
    (
        "parts_of_vectors",
        "%r = call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> zeroinitializer,
           <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 4)
         %p = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %r, i64 4)
         %i = extractelement <4 x i32> %p, i32 1
         %is = icmp eq i32 %i, 2",
    ),
    (
        "pointers_of_lanes",
        "%bases = insertelement <2 x ptr> poison, ptr @memory, i32 0
         %both = shufflevector <2 x ptr> %bases, <2 x ptr> poison, <2 x i32> zeroinitializer
         %q = getelementptr inbounds {i32, i64}, <2 x ptr> %both, <2 x i64> <i64 1, i64 2>, <2 x i32> <i32 1, i32 1>
         %p = extractelement <2 x ptr> %q, i32 1
         store i64 5, ptr %p
         %a = getelementptr [16 x i32], ptr @memory, i64 0, i64 10
         %found = load i32, ptr %a
         %is = icmp eq i32 %found, 5",
    ),
    (
        "elements_of_three_bytes",
        "%v = load <3 x i24>, ptr @odd
         %w = add <3 x i24> %v, %v
         store <3 x i24> %w, ptr @odd
         %second = getelementptr i8, ptr @odd, i64 3
         %i = load i24, ptr %second
         %is = icmp eq i24 %i, -4",
    ),
    (
        "elements_of_one_bit",
        "%v = load <12 x i1>, ptr @mask
         %not = xor <12 x i1> %v, <i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1>
         store <12 x i1> %not, ptr @mask
         %i = load i16, ptr @mask
         %low = and i16 %i, 4095
         %is = icmp eq i16 %low, 1534",
    ),
    (
        "vectors_of_pointers",
        "%slot = alloca <2 x ptr>
         store <2 x ptr> <ptr @memory, ptr null>, ptr %slot
         %v = load <2 x ptr>, ptr %slot
         %n = ptrtoint <2 x ptr> %v to <2 x i64>
         %null = icmp eq <2 x i64> %n, zeroinitializer
         %all = bitcast <2 x i1> %null to i2
         %is = icmp eq i2 %all, 2",
    ),
    (
        "variable_arguments",
        "%r = call i64 (i32, ...) @sum(i32 1, i32 2, double 3.5, i64 4, ptr null, i64 1, i64 2, i64 3, i64 -5)
         %is = icmp eq i64 %r, 10",
    ),
];

/// Adds an `i32`, a `double`, an `i64`, a pointer and four more `i64`.
const SUM: &str = "
define i64 @sum(i32 %n, ...) {
  %l = alloca %list
  call void @llvm.va_start(ptr %l)
  %a = va_arg ptr %l, i32
  %d = va_arg ptr %l, double
  %b = va_arg ptr %l, i64
  %p = va_arg ptr %l, ptr
  %c = va_arg ptr %l, i64
  %e = va_arg ptr %l, i64
  %f = va_arg ptr %l, i64
  %g = va_arg ptr %l, i64
  %ai = sext i32 %a to i64
  %di = fptosi double %d to i64
  %pi = ptrtoint ptr %p to i64
  %s1 = add i64 %ai, %di
  %s2 = add i64 %s1, %b
  %s3 = add i64 %s2, %pi
  %s4 = add i64 %s3, %c
  %s5 = add i64 %s4, %e
  %s6 = add i64 %s5, %f
  %s7 = add i64 %s6, %g
  ret i64 %s7
}
";

/// A program that returns 100 if all results are as expected, else the number of the first case that fails.
fn program() -> String {
    let mut text = [LAYOUT, DECLARATIONS, SUM].concat();
    let mut main = "define i32 @main() {\n".to_owned();
    for (at, (name, body)) in CASES.iter().enumerate() {
        text += &format!("define i1 @{name}() {{\n{body}\n  ret i1 %is\n}}\n");
        main += &format!("  %is{at} = call i1 @{name}()\n  br i1 %is{at}, label %next{at}, label %not{at}\n");
        main += &format!("not{at}:\n  ret i32 {at}\nnext{at}:\n");
    }
    text + &main + "  ret i32 100\n}\n"
}

#[test]
fn every_construct_is_as_llvm_says() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (path, report) = (directory.path().join("program.ll"), directory.path().join("report.json"));
    fs::write(&path, program()).expect("a file");
    let done = run(command(["--report", text(&report)]).arg(&path));
    check(&done, 0, &[]);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&report).expect("a report")).expect("JSON");
    let status = report["only_execution"]["exit"].as_i64().expect("an exit status");
    let failed = usize::try_from(status).ok().and_then(|at| CASES.get(at)).map(|case| case.0);
    assert_eq!((status, failed), (100, None));
}
