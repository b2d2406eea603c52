//! Gathers, scatters and masked accesses for which C has no vectors, checked as assembly for LLVM.
//!
//! `tests/programs/masked` has those that C programs can call. In the programs here thread 1 runs `other`
//! while `main` runs the code of a test.

use rmc_tests::harness::outside::{check, file, rmc, text};

const MODELS: [&str; 3] = ["sc", "tso", "pso"];
const ENGINES: [&str; 2] = ["explicit", "dpor"];

const HEAD: &str = r#"target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@cells = global [4 x i32] zeroinitializer, align 16
@words = global [4 x i64] [i64 1, i64 2, i64 3, i64 4], align 16
@bytes = global [16 x i8] c"0123456789abcdef", align 16
@wide = global [2 x i128] [i128 1, i128 2], align 16
@table = global [2 x ptr] zeroinitializer, align 16
@on = global i1 true
declare void @abort()
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare ptr @malloc(i64)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)
declare <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x ptr>)
declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, i32, <2 x i1>)
declare void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr>, <2 x ptr>, i32, <2 x i1>)
declare <16 x i8> @llvm.masked.load.v16i8.p0(ptr, i32, <16 x i1>, <16 x i8>)
declare <2 x i128> @llvm.masked.load.v2i128.p0(ptr, i32, <2 x i1>, <2 x i128>)
declare void @llvm.masked.store.v2i128.p0(<2 x i128>, ptr, i32, <2 x i1>)
"#;

/// A program in which thread 1 runs `other` while `main` computes `%bit`. If the bit is not set, the program
/// aborts. `on` is a mask of two lanes that are on, which the compiler does not know.
fn program(other: &str, main: &str) -> String {
    let mask = "%o = load i1, ptr @on
  %o1 = insertelement <2 x i1> poison, i1 %o, i32 0
  %on = insertelement <2 x i1> %o1, i1 %o, i32 1";
    format!(
        "{HEAD}define ptr @other(ptr %unused) {{\n  {mask}\n{other}\n  ret ptr null\n}}
define i32 @main() {{
  {mask}
  %thread = alloca i64
  %unused = call i32 @pthread_create(ptr %thread, ptr null, ptr @other, ptr null)
{main}
  br i1 %bit, label %yes, label %no
no:
  call void @abort()
  unreachable
yes:
  %number = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %number, ptr null)
  ret i32 0
}}
"
    )
}

/// Checks a program under the models, by both engines: the exit code and a word of the output.
#[track_caller]
fn says(models: &[&str], code: i32, word: &str, other: &str, main: &str) {
    let (_directory, path) = file("program.ll", program(other, main));
    for model in models {
        for engine in ENGINES {
            let run = rmc(["--relaxed-memory", model, "--engine", engine, text(&path)]);
            let said = run.code == Some(code) && (run.stdout.contains(word) || run.stderr.contains(word));
            assert!(said, "{word}\n{}", run.describe());
        }
    }
}

/// The addresses of two cells.
fn cells(first: u32, second: u32) -> String {
    format!(
        "  %c0 = getelementptr i32, ptr @cells, i64 {first}
  %c1 = getelementptr i32, ptr @cells, i64 {second}
  %p0 = insertelement <2 x ptr> poison, ptr %c0, i32 0
  %p = insertelement <2 x ptr> %p0, ptr %c1, i32 1"
    )
}

#[test]
fn lanes_have_addresses_of_their_own() {
    let main = "  %far = getelementptr inbounds i32, ptr @cells, i64 99999999999
  %w1 = getelementptr i64, ptr @words, i64 1
  %w3 = getelementptr i64, ptr @words, i64 3
  %q0 = insertelement <4 x ptr> poison, ptr %w3, i32 0
  %q1 = insertelement <4 x ptr> %q0, ptr null, i32 1
  %q2 = insertelement <4 x ptr> %q1, ptr %far, i32 2
  %q3 = insertelement <4 x ptr> %q2, ptr %w1, i32 3
  %m = insertelement <4 x i1> <i1 1, i1 0, i1 0, i1 0>, i1 %o, i32 3
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %q3, i32 4, <4 x i1> %m, <4 x i32> <i32 7, i32 8, i32 9, i32 6>)
  %all = bitcast <4 x i32> %v to i128
  %is = bitcast <4 x i32> <i32 4, i32 8, i32 9, i32 2> to i128
  %bit = icmp eq i128 %all, %is";
    says(&MODELS, 0, "holds", "", main);
    let on = main.replace("<i1 1, i1 0, i1 0, i1 0>", "<i1 1, i1 1, i1 0, i1 0>");
    says(&MODELS, 1, "null pointer", "", &on);
    let on = main.replace("<i1 1, i1 0, i1 0, i1 0>", "<i1 1, i1 0, i1 1, i1 0>");
    says(&MODELS, 1, "undefined", "", &on);
}

