//! Keeps a task alive: an informer that died unnoticed is the worst failure (field case 35).

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{task::JoinSet, time::Instant};

use crate::{
    clock::Clock,
    upstream::{ReflectorJob, Upstream, UpstreamError, UpstreamState},
};

/// First pause before a dead task is started again; it doubles up to [`MAX_PAUSE`].
const PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// A task that lived for so long begins with the first pause again.
const STABLE: Duration = Duration::from_secs(300);

/// Pauses between the lives of one task.
#[derive(Debug)]
pub(super) struct Lives {
    pause: Duration,
    born: Instant,
}

// === impl Lives ===

impl Lives {
    pub(super) fn new() -> Self {
        Self {
            pause: PAUSE,
            born: Instant::now(),
        }
    }

    /// It died: waits before the next life.
    pub(super) async fn next(&mut self) {
        if self.born.elapsed() >= STABLE {
            self.pause = PAUSE;
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(MAX_PAUSE);
        self.born = Instant::now();
    }
}

/// Runs a reflector, and starts it again however it ends; dropping this ends it.
pub(super) async fn reflect(upstream: Arc<dyn Upstream>, job: ReflectorJob, clock: Clock, restarts: Arc<AtomicU64>) {
    let mut lives = Lives::new();
    loop {
        let mut task = JoinSet::new();
        // Also a panic while the future is made is one of the task.
        let (upstream, life) = (upstream.clone(), job.clone());
        task.spawn(async move { upstream.reflect(life).await });
        let ended = task.join_next().await;
        let why = match ended {
            Some(Err(error)) => error.to_string(),
            _ => "it ended by itself".to_owned(),
        };
        restarts.fetch_add(1, Ordering::Relaxed);
        tracing::error!(resource = %job.resource, namespace = job.namespace.as_deref(), why, "the reflector died and is started again");
        job.status
            .failed(UpstreamState::Backoff, died("ReflectorDied", why, &clock));
        lives.next().await;
    }
}

/// What a status says of a task that died.
pub(super) fn died(reason: &str, why: String, clock: &Clock) -> UpstreamError {
    UpstreamError {
        http_status: 0,
        reason: reason.into(),
        message: why,
        time: clock.wall(),
    }
}
