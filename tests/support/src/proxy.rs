//! A TCP proxy that breaks connections on command.
//!
//! It runs on threads of its own, so its methods are synchronous, take effect before they
//! return, and work from a test that blocks its own runtime.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, watch};

use crate::wait::DEADLINE;

/// A proxy in front of one address.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    frozen: watch::Sender<bool>,
    runtime: Option<Runtime>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    closed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    open: HashMap<u64, Arc<Notify>>,
    accepted: u64,
    refused: u64,
    refuse: bool,
}

/// Takes a connection out of the books when its task ends, in whatever way. It is the first
/// parameter of the task, so it is dropped after the streams have been closed.
struct Booked {
    id: u64,
    shared: Arc<Shared>,
}

// === impl Proxy ===

impl Proxy {
    /// Listens on a free port of the loopback interface and forwards to `target`.
    pub fn start(target: SocketAddr) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("test-proxy")
            .enable_all()
            .build()
            .expect("a tokio runtime");
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        listener.set_nonblocking(true).expect("a nonblocking listener");
        let address = listener.local_addr().expect("the listener's address");
        let shared = Arc::new(Shared::default());
        let (frozen, receiver) = watch::channel(false);
        let accepting = shared.clone();
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener).expect("a listener in the runtime");
            accept(listener, target, accepting, receiver).await;
        });
        Self {
            address,
            shared,
            frozen,
            runtime: Some(runtime),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Resets all connections that are open now; returns how many. New ones are still
    /// accepted.
    pub fn cut_all(&self) -> usize {
        let mut state = self.shared.lock();
        let cut: Vec<u64> = state.open.keys().copied().collect();
        for connection in state.open.values() {
            connection.notify_one();
        }
        let cutting = |state: &mut State| cut.iter().any(|id| state.open.contains_key(id));
        let wait = self.shared.closed.wait_timeout_while(state, DEADLINE, cutting);
        state = wait.unwrap_or_else(PoisonError::into_inner).0;
        assert!(
            !cut.iter().any(|id| state.open.contains_key(id)),
            "connections do not close"
        );
        cut.len()
    }

    /// Whether new connections are reset as soon as they are accepted. Open ones stay.
    pub fn refuse(&self, refuse: bool) {
        self.shared.lock().refuse = refuse;
    }

    /// Whether nothing is forwarded while all connections stay open, as with a host that
    /// vanished without closing them. What was sent meanwhile goes out after the thaw.
    pub fn freeze(&self, freeze: bool) {
        self.frozen.send_replace(freeze);
    }

    /// Connections accepted so far, without the refused ones.
    pub fn accepted(&self) -> u64 {
        self.shared.lock().accepted
    }

    /// Connections refused so far.
    pub fn refused(&self) -> u64 {
        self.shared.lock().refused
    }

    /// Connections open now.
    pub fn open(&self) -> usize {
        self.shared.lock().open.len()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The blocking form would panic inside an asynchronous test.
            runtime.shutdown_background();
        }
    }
}

// === impl Shared ===

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// === impl Booked ===

impl Drop for Booked {
    fn drop(&mut self) {
        self.shared.lock().open.remove(&self.id);
        self.shared.closed.notify_all();
    }
}

// === forwarding ===

async fn accept(listener: TcpListener, target: SocketAddr, shared: Arc<Shared>, frozen: watch::Receiver<bool>) {
    while let Ok((client, _)) = listener.accept().await {
        let _ = client.set_nodelay(true);
        let cut = Arc::new(Notify::new());
        let id = {
            let mut state = shared.lock();
            if state.refuse {
                state.refused += 1;
                let _ = client.set_zero_linger();
                continue;
            }
            state.accepted += 1;
            let id = state.accepted;
            state.open.insert(id, cut.clone());
            id
        };
        let booked = Booked {
            id,
            shared: shared.clone(),
        };
        tokio::spawn(forward(booked, client, target, cut, frozen.clone()));
    }
}

async fn forward(
    _booked: Booked,
    mut client: TcpStream,
    target: SocketAddr,
    cut: Arc<Notify>,
    frozen: watch::Receiver<bool>,
) {
    let Ok(mut server) = TcpStream::connect(target).await else {
        return;
    };
    let _ = server.set_nodelay(true);
    let (mut client_reads, mut client_writes) = client.split();
    let (mut server_reads, mut server_writes) = server.split();
    let reset = tokio::select! {
        () = cut.notified() => true,
        // HTTP has no use for a half-closed connection, so the first end ends both.
        result = copy(&mut client_reads, &mut server_writes, frozen.clone()) => result.is_err(),
        result = copy(&mut server_reads, &mut client_writes, frozen) => result.is_err(),
    };
    if reset {
        // With a linger time of zero the close is a reset, at once and on both sides; after
        // a regular end it could overtake data that is still on its way.
        let _ = client.set_zero_linger();
        let _ = server.set_zero_linger();
    }
}

async fn copy(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    mut frozen: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut buffer).await?;
        // Also the end of a connection stays unseen while frozen.
        if frozen.wait_for(|frozen| !frozen).await.is_err() || length == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..length]).await?;
    }
}
