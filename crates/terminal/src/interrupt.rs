//! Signals that end a run: the first one asks the computation to stop at the next row. Signals that
//! were ignored when the program started stay ignored, as `nohup` requires.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit;

/// Ctrl-C (SIGINT), SIGTERM and SIGHUP.
#[cfg(unix)]
const TO_END: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const TO_END: [i32; 2] = [SIGINT, SIGTERM];

/// Whether the run has been asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    /// The limit on processor time is reached.
    out_of_time: Arc<AtomicBool>,
}

/// A program has one set of handlers, even if it runs several computations.
static CAUGHT: OnceLock<Interrupt> = OnceLock::new();

impl Interrupt {
    /// Catches the signals that end a run from now on. After one of them, Ctrl-C ends the program
    /// at once, with the exit code of incomplete work; the others can come twice, as `timeout`
    /// sends its signal to the program and then to its group. Repeated calls share their flags.
    ///
    /// # Errors
    /// The operating system refuses.
    pub fn catch() -> io::Result<Self> {
        Self::of(&TO_END, true)
    }

    /// The same for one of several processes. It may get a signal more than once, from different
    /// senders, so a second one does not end it at once. SIGUSR1 also ends the run: `mpirun`
    /// forwards it to all processes, and does not end them itself.
    ///
    /// # Errors
    /// The operating system refuses.
    #[cfg(unix)]
    pub fn catch_as_one_of_many() -> io::Result<Self> {
        Self::of(&[&TO_END[..], &[signal_hook::consts::SIGUSR1]].concat(), false)
    }

    fn of(signals: &[i32], second_ends: bool) -> io::Result<Self> {
        if let Some(caught) = CAUGHT.get() {
            return Ok(caught.clone());
        }
        let interrupt = Self::default();
        for signal in signals.iter().copied().filter(|signal| !is_ignored(*signal)) {
            if second_ends && signal == SIGINT {
                // Before the flag is registered: the first signal finds it not yet set.
                let (code, asked) = (exit::INCOMPLETE.into(), interrupt.asked.clone());
                flag::register_conditional_shutdown(signal, code, asked)?;
            }
            flag::register(signal, interrupt.asked.clone())?;
        }
        #[cfg(unix)]
        {
            catch(rustix::process::Signal::XCPU, &interrupt.out_of_time)?;
            leave_time_to_end();
        }
        Ok(CAUGHT.get_or_init(|| interrupt).clone())
    }

    /// Whether it is time to stop.
    pub fn asked(&self) -> bool {
        // The system repeats this signal every second, so only the first one counts.
        if self.out_of_time.load(Ordering::SeqCst) && !self.asked.swap(true, Ordering::SeqCst) {
            tracing::warn!("the limit on processor time (ulimit -t) is reached");
        }
        self.asked.load(Ordering::SeqCst)
    }
}

/// From now on, a file that exceeds the limit on file sizes (`ulimit -f`) gives an error when it is
/// written. Otherwise the system would end the program without a message.
///
/// # Errors
/// The operating system refuses.
pub fn outlive_file_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    catch(rustix::process::Signal::XFSZ, &Arc::default())?;
    Ok(())
}

/// The processor time, in seconds, that is enough for a run to save its rows.
#[cfg(unix)]
const TO_KEEP: u64 = 10;

/// The system asks a program to end at the soft limit on processor time, and kills it at the hard
/// limit. `ulimit -t` sets both to the same value; then the program lowers its soft limit.
#[cfg(unix)]
fn leave_time_to_end() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Cpu);
    let Some(hard) = limit.maximum else { return };
    let soft = hard - (hard / 4).clamp(1, TO_KEEP).min(hard);
    if limit.current.is_some_and(|current| current <= soft) {
        return;
    }
    // The limit is in whole seconds, and 0 counts as 1.
    if soft == 0 || setrlimit(Resource::Cpu, Rlimit { current: Some(soft), ..limit }).is_err() {
        tracing::warn!(
            "the system will kill this program after {hard} s of processor time, too soon for it to \
             save anything; use `ulimit -S -t` instead"
        );
    }
}

/// Makes a signal set a flag and do nothing else.
#[cfg(unix)]
fn catch(signal: rustix::process::Signal, caught: &Arc<AtomicBool>) -> io::Result<()> {
    if !is_ignored(signal.as_raw()) {
        flag::register(signal.as_raw(), Arc::clone(caught))?;
    }
    Ok(())
}

/// Whether this process was started to ignore a signal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mask = files::process_status("SigIgn");
    match mask.and_then(|mask| u64::from_str_radix(&mask, 16).ok()) {
        Some(ignored) => ignored >> (signal - 1) & 1 == 1,
        None => is_ignored_by(std::process::Command::new("sh"), signal),
    }
}

#[cfg(not(unix))]
fn is_ignored(_signal: i32) -> bool {
    false
}

/// The same by a test, without information from the system: a shell inherits ignored signals, and
/// survives them.
#[cfg(unix)]
fn is_ignored_by(mut shell: std::process::Command, signal: i32) -> bool {
    shell.arg("-c").arg(format!("ulimit -c 0; kill -{signal} $$"));
    shell.output().is_ok_and(|output| output.status.success())
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_tells_what_is_ignored() {
        let hangup = signal_hook::consts::SIGHUP;
        let mut nohup = Command::new("nohup");
        nohup.arg("sh");
        assert!(is_ignored_by(nohup, hangup));
        assert_eq!(is_ignored_by(Command::new("sh"), hangup), is_ignored(hangup));
        assert!(!is_ignored_by(Command::new("sh"), 9), "nobody ignores this one");
        assert!(!is_ignored_by(Command::new("no-such-shell"), hangup));
    }
}
