//! What has no model is refused by its name.
// check: -DENVIRONMENT sc=refused(environ)
// check: -DPROCESSORS sc=refused(available_parallelism)
// check: -DFILE sc=refused(open64)
// check: --cflags=-Cpanic=abort sc=refused(--panic=unwind)
fn main() {
    if cfg!(ENVIRONMENT) {
        println!("{}", std::env::vars().count());
    } else if cfg!(PROCESSORS) {
        println!("{:?}", std::thread::available_parallelism());
    } else if cfg!(FILE) {
        println!("{}", std::fs::read_to_string("x").is_ok());
    }
}