#[test]
fn lanes_of_one_and_of_sixteen_bytes() {
    let main = "  %m = insertelement <16 x i1> zeroinitializer, i1 %o, i32 15
  %m2 = insertelement <16 x i1> %m, i1 %o, i32 2
  %v = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr @bytes, i32 1, <16 x i1> %m2, <16 x i8> zeroinitializer)
  %x = bitcast <16 x i8> %v to i128
  %low = trunc i128 %x to i64
  %shifted = lshr i128 %x, 64
  %high = trunc i128 %shifted to i64
  %b1 = icmp eq i64 %low, 3276800
  %b2 = icmp eq i64 %high, 7349874591868649472
  %n = insertelement <2 x i1> zeroinitializer, i1 %o, i32 1
  call void @llvm.masked.store.v2i128.p0(<2 x i128> <i128 5, i128 18446744073709551617>, ptr @wide, i32 16, <2 x i1> %n)
  %w = call <2 x i128> @llvm.masked.load.v2i128.p0(ptr @wide, i32 16, <2 x i1> %on, <2 x i128> undef)
  %e0 = extractelement <2 x i128> %w, i32 0
  %e1 = extractelement <2 x i128> %w, i32 1
  %b3 = icmp eq i128 %e0, 1
  %b4 = icmp eq i128 %e1, 18446744073709551617
  %a = and i1 %b1, %b2
  %b = and i1 %b3, %b4
  %bit = and i1 %a, %b";
    says(&MODELS, 0, "holds", "", main);
}

#[test]
fn lanes_of_pointers_lead_other_threads_to_memory() {
    let publish = "  %block = call ptr @malloc(i64 4)
  store i32 VALUE, ptr %block
  %i0 = insertelement <2 x ptr> poison, ptr %block, i32 0
  %i = insertelement <2 x ptr> %i0, ptr %block, i32 1
  %t1 = getelementptr ptr, ptr @table, i64 1
  %a0 = insertelement <2 x ptr> poison, ptr @table, i32 0
  %a = insertelement <2 x ptr> %a0, ptr %t1, i32 1
  call void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr> %i, <2 x ptr> %a, i32 8, <2 x i1> %on)";
    let main = "  %t1 = getelementptr ptr, ptr @table, i64 1
  %a0 = insertelement <2 x ptr> poison, ptr @table, i32 0
  %a = insertelement <2 x ptr> %a0, ptr %t1, i32 1
  %v = call <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr> %a, i32 8, <2 x i1> %on, <2 x ptr> undef)
  %found = extractelement <2 x ptr> %v, i32 1
  %none = icmp eq ptr %found, null
  br i1 %none, label %skip, label %follow
follow:
  %n = load i32, ptr %found
  %is = icmp eq i32 %n, 1
  br label %skip
skip:
  %bit = phi i1 [true, %follow.before], [%is, %follow]"
        .replace("%follow.before", "%0");
    let right = publish.replace("VALUE", "1");
    says(&["sc", "tso"], 0, "holds", &right, &main);
    says(&["pso"], 1, "", &right, &main);
    says(&MODELS, 1, "aborted", &publish.replace("VALUE", "2"), &main);
}

#[test]
fn a_gather_sees_its_lanes_in_any_order() {
    for (first, second) in [(0, 1), (1, 0)] {
        let other = format!(
            "  %f = getelementptr i32, ptr @cells, i64 {first}
  %s = getelementptr i32, ptr @cells, i64 {second}
  store atomic i32 1, ptr %f release, align 4
  store atomic i32 1, ptr %s release, align 4"
        );
        let main = cells(0, 1)
            + &format!(
                "
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> %on, <2 x i32> undef)
  %a = extractelement <2 x i32> %v, i32 {first}
  %b = extractelement <2 x i32> %v, i32 {second}
  %not = icmp ult i32 %a, %b
  %bit = xor i1 %not, true"
            );
        says(&MODELS, 1, "aborted", &other, &main);
        let still = main.replace("<2 x i1> %on", "<2 x i1> zeroinitializer").replace("undef", "zeroinitializer");
        says(&MODELS, 0, "holds", &other, &still);
    }
}

