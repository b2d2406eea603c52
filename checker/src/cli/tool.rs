//! Runs a tool of the compiler to its end, or until the run is to end.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::halt::Halt;
use crate::outcome::Unknown;

/// The interval of checks of a running tool.
const TICK: Duration = Duration::from_millis(1);

/// The end of a tool.
pub enum Ended {
    /// It ended by itself.
    Itself {
        /// Its status.
        status: ExitStatus,
        /// Its standard error.
        message: String,
    },
    /// It was killed because the run is to end, for this reason.
    Stopped(Unknown),
}

/// Runs a program without input and without output except messages.
///
/// # Errors
/// It cannot be started, or its messages cannot be read.
pub fn run(command: &mut Command, halt: &Halt) -> io::Result<Ended> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let Some(mut messages) = child.stderr.take() else { unreachable!("standard error is a pipe") };
    let reader = thread::Builder::new().spawn(move || {
        let mut message = Vec::new();
        messages.read_to_end(&mut message).map(|_| message)
    });
    let ended = wait(&mut child, halt)?;
    let Ok(message) = reader?.join() else { unreachable!("reading does not panic") };
    Ok(match ended {
        Ok(status) => Ended::Itself { status, message: String::from_utf8_lossy(&message?).into_owned() },
        Err(reason) => Ended::Stopped(reason),
    })
}

fn wait(child: &mut Child, halt: &Halt) -> io::Result<Result<ExitStatus, Unknown>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(status));
        }
        if let Some(reason) = halt.reason() {
            child.kill()?;
            child.wait()?;
            return Ok(Err(reason));
        }
        thread::sleep(TICK);
    }
}
