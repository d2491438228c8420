//! Waiting for something to become true, always against a deadline.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::{Duration, Instant};

/// How long the rig waits for anything. It bounds a failing test and is never what makes one
/// pass, so it is generous: the machine may be busy.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// The pause between two looks; short, because it only sets how late a wait ends.
const POLL: Duration = Duration::from_millis(25);

/// Blocks until `probe` yields a value; panics with `what` after [`DEADLINE`].
pub fn until<T>(what: &str, mut probe: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(value) = probe() {
            return value;
        }
        assert!(Instant::now() < deadline, "not within {DEADLINE:?}: {what}");
        std::thread::sleep(POLL);
    }
}

/// The same for an asynchronous probe.
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, mut probe: impl FnMut() -> F) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(value) = probe().await {
            return value;
        }
        assert!(Instant::now() < deadline, "not within {DEADLINE:?}: {what}");
        tokio::time::sleep(POLL).await;
    }
}

/// A TCP port of the loopback interface that was free a moment ago.
///
/// Another process can take it before it is used; who starts a server on it must be ready to
/// try again with another one.
pub fn free_port() -> u16 {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
        .and_then(|listener| listener.local_addr())
        .expect("a free port on the loopback interface")
        .port()
}

/// Runs `future` to its end on a thread and runtime of its own, so that it works from
/// synchronous code and from inside another runtime alike.
pub(crate) fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a tokio runtime")
                .block_on(future)
        });
        match thread.join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