/// Loads two cells, one after the other; `%bit` is set unless only the first one was new.
fn looks(first: u32, second: u32) -> String {
    format!(
        "  %f = getelementptr i32, ptr @cells, i64 {first}
  %s = getelementptr i32, ptr @cells, i64 {second}
  %a = load atomic i32, ptr %f acquire, align 4
  %b = load atomic i32, ptr %s acquire, align 4
  %new = icmp ne i32 %a, 0
  %old = icmp eq i32 %b, 0
  %not = and i1 %new, %old
  %bit = xor i1 %not, true"
    )
}

fn scatter(first: u32, second: u32) -> String {
    cells(first, second)
        + "
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> <i32 1, i32 2>, <2 x ptr> %p, i32 4, <2 x i1> %on)"
}

#[test]
fn a_scatter_writes_its_lanes_in_any_order() {
    says(&MODELS, 1, "aborted", &scatter(0, 1), &looks(0, 1));
    says(&MODELS, 1, "aborted", &scatter(0, 1), &looks(1, 0));
    says(&MODELS, 0, "holds", &scatter(0, 1), &looks(0, 0));
}

#[test]
fn scattered_lanes_that_overlap_are_ordered_or_refused() {
    // The last lane counts: if no other thread looks, if no other thread knows the memory, and under PSO
    // always.
    let found = "
  %x = load i32, ptr %c0
  %bit = icmp eq i32 %x, 2";
    let other = scatter(3, 3);
    let own = (scatter(0, 0) + found).replace("getelementptr i32, ptr @cells", "getelementptr i32, ptr %block");
    says(&MODELS, 0, "holds", "", &format!("  %block = call ptr @malloc(i64 4)\n{own}"));
    says(&["sc", "tso"], 2, "a scatter of lanes that overlap", &other, "  %bit = icmp eq i1 true, true");
    // The other thread may see this value before the last lane arrives, but never again after it.
    let looks = "  %c = getelementptr i32, ptr @cells, i64 3
  %a = load atomic i32, ptr %c acquire, align 4
  %b = load atomic i32, ptr %c acquire, align 4
  %bit = icmp ule i32 %a, %b";
    says(&["pso"], 0, "holds", &other, looks);
    says(&["pso"], 1, "aborted", &other, &looks.replace("icmp ule i32 %a, %b", "icmp ne i32 %a, 1"));
}

#[test]
fn a_scatter_to_private_and_to_shared_memory_is_refused_or_explored() {
    let other = "  %block = call ptr @malloc(i64 8)
  %i0 = insertelement <2 x ptr> poison, ptr %block, i32 0
  %i = insertelement <2 x ptr> %i0, ptr null, i32 1
  %a0 = insertelement <2 x ptr> poison, ptr @table, i32 0
  %a = insertelement <2 x ptr> %a0, ptr %block, i32 1
  call void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr> %i, <2 x ptr> %a, i32 8, <2 x i1> %on)";
    // The other thread may see the block before the value stored in it.
    let main = "  %p = load atomic ptr, ptr @table acquire, align 8
  %none = icmp eq ptr %p, null
  br i1 %none, label %skip, label %follow
follow:
  %x = load ptr, ptr %p
  %is = icmp eq ptr %x, null
  br label %skip
skip:
  %bit = phi i1 [true, %0], [%is, %follow]";
    says(&["sc", "tso"], 2, "memory that other threads may know", other, main);
    says(&["pso"], 1, "uninitialised", other, main);
}

#[test]
fn lanes_that_are_no_bytes_are_refused() {
    let (_directory, path) = file(
        "program.ll",
        format!(
            "{HEAD}declare <2 x i24> @llvm.masked.load.v2i24.p0(ptr, i32, <2 x i1>, <2 x i24>)
define i32 @main() {{
  %on = load <2 x i1>, ptr @on
  %v = call <2 x i24> @llvm.masked.load.v2i24.p0(ptr @cells, i32 4, <2 x i1> %on, <2 x i24> undef)
  ret i32 0
}}
"
        ),
    );
    check(&rmc([text(&path)]), 2, &["unsupported masked access of the type `<2 x i24>`"]);
}
