//! What the kernel says about a process.

use std::{fs, time::Duration};

/// CPU time that all threads of the process have used, user and system.
///
/// `schedstat` is exact, but has only the threads that are alive; `stat` has all, in ticks of 10 ms rounded down. So the
/// larger is nearer to the truth.
pub(crate) fn cpu(pid: u32) -> Duration {
    exact(pid).max(ticks(pid))
}

/// Resident bytes now.
pub(crate) fn rss(pid: u32) -> u64 {
    status(pid, "VmRSS:")
}

/// Most resident bytes since the start or [`reset_peak`].
pub(crate) fn peak(pid: u32) -> u64 {
    status(pid, "VmHWM:")
}

/// Lets the peak begin anew at what is resident now.
pub(crate) fn reset_peak(pid: u32) {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").expect("the peak can be reset");
}

/// Waits until the process has had nothing to do for a while, and returns its CPU time.
pub(crate) async fn quiet(pid: u32) -> Duration {
    const LOOK: Duration = Duration::from_millis(500);
    const NOTHING: Duration = Duration::from_millis(5);
    let mut before = cpu(pid);
    loop {
        tokio::time::sleep(LOOK).await;
        let now = cpu(pid);
        if now.saturating_sub(before) < NOTHING {
            return now;
        }
        before = now;
    }
}

fn exact(pid: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    let nanos = tasks.flatten().filter_map(|task| {
        // A thread may end while it is looked at.
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

fn ticks(pid: u32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs");
    // The name before may hold anything, but no later parenthesis follows. utime and stime are the 14th and 15th field.
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|n| n.parse::<u64>().ok())
        .sum();
    // USER_HZ is 100 on every architecture that Linux is built for today.
    Duration::from_millis(ticks * 10)
}

fn status(pid: u32, field: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let kilobytes = text
        .lines()
        .find_map(|line| line.strip_prefix(field)?.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_else(|| panic!("no {field}")) * 1024
}
