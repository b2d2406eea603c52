//! Places of std's code: what goes wrong in it is reported at the program's call.

use rmc_llvm::Place;
use rmc_llvm::edit::{Block, Value};

/// Directories of the sources of std: Debian's, and those that builds of the Rust project name, the second
/// one for crates that std uses.
const STD: [&str; 3] = ["/usr/src/rustc-", "/rustc/", "/rust/deps/"];

/// True if a function is std's, or has no place.
pub fn is_of_std(function: Value) -> bool {
    function.function_place().is_none_or(|place| is_in_std(&place))
}

fn is_in_std(place: &Place) -> bool {
    let is_in = |path: &str| STD.iter().any(|directory| path.starts_with(directory));
    is_in(&place.file) || is_in(&place.directory)
}

/// Moves code of std that rustc has inlined in a function of the program (`Box::new`) to the line of the
/// call. Its variables are forgotten.
pub fn move_inlined(function: Value) {
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        if is_debug(instruction) {
            if instruction.place().is_some_and(|place| is_in_std(&place)) {
                instruction.erase();
            }
            continue;
        }
        while instruction.place().is_some_and(|place| is_in_std(&place)) && instruction.move_to_call() {}
    }
}

/// Forgets the places of a function.
pub fn forget_places(function: Value) {
    function.forget_subprogram();
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        if is_debug(instruction) {
            instruction.erase();
        } else {
            instruction.forget_place();
        }
    }
}

/// True if an instruction only describes a variable.
fn is_debug(instruction: Value) -> bool {
    instruction.is_call() && instruction.callee().name().starts_with("llvm.dbg.")
}
