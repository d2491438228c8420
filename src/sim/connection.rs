//! The listener and its connections.
//!
//! Each connection is a task that ends when its peer goes, when the simulation cuts all connections, or when the
//! simulation itself goes. A connection can be marked so that dropping it sends RST instead of FIN.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::control::Control;
use super::{Inner, route};

/// How long accepting rests after a failure.
const RETRY: Duration = Duration::from_millis(20);

/// All connections of a simulation.
#[derive(Debug)]
pub(super) struct Connections {
    shutdown: CancellationToken,
    /// Cancelled to cut the connections that are open now; a new one then takes its place.
    cut: Mutex<CancellationToken>,
    /// The task that accepts, and what ends it.
    listening: Mutex<Option<(CancellationToken, JoinHandle<Option<()>>)>>,
    open: TaskTracker,
}

/// A TCP stream that can end in a reset.
struct Wire {
    stream: TcpStream,
    control: Arc<Control>,
}

// === impl Connections ===

impl Connections {
    pub(super) fn new() -> Self {
        let shutdown = CancellationToken::new();
        let cut = shutdown.child_token();
        Self {
            shutdown,
            cut: Mutex::new(cut),
            listening: Mutex::default(),
            open: TaskTracker::new(),
        }
    }

    pub(super) fn shutdown(&self) -> &CancellationToken {
        &self.shutdown
    }

    pub(super) fn cut(&self) {
        let fresh = self.shutdown.child_token();
        std::mem::replace(&mut *self.cut.lock(), fresh).cancel();
    }

    /// Cuts, and returns when no connection is left: what is written then is told to nobody. Only while nothing listens.
    pub(super) async fn close(&self) {
        self.cut();
        self.open.close();
        self.open.wait().await;
        self.open.reopen();
    }

    /// When this returns the listener is closed and its address free.
    pub(super) async fn stop_listening(&self) {
        let listening = self.listening.lock().take();
        if let Some((stop, task)) = listening {
            stop.cancel();
            // It ends by the cancellation; had it failed, the listener would be closed all the same.
            let _ = task.await;
        }
    }
}

/// Listens, and serves what connects, until the simulation stops listening.
pub(super) async fn listen(inner: &Arc<Inner>, address: SocketAddr) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let stop = inner.connections.shutdown.child_token();
    let serving = inner.clone();
    let task = tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let cut = serving.connections.cut.lock().clone();
                    let serve = serve(serving.clone(), stream);
                    serving.connections.open.spawn(cut.run_until_cancelled_owned(serve));
                }
                // Out of descriptors, or a peer that went at once: neither ends the server, the first must not spin.
                Err(e) => {
                    tracing::debug!("simulated cluster cannot accept: {e}");
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }));
    *inner.connections.listening.lock() = Some((stop, task));
    Ok(address)
}

async fn serve(inner: Arc<Inner>, stream: TcpStream) {
    // Latency matters more than packets: watch events are small.
    let _ = stream.set_nodelay(true);
    let control = Arc::new(Control::default());
    let wire = Wire {
        stream,
        control: control.clone(),
    };
    let service = service_fn(move |request| route::answer(inner.clone(), control.clone(), request));
    if let Err(e) = http1::Builder::new()
        .serve_connection(TokioIo::new(wire), service)
        .await
    {
        tracing::trace!("simulated cluster lost a connection: {e}");
    }
}

// === impl Wire ===

impl Drop for Wire {
    fn drop(&mut self) {
        if self.control.is_reset() {
            // Closing with a zero linger time is what makes TCP send RST.
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A shutdown would say FIN before the reset gets its chance.
        if self.control.is_reset() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
