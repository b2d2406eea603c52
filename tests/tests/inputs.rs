//! Programs of several files: compilation databases, archives, undefined functions, calls that do not match
//! the definition. They are seen from outside; `cli.rs` tests the rest of the command line.

use std::fs;
use std::path::Path;
use std::process::Command;

use rmc_tests::harness::outside::check;
use rmc_tests::harness::process::{Run, command, run};
use tempfile::TempDir;

/// A directory with these files, by name and content.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    directory
}

/// Runs the checker in `directory`; `typed` is split at spaces.
fn rmc_in(directory: &Path, typed: &str) -> Run {
    run(command(typed.split(' ')).current_dir(directory))
}

/// Runs a tool in `directory`, which must succeed.
#[track_caller]
fn tool(directory: &Path, typed: &str) {
    let mut words = typed.split(' ');
    let done = run(Command::new(words.next().expect("a program")).args(words).current_dir(directory));
    assert_eq!(done.code, Some(0), "{typed}: {}", done.describe());
}

#[test]
fn a_source_is_compiled_as_its_build_does() {
    let command = r#""ccache gcc -O2 -Werror -I../include \"-DTYPE=unsigned char\" -c ../src/one.c -o one.o""#;
    let database = format!(
        r#"[{{"directory": ".", "file": "../src/one.c", "command": {command}}},
            {{"directory": "..", "file": "src/two.c",
              "arguments": ["cc", "-DTWO=2", "-include", "include/n.h", "-MF", "x", "src/two.c"]}},
            {{"directory": ".", "file": "../src/both.c", "command": "cc -DA ../src/both.c"}},
            {{"directory": ".", "file": "../src/both.c", "command": "cc -DB ../src/both.c"}}]"#
    );
    let one = "#include <assert.h>\n#include <n.h>\nint two(void);\n\
               int main(void) { assert(N == 7 && sizeof(TYPE) == 1 && two() == TYPED); return 0; }\n";
    let directory = directory(&[
        ("src/one.c", one),
        ("src/two.c", "int two(void) { return N + TWO; }\n"),
        ("src/both.c", ""),
        ("other.c", ""),
        ("include/n.h", "#define N 7\n"),
        ("build/compile_commands.json", &database),
        ("damaged/compile_commands.json", "[{}]"),
        ("unfinished/compile_commands.json", r#"[{"directory": ".", "file": "a.c", "command": "cc 'a.c"}]"#),
        ("empty/compile_commands.json", r#"[{"directory": ".", "file": "a.c"}]"#),
    ]);
    let rmc = |typed: &str| rmc_in(directory.path(), typed);
    check(&rmc("-p build src/one.c src/two.c -DTYPED=9"), 0, &[]);
    // The report of a violation has the build directory.
    check(&rmc("-p build src/one.c src/two.c -DTYPED=8 --report bug.json"), 1, &[]);
    check(&rmc("--replay bug.json"), 1, &[]);
    check(&rmc("-p build"), 2, &["name the sources", "\n  src/both.c\n  src/one.c\n  src/two.c"]);
    check(&rmc("-p build other.c"), 2, &["other.c: is not in build/compile_commands.json", "src/one.c"]);
    check(&rmc("-p build src/both.c"), 2, &["src/both.c: is in build/compile_commands.json several times"]);
    check(&rmc("-p src src/one.c"), 2, &["src/compile_commands.json", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
    check(&rmc("-p damaged src/one.c"), 2, &["damaged/compile_commands.json", "`directory`"]);
    check(&rmc("-p unfinished src/one.c"), 2, &["the entry of a.c", "quotation mark"]);
    check(&rmc("-p empty src/one.c"), 2, &["the entry of a.c", "neither `arguments` nor `command`"]);
}

#[test]
fn members_of_archives_are_linked_where_they_are_needed() {
    let directory = directory(&[
        ("main.c", "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 3); return 0; }\n"),
        (
            "one.c",
            "int two(void);\nstatic int hidden(void) { return 1; }\nint one(void) { return two() + hidden(); }\n",
        ),
        ("a_file_with_a_long_name.c", "int two(void) { return 2; }\n"),
        // One member defines a symbol a second time, and one is needed by nobody: a linker takes neither.
        ("again.c", "int two(void) { return 5; }\n"),
        ("other.c", "int hidden(void) { return 7; }\nint main(void) { return 1; }\n"),
        ("text.o", "no object file\n"),
    ]);
    let here = directory.path();
    for name in ["main", "one", "a_file_with_a_long_name", "again", "other"] {
        tool(here, &format!("clang-16 -g -emit-llvm -c {name}.c -o {name}.o"));
    }
    let members = "other.o one.o a_file_with_a_long_name.o again.o";
    tool(here, &format!("llvm-ar-16 rc part.a {members}"));
    tool(here, &format!("llvm-ar-16 rcT thin.a {members}"));
    tool(here, "llvm-ar-16 rc whole.a again.o one.o main.o");
    tool(here, "clang-16 -c one.c -o machine.o");
    tool(here, "llvm-ar-16 rc machine.a machine.o");
    tool(here, "llvm-ar-16 rc text.a text.o");
    let whole = fs::read(here.join("part.a")).expect("the archive");
    fs::write(here.join("cut.a"), &whole[..100]).expect("a file");
    let rmc = |typed: &str| rmc_in(here, typed);
    check(&rmc("main.c part.a"), 0, &[]);
    check(&rmc("thin.a main.c"), 0, &[]);
    check(&rmc("whole.a"), 1, &[]);
    check(&rmc("main.c machine.a"), 2, &["machine.a: the member `machine.o` is machine code", "-emit-llvm"]);
    check(&rmc("main.c text.a"), 2, &["text.a: the member `text.o` is no object file"]);
    check(&rmc("main.c cut.a"), 2, &["cut.a", "damaged at byte"]);
    fs::remove_file(here.join("one.o")).expect("a member");
    check(&rmc("thin.a main.c"), 2, &["one.o: No such file"]);
}

#[test]
fn undefined_functions_are_named_all_at_once() {
    let program = "int number(int);\nvoid nothing(void);\nchar *pointer(void);\nunsigned char variadic(int, ...);\n\
                   struct pair { long a, b; } pair(void);\ndouble real(void);\n\
                   int main(void) {\n  if (number(1) == -5)\n    nothing();\n  if (pointer())\n    return real() + pair().a;\n  \
                   int (*f)(int) = number;\n  return f(2) + variadic(1, 2) == 250 ? 0 : 1;\n}\n";
    let directory =
        directory(&[("program.c", program), ("unreached.c", "int f(void);\nint main(void) { return 0 && f(); }\n")]);
    let rmc = |typed: &str| rmc_in(directory.path(), typed);
    let listed = [
        "program.c:8: unsupported: function `number`",
        "`nothing`, called at program.c:9",
        "`pointer`, called at program.c:10",
        "--stub NAME=VALUE",
    ];
    check(&rmc("program.c"), 2, &listed);
    check(&rmc("unreached.c"), 0, &[]);
    let stubs = "--stub number=-5 --stub nothing --stub pointer=0 --stub variadic=0xff";
    let stubbed = rmc(&format!("{stubs} program.c --keep-going --report page.html --report report.json"));
    check(&stubbed, 0, &[]);
    assert!(stubbed.stdout.contains("number=-5, nothing, pointer=0, variadic=255"), "{}", stubbed.describe());
    for report in ["page.html", "report.json"] {
        let report = fs::read_to_string(directory.path().join(report)).expect("a report");
        assert!(report.contains("number=-5"), "{report}");
    }
    for (stub, words) in [
        ("absent=1", "declares and calls no function"),
        ("main=1", "is defined"),
        ("nothing=1", "returns nothing"),
        ("number", "returns something"),
        ("number=0x100000000", "32 bits"),
        ("number=-2147483649", "32 bits"),
        ("pointer=1", "a pointer"),
        ("pair=1", "neither an integer"),
        ("real=1", "neither an integer"),
        ("number=one", "is a number"),
        ("=1", "NAME=VALUE"),
        ("number=1 --stub number=2", "two for this function"),
    ] {
        check(&rmc(&format!("--stub {stub} program.c")), 2, &[words]);
    }
    let modelled = "#include <stdlib.h>\nint main(void) { free(0); return atoi(\"0\"); }\n";
    fs::write(directory.path().join("modelled.c"), modelled).expect("a file");
    check(&rmc("--stub free modelled.c"), 2, &["the function is modelled"]);
    check(&rmc("--stub atoi=1 modelled.c"), 2, &["the support library"]);
}

#[test]
fn calls_that_match_no_definition_are_violations() {
    let definitions = "int two(int a, int b) { return a + b; }\nlong wide(long a) { return a; }\nvoid none(void) {}\n\
                       int more(int a, ...) { return a; }\nint unknown(int a, int b) { return a - b + 1; }\n\
                       double unreal(double a) { return a; }\nint named(int a, ...) { return a; }\nint unnamed(int a, ...) { return a; }\n\
                       double real(double a) { return a; }\nint fine(char *text) { return !text; }\n";
    let caller = "int two(int);\nint unknown(), unnamed();\ndouble unreal();\nint named(int, ...);\nlong wide(int);\nint none(void);\nint more(int, int);\nlong real(long);\n\
                  unsigned fine(void *);\nint main(void) { CALL; return 0; }\n";
    let directory = directory(&[("defined.c", definitions), ("main.c", caller)]);
    for (call, said) in [
        ("two(1)", "main.c:10: a call of something that is no such function: `two`, which is defined at defined.c:1"),
        ("two(1)", "it takes 2 arguments and is given 1"),
        ("wide(1)", "argument 1 is an integer of 64 bits and is given an integer of 32 bits"),
        ("none()", "it returns nothing and is called for an integer of 32 bits"),
        ("more(1,2)", "it takes variable arguments after the first ones"),
        ("unknown(1)", "it takes 2 arguments and is given 1"),
        ("unnamed(1,2)", "it takes variable arguments after the first ones"),
        ("real(1)", "argument 1 is a floating-point number of 64 bits and is given an integer of 64 bits"),
    ] {
        let run = rmc_in(directory.path(), &format!("-DCALL={call} main.c defined.c"));
        check(&run, 1, &[]);
        assert!(run.stdout.contains(said), "{}", run.describe());
    }
    for call in ["fine(0)", "unknown(1,2)+unreal(1.0)", "named(1)", "named(1,2)"] {
        check(&rmc_in(directory.path(), &format!("-DCALL={call} main.c defined.c")), 0, &[]);
    }
}

#[test]
fn what_only_gcc_takes_is_refused_with_a_way_out() {
    for (program, hint) in [
        ("int main(void) { int x = 1; int f(int y) { return x + y; } return f(2); }\n", "functions in functions"),
        ("void *p;\nint main(void) { __sync_fetch_and_add((struct s *)p, 1); return 0; }\n", "complete type"),
        ("int main(void) { struct { double d; } x; return __sync_lock_test_and_set(&x, 1); }\n", "__atomic_exchange"),
    ] {
        let directory = directory(&[("program.c", program)]);
        check(&rmc_in(directory.path(), "program.c"), 2, &["program.c", "hint: ", hint]);
    }
}
